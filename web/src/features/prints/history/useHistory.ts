import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { problemOf, type Problem } from '../../../lib/errors.ts'
import { printersQuery } from '../../../printer/printers.api.ts'
import { countsOf, isFiltering, NO_FILTERS } from './filters.ts'
import { type ListQuery, readMore, rowsQuery, totalsQuery } from './history.api.ts'
import { entriesOf } from './listing.ts'
import { useDirection, useFilters } from './useFilters.ts'
import { sorted, useListQuery } from './useListQuery.ts'

const NONE: never[] = []

/** The printers that prints can be asked for by; those in the archive are not among them. */
export function usePrinters() {
  const { data, error } = useQuery({ ...printersQuery, refetchInterval: false })
  const printers = useMemo(() => data?.filter(({ archived_at }) => !archived_at), [data])
  return { printers, ids: useMemo(() => printers?.map(({ id }) => id), [printers]), error }
}

/** The history: the filters, what passes them as far as it is read, what it comes to, and reading on. */
export function useHistory(until: number | undefined) {
  const { printers, ids, error: printersError } = usePrinters()
  const { filters, change, reset } = useFilters(ids)
  const [direction, setDirection] = useDirection()
  const asked = useListQuery(filters)
  const query = useMemo<ListQuery>(() => sorted(asked, direction), [asked, direction])
  // A printer that is gone must not decide what is asked for.
  const enabled = filters.printers.length === 0 || ids !== undefined || printersError !== null
  const list = useQuery({ ...rowsQuery(query, until), enabled })
  const { data: totals } = useQuery({ ...totalsQuery(asked), enabled })
  const { data: all } = useQuery({ ...totalsQuery(useListQuery(NO_FILTERS)), enabled: isFiltering(filters) })
  const ofAnyStatus = useListQuery(useMemo(() => ({ ...filters, status: 'none' as const }), [filters]))
  const { data: sums } = useQuery({ ...totalsQuery(ofAnyStatus), enabled })
  useChanges(totals, asked)
  const reading = useReading(query, !list.isFetching && list.data?.isWhole === false)
  return {
    filters,
    change,
    reset,
    direction,
    setDirection,
    printers: printers ?? NONE,
    printersError,
    entries: useMemo(() => entriesOf(list.data?.rows ?? NONE), [list.data]),
    isWhole: list.data?.isWhole ?? false,
    isPending: list.data === undefined && !list.isError,
    /** Why there is no list. */
    problem: list.data === undefined && list.isError ? problemOf(list.error) : null,
    retry: () => void list.refetch(),
    totals,
    /** How many prints each status would show. */
    counts: useMemo(() => sums && countsOf(sums), [sums]),
    all,
    asked,
    ...reading,
  }
}

/** What the prints come to has changed: so has the list. */
function useChanges(totals: object | undefined, asked: object): void {
  const client = useQueryClient()
  const known = useRef({ totals, asked })
  useEffect(() => {
    const before = known.current
    known.current = { totals, asked }
    if (before.asked !== asked || !before.totals || !totals || before.totals === totals) return
    void client.invalidateQueries({ queryKey: ['prints', 'rows'] })
  }, [totals, asked, client])
}

/** Reading on, a page at a time; not while the list is read anew. */
function useReading(query: ListQuery, isStill: boolean) {
  const client = useQueryClient()
  const [state, setState] = useState<'idle' | 'reading' | Problem>('idle')
  const canRead = isStill && state === 'idle'
  const more = useCallback(() => {
    if (!canRead) return
    setState('reading')
    readMore(client, query, false).then(
      () => setState('idle'),
      (error: unknown) => setState(problemOf(error)),
    )
  }, [canRead, client, query])
  const readAll = useCallback(async () => {
    await readMore(client, query, true)
    return entriesOf(client.getQueryData(rowsQuery(query, undefined).queryKey)?.rows ?? NONE)
  }, [client, query])
  useEffect(() => setState('idle'), [query])
  return {
    /** Reads the next page, where that makes sense. */
    more,
    /** Why that did not work; nothing more is read until `retryMore`. */
    moreProblem: typeof state === 'object' ? state : null,
    retryMore: useCallback(() => setState('idle'), []),
    /** Reads all that is left, and tells what there is then. */
    readAll,
  }
}
