import { useMemo } from 'react'
import { serverNow } from '../../../lib/clock.ts'
import { dayOf } from '../../../lib/periods.ts'
import { useUser } from '../../../lib/session.ts'
import { type Filters, queryOf } from './filters.ts'
import type { ListQuery } from './history.api.ts'
import { useDirection, useFilters } from './useFilters.ts'

/** What the server is asked, the same text of it being the same question. */
export function useListQuery(filters: Filters): Omit<ListQuery, 'sorting'> {
  const joined = useUser().date_joined
  const today = dayOf(new Date(serverNow()))
  return useMemo(() => {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
    const now = new Date(`${today}T12:00:00`)
    return queryOf(filters, { now, joined: new Date(joined), timeZone })
  }, [filters, joined, today])
}

/** The same in an order. */
export const sorted = (asked: Omit<ListQuery, 'sorting'>, direction: 'asc' | 'desc'): ListQuery => ({
  ...asked,
  ...(direction === 'asc' && { sorting: 'date_asc' }),
})

/** The list that the history shows in this browser, as it was last filtered and sorted: its rows are those prints' places. */
export function useHistoryQuery(): ListQuery {
  const { filters } = useFilters(undefined)
  const [direction] = useDirection()
  const asked = useListQuery(filters)
  return useMemo(() => sorted(asked, direction), [asked, direction])
}
