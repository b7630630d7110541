import { describe, expect, it } from 'vitest'
import { isFiltering, NO_FILTERS, queryOf, readFilters, toggled, writeFilters } from './filters.ts'

const known = { now: new Date(2026, 2, 4), joined: new Date(2024, 4, 3), timeZone: 'Europe/Berlin' }
const stored = { status: null, feedback: null, printers: null, period: null, from: null, to: null }

describe('what was chosen', () => {
  const chosen = {
    status: 'cancelled',
    feedback: 'need_alert_overwrite',
    printers: [3, 9],
    period: 'custom',
    custom: { from: '2026-01-01', to: '' },
  } as const

  it('is kept, read back and asked for', () => {
    expect(readFilters(writeFilters(chosen))).toEqual(chosen)
    expect(queryOf(chosen, known)).toEqual({
      timezone: 'Europe/Berlin',
      filter: 'cancelled',
      failed: false,
      feedback_needed: 'need_alert_overwrite',
      filter_by_printer_ids: [3, 9],
      from_date: '2026-01-01',
      to_date: '2026-03-04',
    })
    expect(isFiltering(chosen)).toBe(true)
  })

  it('is nothing at first, and where it makes no sense', () => {
    expect(readFilters(stored)).toEqual({ ...NO_FILTERS, custom: { from: '', to: '' } })
    const odd = { status: 'bogus', feedback: '', printers: 'a,-3,,1.5', period: 'x', from: '1', to: '<b>' }
    expect(readFilters(odd)).toEqual(readFilters(stored))
    expect(queryOf(NO_FILTERS, known)).toEqual({ timezone: 'Europe/Berlin' })
    expect(isFiltering({ ...NO_FILTERS, period: 'custom' })).toBe(false)
  })

  it('of many goes back to all with the last one', () => {
    expect(toggled([3], 9)).toEqual([3, 9])
    expect(queryOf({ ...NO_FILTERS, printers: toggled([3], 3) }, known)).toEqual({
      timezone: 'Europe/Berlin',
    })
  })
})
