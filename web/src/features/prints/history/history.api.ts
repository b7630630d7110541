import type { Args } from '@vigil/contract/endpoint.ts'
import {
  deletePrints,
  getPrintTotals,
  listPrints,
  type Print,
  type PrintTotals,
  updatePrint,
} from '@vigil/contract/prints/prints.ts'
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import type { Verdict } from '../../../lib/thumbs.ts'

/** So many come with each scroll; what is read anew comes in larger pieces. */
const PAGE = 24
const PIECE = 200
const TOTALS_EVERY_MS = 30_000

export type ListQuery = Omit<Args<typeof listPrints>['query'], 'start' | 'limit' | 'after'>

/** Prints as the server has them in order, from the first on; `isWhole`: there are no more. */
interface Held {
  rows: Print[]
  isWhole: boolean
}

/** How far to read. */
interface Wanted {
  count: number
  /** Until this print has come, or its place has been passed. */
  until?: number | undefined
}

const KEY = 'prints'

async function readOn(query: ListQuery, held: Held, limit: number): Promise<Held> {
  const after = held.rows.at(-1)?.id
  const more = await call(listPrints, { query: { ...query, limit, ...(after ? { after } : {}) } })
  return { rows: [...held.rows, ...more], isWhole: more.length < limit }
}

function isEnough({ rows, isWhole }: Held, query: ListQuery, { count, until }: Wanted): boolean {
  if (isWhole) return true
  if (rows.length < count) return false
  const last = rows.at(-1)?.id
  if (until === undefined || last === undefined) return true
  return query.sorting === 'date_asc' ? last >= until : last <= until
}

async function readUntil(query: ListQuery, wanted: Wanted): Promise<Held> {
  let held: Held = { rows: [], isWhole: false }
  while (!isEnough(held, query, wanted)) {
    const missing = Math.max(wanted.count - held.rows.length, PAGE)
    held = await readOn(query, held, wanted.until === undefined ? Math.min(missing, PIECE) : PIECE)
  }
  return held
}

/** The list from its beginning, as much of it as is held; read anew, it has what came and not what went. */
export function rowsQuery(query: ListQuery, until: number | undefined) {
  const queryKey = [KEY, 'rows', query] as const
  return queryOptions({
    queryKey,
    queryFn: ({ client }) => {
      const count = Math.max(PAGE, client.getQueryData<Held>(queryKey)?.rows.length ?? 0)
      return readUntil(query, { count, until })
    },
    // Whoever comes back sees the list at once, and where it was left.
    gcTime: 30 * 60_000,
    staleTime: 0,
    refetchOnWindowFocus: false,
    structuralSharing: false,
  })
}

/** Reads the next page, or all that is left, onto what is held. */
export async function readMore(client: QueryClient, query: ListQuery, all: boolean): Promise<void> {
  const { queryKey } = rowsQuery(query, undefined)
  let held = client.getQueryData<Held>(queryKey)
  do {
    if (!held || held.isWhole) return
    const more = await readOn(query, held, all ? PIECE : PAGE)
    // It was read anew meanwhile: what follows that is another page.
    if (client.getQueryData<Held>(queryKey) !== held) return
    held = more
    client.setQueryData(queryKey, held)
  } while (all)
}

/** What the prints come to: asked again and again, since it says whether something has changed. */
export function totalsQuery(query: Omit<ListQuery, 'sorting'>) {
  return queryOptions({
    queryKey: [KEY, 'totals', query] as const,
    queryFn: (): Promise<PrintTotals> => call(getPrintTotals, { query }),
    refetchInterval: TOTALS_EVERY_MS,
    staleTime: 0,
  })
}

/** Everything about prints is read anew. */
const refresh = (client: QueryClient) => client.invalidateQueries({ queryKey: [KEY] })

/** Drops prints from the list at once. */
function forget(client: QueryClient, ids: ReadonlySet<number>): void {
  client.setQueriesData<Held>(
    { queryKey: [KEY, 'rows'] },
    (held) => held && { ...held, rows: held.rows.filter(({ id }) => !ids.has(id)) },
  )
}

/** An owner's word about a print, shown at once. */
export async function answer(client: QueryClient, id: number, verdict: Verdict): Promise<void> {
  const said = await call(updatePrint, { params: { id }, query: {}, body: { alert_overwrite: verdict } })
  client.setQueriesData<Held>(
    { queryKey: [KEY, 'rows'] },
    (held) => held && { ...held, rows: held.rows.map((each) => (each.id === id ? said : each)) },
  )
  await refresh(client)
}

export async function removePrints(client: QueryClient, ids: readonly number[]): Promise<void> {
  await call(deletePrints, { body: { print_ids: [...ids] } })
  forget(client, new Set(ids))
  await refresh(client)
}
