import type { Print } from '@vigil/contract/prints/prints.ts'
import { expect, it } from 'vitest'
import { entriesOf, linesOf, monthOf } from './listing.ts'

const print = (id: number, started_at: string | null, more: object = {}) =>
  ({ id, started_at, ended_at: started_at, uploaded_at: null, ...more }) as Print

it('running prints are not shown, and keep their place in the server’s list', () => {
  const rows = [
    print(9, '2026-03-05', { ended_at: null }),
    print(8, '2026-03-04'),
    print(7, null, { uploaded_at: 'x' }),
  ]
  expect(entriesOf(rows).map(({ print: { id }, index }) => [id, index])).toEqual([
    [8, 1],
    [7, 2],
  ])
})

it('prints stand under the month in which they began, in rows of so many', () => {
  const rows = [
    print(5, '2026-03-05T12:00:00Z'),
    print(4, '2026-03-04T12:00:00Z'),
    print(3, '2026-03-03T12:00:00Z'),
    print(2, '2026-02-03T12:00:00Z'),
  ]
  const lines = linesOf(entriesOf(rows), 2).map((line) =>
    'month' in line ? line.month : line.entries.map((entry) => entry.print.id),
  )
  expect(lines).toEqual(['2026-03', [5, 4], [3], '2026-02', [2]])
  expect(monthOf(print(1, null, { ended_at: null }))).toBe('')
})
