import { expect, test } from 'vitest'
import { setsToRemove } from './keep.rules.ts'

const nightly = (from: string, nights: number) =>
  Array.from({ length: nights }, (_, n) =>
    new Date(Date.parse(`${from}T03:40:00Z`) + n * 86_400_000).toISOString().slice(0, 16).replace(':', '-'),
  )
const staying = (names: readonly string[], rule: { days: number; weeks: number; months: number }) => {
  const gone = new Set(setsToRemove(names, rule))
  return names.filter((name) => !gone.has(name)).map((name) => name.slice(0, 10))
}

test('the newest of each of so many days, weeks and months stay', () => {
  const names = nightly('2026-05-01', 210)
  expect(staying(names, { days: 3, weeks: 3, months: 4 })).toEqual([
    '2026-08-31',
    '2026-09-30',
    '2026-10-31',
    '2026-11-15',
    '2026-11-22',
    '2026-11-24',
    '2026-11-25',
    '2026-11-26',
  ])
})

test('of several of one day the last stays, and the newest of all whatever the rule', () => {
  const names = ['2026-11-20T01-00', '2026-11-20T01-00-2', '2026-11-20T09-00']
  expect(setsToRemove(names, { days: 7, weeks: 0, months: 0 })).toEqual(names.slice(0, 2))
  expect(setsToRemove(names, { days: 0, weeks: 0, months: 0 })).toEqual(names.slice(0, 2))
  expect(setsToRemove([], { days: 1, weeks: 1, months: 1 })).toEqual([])
})

test('nights without a backup use up nothing', () => {
  const names = ['2026-01-01T03-40', '2026-03-05T03-40', '2026-11-20T03-40']
  expect(setsToRemove(names, { days: 3, weeks: 0, months: 0 })).toEqual([])
})
