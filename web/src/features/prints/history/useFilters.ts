import { useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { useQueryValues } from '../../../lib/address.ts'
import { readStored, subscribeStored, useStoredChoice, writeStored } from '../../../lib/stored.ts'
import { FILTER_KEYS, type Filters, NO_FILTERS, readFilters, writeFilters } from './filters.ts'

const NAMES = ['status', 'feedback', 'printers', 'period', 'from', 'to'] as const

/** Of which page they are. */
type Prefix = 'printsFiltering' | 'statsFiltering'

const keyOf = (prefix: Prefix, name: (typeof NAMES)[number]) => `${prefix}-${FILTER_KEYS[name]}`

const snapshot = (prefix: Prefix) => JSON.stringify(NAMES.map((name) => readStored(keyOf(prefix, name))))

function keep(prefix: Prefix, filters: Filters): void {
  const stored = writeFilters(filters)
  for (const name of NAMES) {
    const key = keyOf(prefix, name)
    if (readStored(key) !== stored[name]) writeStored(key, stored[name])
  }
}

/** In the address, for the history: what was sent to somebody, or kept as a bookmark, is shown as it was. */
function useAddress(filters: Filters, isMeant: boolean): void {
  const search = useQueryValues()
  const navigate = useNavigate()
  useEffect(() => {
    if (!isMeant) return
    const { status, feedback, printers, period, from, to } = writeFilters(filters)
    const wanted = {
      status: status ?? undefined,
      feedback: feedback ?? undefined,
      printers: printers ?? undefined,
      period: period ?? undefined,
      from: from ?? undefined,
      to: to ?? undefined,
    }
    // A visit that needs no change stays the same entry, or the way back would lose where the list stood.
    if (NAMES.every((name) => search[name] === wanted[name])) return
    void navigate({
      to: '.',
      replace: true,
      resetScroll: false,
      search: (old: Record<string, string>) => ({ ...old, ...wanted }),
    })
  }, [navigate, filters, search, isMeant])
}

/** The filters, kept in this browser; printers that are no longer there (`existing`, once it is known) drop out of them. */
export function useFilters(existing: readonly number[] | undefined, prefix: Prefix = 'printsFiltering') {
  const search = useQueryValues()
  const isHistory = prefix === 'printsFiltering'
  // The address goes before what was kept, once: from then on it follows.
  useState(() => {
    if (!isHistory || !NAMES.some((name) => name !== 'from' && name in search)) return
    const { status = null, feedback = null, printers = null, period = null, from = null, to = null } = search
    keep(prefix, readFilters({ status, feedback, printers, period, from, to }))
  })
  const raw = useSyncExternalStore(subscribeStored, () => snapshot(prefix))
  const filters = useMemo(() => {
    const [status, feedback, printers, period, from, to] = JSON.parse(raw) as (string | null)[]
    const stored = { status, feedback, printers, period, from, to }
    const read = readFilters(stored as Parameters<typeof readFilters>[0])
    return existing ? { ...read, printers: read.printers.filter((id) => existing.includes(id)) } : read
  }, [raw, existing])
  useAddress(filters, isHistory)
  useEffect(() => {
    if (existing) keep(prefix, filters)
  }, [existing, filters, prefix])
  const change = useCallback(
    (some: Partial<Filters>) => keep(prefix, { ...filters, ...some }),
    [filters, prefix],
  )
  const reset = useCallback(() => keep(prefix, NO_FILTERS), [prefix])
  return { filters, change, reset }
}

/** Newest first or oldest first, kept in this browser. */
export function useDirection() {
  return useStoredChoice('printsSorting-direction', ['desc', 'asc'], 'desc')
}
