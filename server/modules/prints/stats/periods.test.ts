import { describe, expect, it } from 'vitest'
import { periodsOf } from './periods.rules.ts'

const keys = (from: string, to: string, grouping: Parameters<typeof periodsOf>[1], timeZone = 'UTC') =>
  periodsOf({ from, to, timeZone }, grouping, 4_000)?.map(({ key }) => key.replace(/T.*/, ''))

describe('the groups of some days', () => {
  it('begin with the first day, and then with a day, a Sunday, the 1st or 1 January', () => {
    expect(keys('2026-01-26', '2026-01-28', 'day')).toEqual(['2026-01-26', '2026-01-27', '2026-01-28'])
    // A Monday, then Sundays.
    expect(keys('2026-01-26', '2026-02-15', 'week')).toEqual([
      '2026-01-26',
      '2026-02-01',
      '2026-02-08',
      '2026-02-15',
    ])
    // A Sunday has the whole week, a Saturday is alone.
    expect(keys('2026-02-01', '2026-02-08', 'week')).toEqual(['2026-02-01', '2026-02-08'])
    expect(keys('2026-01-31', '2026-02-02', 'week')).toEqual(['2026-01-31', '2026-02-01'])
    expect(keys('2025-12-31', '2026-02-01', 'month')).toEqual(['2025-12-31', '2026-01-01', '2026-02-01'])
    expect(keys('2023-07-01', '2025-01-01', 'year')).toEqual(['2023-07-01', '2024-01-01', '2025-01-01'])
  })

  it('know leap years, and years that others take for those of the last century', () => {
    expect(keys('2024-02-28', '2024-03-01', 'day')).toEqual(['2024-02-28', '2024-02-29', '2024-03-01'])
    expect(keys('2100-02-28', '2100-03-01', 'day')).toEqual(['2100-02-28', '2100-03-01'])
    expect(keys('2024-02-29', '2024-03-31', 'month')).toEqual(['2024-02-29', '2024-03-01'])
    expect(keys('0098-12-31', '0100-01-01', 'year')).toEqual(['0098-12-31', '0099-01-01', '0100-01-01'])
  })

  it('are called by the first day’s offset, whatever the season, and begin when the day does', () => {
    const berlin = { from: '2026-03-28', to: '2026-03-30', timeZone: 'Europe/Berlin' }
    expect(periodsOf(berlin, 'day', 9)).toEqual([
      { key: '2026-03-28T00:00:00+01:00', since: new Date('2026-03-27T23:00:00Z') },
      { key: '2026-03-29T00:00:00+01:00', since: new Date('2026-03-28T23:00:00Z') },
      { key: '2026-03-30T00:00:00+01:00', since: new Date('2026-03-29T22:00:00Z') },
    ])
    const first = (from: string, timeZone: string) =>
      periodsOf({ from, to: from, timeZone }, 'day', 9)?.[0]?.key
    expect(first('2026-01-26', 'America/New_York')).toBe('2026-01-26T00:00:00-05:00')
    expect(first('2026-07-26', 'America/New_York')).toBe('2026-07-26T00:00:00-04:00')
    expect(first('2026-07-26', 'Asia/Kolkata')).toBe('2026-07-26T00:00:00+05:30')
    expect(first('2026-07-26', 'America/St_Johns')).toBe('2026-07-26T00:00:00-02:30')
    expect(first('2026-07-26', 'Asia/Kathmandu')).toBe('2026-07-26T00:00:00+05:45')
    expect(first('2026-07-26', 'UTC')).toBe('2026-07-26T00:00:00+00:00')
    // Midnight does not exist there on that day.
    expect(first('2018-11-04', 'America/Sao_Paulo')).toBe('2018-11-04T00:00:00-02:00')
    // Clocks went by the sun.
    expect(first('1880-01-01', 'America/New_York')).toBe('1880-01-01T00:00:00-04:56:02')
  })

  it('are none where the last day is before the first, and null where they are too many', () => {
    expect(keys('2026-01-02', '2026-01-01', 'day')).toEqual([])
    expect(periodsOf({ from: '2026-01-01', to: '2026-01-03', timeZone: 'UTC' }, 'day', 3)).toHaveLength(3)
    expect(periodsOf({ from: '2026-01-01', to: '2026-01-04', timeZone: 'UTC' }, 'day', 3)).toBeNull()
    expect(keys('0001-01-01', '9999-12-31', 'day')).toBeUndefined()
  })
})
