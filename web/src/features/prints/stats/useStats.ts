import { getStats } from '@vigil/contract/prints/stats.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { call } from '../../../lib/call.ts'
import { useMessages } from '../../../lib/catalogue.ts'
import { serverNow } from '../../../lib/clock.ts'
import { problemOf } from '../../../lib/errors.ts'
import { dayOf } from '../../../lib/periods.ts'
import { useUser } from '../../../lib/session.ts'
import { useStoredChoice } from '../../../lib/stored.ts'
import { useErrorDialog } from '../../../ui/useErrorDialog.tsx'
import { queryOf, useFilters, usePrinters } from '../history/index.ts'
import { CHOICES } from './grouping.ts'
import { overridesIn, statsQueryOf } from './query.ts'

/** The filters, what the address says instead of them, and what the prints that they mean come to. */
export function useStats(search: string) {
  const { printers, ids, error: printersError } = usePrinters()
  const { filters, change, reset } = useFilters(ids, 'statsFiltering')
  const [choice, choose] = useStoredChoice('statsGrouping', CHOICES, 'auto')
  const overrides = useMemo(() => overridesIn(search), [search])
  const joined = useUser().date_joined
  const today = dayOf(new Date(serverNow()))
  const query = useMemo(() => {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
    const known = { now: new Date(`${today}T12:00:00`), joined: new Date(joined), timeZone }
    return statsQueryOf(queryOf(filters, known), choice, overrides, known)
  }, [filters, choice, overrides, today, joined])
  const found = useQuery({
    queryKey: ['prints', 'stats', query],
    // The server says what is wrong with an address that somebody wrote.
    queryFn: () => call(getStats, { query }),
    // A printer that is gone must not decide what is asked for.
    enabled: filters.printers.length === 0 || ids !== undefined || printersError !== null,
    placeholderData: keepPreviousData,
  })
  useTold(found.error)
  return {
    printers: printers ?? [],
    filters,
    change,
    reset,
    choice,
    choose,
    query,
    isOverridden: Object.keys(overrides).length > 0,
    stats: found.isError ? undefined : found.data,
    isStale: found.isPlaceholderData,
    problem: found.error && problemOf(found.error),
    retry: () => void found.refetch(),
  }
}

/** The dialog of docs/rules/pages.md, once for each failure. */
function useTold(error: Error | null): void {
  const show = useErrorDialog()
  const message = useMessages()
  useEffect(() => {
    if (error) show(message('statsFailed'))
    // oxlint-disable-next-line react/exhaustive-deps
  }, [error])
}
