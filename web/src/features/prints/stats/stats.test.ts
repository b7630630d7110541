import { describe, expect, it, test } from 'vitest'
import { groupingOf, labelled, namesOf, ticksOf } from './grouping.ts'
import { overridesIn, statsQueryOf } from './query.ts'
import { filamentScale, timeScale, written } from './units.ts'

test.each([
  ['2026-01-01', '2026-01-31', 'day'],
  ['2026-01-01', '2026-02-01', 'week'],
  ['2026-01-01', '2026-04-05', 'week'],
  ['2026-01-01', '2026-04-06', 'month'],
  ['2024-01-01', '2024-12-31', 'month'],
  ['2024-01-01', '2025-01-01', 'year'],
])('%s to %s are grouped by %s', (from, to, grouping) => {
  expect(groupingOf('auto', from, to)).toBe(grouping)
  expect(groupingOf('WEEK', from, to)).toBe('WEEK')
})

it('groups are called by their date as it is written, whatever the zone of the browser', () => {
  const keys = ['2026-03-28T00:00:00+13:00', '2026-03-29T00:00:00+13:00']
  expect(namesOf(keys, 'day', '2026-03-29', 'en')).toEqual([
    { short: 'Mar 28', long: 'Sat, Mar 28, 2026' },
    { short: 'Mar 29', long: 'Sun, Mar 29, 2026' },
  ])
  expect(namesOf(keys, 'week', '2026-04-01', 'en').map(({ long }) => long.replaceAll(/\s/g, ' '))).toEqual([
    'Mar 28, 2026',
    'Mar 29 – Apr 1, 2026',
  ])
  expect(namesOf(keys.slice(0, 1), 'month', '2026-03-29', 'zh')[0]?.long).toBe('2026年3月')
})

describe('an axis', () => {
  it.each([
    [0, true, [0]],
    [1, true, [0, 1]],
    [3, true, [0, 1, 2, 3]],
    [5, true, [0, 2, 4, 6]],
    [9, true, [0, 5, 10]],
    [100, true, [0, 25, 50, 75, 100]],
    [0.3, false, [0, 0.1, 0.2, 0.3]],
    [24, false, [0, 10, 20, 30]],
    [7.2, false, [0, 2, 4, 6, 8]],
  ])('up to %s has five marks at most', (most, isWhole, marks) => {
    expect(ticksOf(most, isWhole)).toEqual(marks)
  })

  it('reaches what it shows', () => {
    for (let most = 0.001; most < 1e9; most *= 1.37)
      for (const isWhole of [true, false]) {
        const marks = ticksOf(most, isWhole)
        expect(marks.length).toBeLessThanOrEqual(5)
        expect(marks.at(-1)).toBeGreaterThanOrEqual(most * (1 - 1e-9))
      }
    for (const count of [0, 1, 5, 6, 31, 4_000]) expect(labelled(count).length).toBeLessThanOrEqual(5)
  })
})

it('units grow with what they measure', () => {
  expect(timeScale(24 * 3600).unit).toBe('h')
  expect(timeScale(24 * 3600 + 1).unit).toBe('d')
  expect(timeScale(8760 * 3600).unit).toBe('d')
  expect(timeScale(8760 * 3600 + 1).unit).toBe('y')
  expect(filamentScale(999_999).unit).toBe('m')
  expect(filamentScale(1_000_000).unit).toBe('km')
  expect(written(5400, timeScale(5400))).toBe('1.5')
})

describe('what is asked for', () => {
  const known = { now: new Date(2026, 2, 4), joined: new Date(2026, 1, 3) }
  const zone = { timezone: 'Asia/Kolkata' }

  it('is all since the account began, deleted prints too', () => {
    expect(statsQueryOf(zone, 'auto', {}, known)).toEqual({
      timezone: 'Asia/Kolkata',
      from_date: '2026-02-03',
      to_date: '2026-03-04',
      group_by: 'day',
      with_deleted: 'true',
    })
  })

  it('is what the filters say, and before them the address, but for what hides the header', () => {
    const asked = {
      ...zone,
      filter: 'finished',
      filter_by_printer_ids: [3],
      from_date: '2026-01-01',
      to_date: '2026-03-04',
    }
    const address =
      '?hide_header=true&hide_navbar=true&from_date=2025-01-01&filter_by_printer_ids[]=7&filter_by_printer_ids[]=8&x=1'
    expect(statsQueryOf(asked, 'auto', overridesIn(address), known)).toEqual({
      timezone: 'Asia/Kolkata',
      from_date: '2025-01-01',
      to_date: '2026-03-04',
      filter: 'finished',
      filter_by_printer_ids: ['7', '8'],
      group_by: 'year',
      with_deleted: 'true',
      x: '1',
    })
    expect(overridesIn('?hide_header=true')).toEqual({})
  })
})
