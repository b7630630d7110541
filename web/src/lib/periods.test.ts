import { describe, expect, it } from 'vitest'
import { dayOf, daysOf, faultOf } from './periods.ts'

const joined = new Date(2024, 4, 3, 23, 30)
const on = (now: Date) => ({ now, joined })

describe('a period is whole days', () => {
  const wednesday = on(new Date(2026, 2, 4, 0, 10))
  it.each([
    ['this_week', { from: '2026-03-01', to: '2026-03-04' }],
    ['this_month', { from: '2026-03-01', to: '2026-03-04' }],
    ['this_year', { from: '2026-01-01', to: '2026-03-04' }],
    ['none', null],
    ['custom', null],
  ] as const)('%s', (period, days) => {
    expect(daysOf(period, {}, wednesday)).toEqual(days)
  })

  it('a week that began on the Sunday of another month, and one that begins today', () => {
    expect(daysOf('this_week', {}, on(new Date(2026, 3, 1)))).toMatchObject({ from: '2026-03-29' })
    expect(daysOf('this_week', {}, on(new Date(2026, 2, 8, 23)))).toEqual({
      from: '2026-03-08',
      to: '2026-03-08',
    })
  })

  it('one’s own days go from the day one joined, and until today', () => {
    expect(daysOf('custom', { to: '2025-01-01' }, wednesday)).toEqual({
      from: '2024-05-03',
      to: '2025-01-01',
    })
    expect(daysOf('custom', { from: '2025-01-01' }, wednesday)).toEqual({
      from: '2025-01-01',
      to: '2026-03-04',
    })
  })
})

it('at least one day is needed, and the first before the last', () => {
  expect(faultOf({})).toBe('missing')
  expect(faultOf({ from: '', to: '' })).toBe('missing')
  expect(faultOf({ from: '2026-01-02', to: '2026-01-01' })).toBe('reversed')
  expect(faultOf({ from: '2026-01-01', to: '2026-01-01' })).toBeNull()
  expect(dayOf(new Date(989, 0, 2))).toBe('0989-01-02')
})
