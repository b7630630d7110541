import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react'
import { readStored, subscribeStored, useStoredChoice, writeStored } from '../../lib/stored.ts'
import { FILTER_KEYS, type Filters, NO_FILTERS, readFilters, writeFilters } from './filters.ts'

const NAMES = ['status', 'feedback', 'printers', 'period', 'from', 'to'] as const

const snapshot = () => JSON.stringify(NAMES.map((name) => readStored(FILTER_KEYS[name])))

function keep(filters: Filters): void {
  const stored = writeFilters(filters)
  for (const name of NAMES)
    if (readStored(FILTER_KEYS[name]) !== stored[name]) writeStored(FILTER_KEYS[name], stored[name])
}

/** The filters, kept in this browser; printers that are no longer there (`existing`, once it is known) drop out of them. */
export function useFilters(existing: readonly number[] | undefined) {
  const raw = useSyncExternalStore(subscribeStored, snapshot)
  const filters = useMemo(() => {
    const [status, feedback, printers, period, from, to] = JSON.parse(raw) as (string | null)[]
    const stored = { status, feedback, printers, period, from, to }
    const read = readFilters(stored as Parameters<typeof readFilters>[0])
    return existing ? { ...read, printers: read.printers.filter((id) => existing.includes(id)) } : read
  }, [raw, existing])
  useEffect(() => {
    if (existing) keep(filters)
  }, [existing, filters])
  const change = useCallback((some: Partial<Filters>) => keep({ ...filters, ...some }), [filters])
  const reset = useCallback(() => keep(NO_FILTERS), [])
  return { filters, change, reset }
}

/** Newest first or oldest first, kept in this browser. */
export function useDirection() {
  return useStoredChoice('printsSorting-direction', ['desc', 'asc'], 'desc')
}
