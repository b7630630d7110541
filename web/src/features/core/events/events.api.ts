import {
  countPrinterEvents,
  listPrinterEvents,
  markEventsSeen,
  type PrinterEvent,
} from '@vigil/contract/core/events.ts'
import {
  infiniteQueryOptions,
  queryOptions,
  type InfiniteData,
  type QueryClient,
} from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import type { Filters } from './filters.ts'

/** So many come with each scroll. */
const PAGE = 12
/** So many can be asked for at once. */
const MOST = 200

type Pages = InfiniteData<PrinterEvent[]>

const queryOf = ({ classes, types }: Filters) => ({
  ...(classes.length > 0 && { filter_by_classes: [...classes] }),
  ...(types.length > 0 && { filter_by_types: [...types] }),
})

/** Events, newest first, as far as one has scrolled. What comes meanwhile is read onto their head (`readHead`). */
export function eventsQuery(filters: Filters) {
  return infiniteQueryOptions({
    queryKey: ['events', filters] as const,
    queryFn: ({ pageParam: start }) =>
      call(listPrinterEvents, { query: { ...queryOf(filters), start, limit: PAGE } }),
    initialPageParam: 0,
    // New ones only push the others down: whatever is held is where it began, or further.
    getNextPageParam: (last, pages) => (last.length < PAGE ? undefined : pages.flat().length),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  })
}

/** Each once, though pages may overlap. */
export function eventsIn(data: Pages | undefined): PrinterEvent[] {
  const byId = new Map(data?.pages.flat().map((event) => [event.id, event]))
  return [...byId.values()]
}

/** What stands above the first one that is held; null where none of them is. */
async function above(filters: Filters, known: ReadonlySet<number>, limit: number) {
  const head = await call(listPrinterEvents, { query: { ...queryOf(filters), start: 0, limit } })
  const at = head.findIndex(({ id }) => known.has(id))
  return at === -1 && head.length > 0 ? null : head.slice(0, Math.max(at, 0))
}

/**
 * Reads what came since the list was read, up to `newest`, and puts it on top; `before` is called when that is about to be
 * shown. After a long absence the list begins anew.
 */
export async function readHead(
  client: QueryClient,
  filters: Filters,
  { newest, before }: { newest: number; before: () => void },
): Promise<void> {
  const { queryKey } = eventsQuery(filters)
  const known = new Set(
    client
      .getQueryData(queryKey)
      ?.pages.flat()
      .map(({ id }) => id),
  )
  if (known.has(newest)) return
  const fresh = (await above(filters, known, PAGE)) ?? (await above(filters, known, MOST))
  if (fresh === null) return client.resetQueries({ queryKey })
  if (fresh.length === 0) return
  before()
  client.setQueryData(
    queryKey,
    (now) => now && { ...now, pages: now.pages.map((page, at) => (at === 0 ? [...fresh, ...page] : page)) },
  )
}

/** How many there are of each class and type. */
export const countsQuery = queryOptions({
  queryKey: ['event-counts'] as const,
  queryFn: () => call(countPrinterEvents),
  staleTime: 10_000,
})

export const markSeen = () => call(markEventsSeen)
