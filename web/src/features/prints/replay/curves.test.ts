import { expect, test } from 'vitest'
import { gaugeAt, highest, pathOf } from './curves.ts'

const line = { t: [0, 10, 20], gauge: [0, 50, 100] }

test('a curve is drawn over the whole print, and told at each moment of it', () => {
  expect(pathOf(line, 20)).toBe('M0.0 100.0L500.0 50.0L1000.0 0.0')
  expect(pathOf({ t: [-3], gauge: [7] }, 0)).toBe('M0.0 93.0')
  expect(pathOf({ t: [], gauge: [] }, 20)).toBe('')
  expect([-1, 0, 9.9, 10, 60, 500].map((at) => gaugeAt(line, at))).toEqual([null, 0, 0, 50, 100, null])
  expect([highest(line), highest({ t: [], gauge: [] })]).toEqual([100, null])
})

test('nothing is drawn or told of a time in which nobody looked', () => {
  const gap = { t: [0, 10, 20, 90, 100], gauge: [0, 0, 0, 50, 50] }
  expect(pathOf(gap, 100)).toBe('M0.0 100.0L100.0 100.0L200.0 100.0M900.0 50.0L1000.0 50.0')
  expect([60, 75, 95].map((at) => gaugeAt(gap, at))).toEqual([0, null, 50])
  // Points that stand for many looks each.
  const long = { t: [0, 100, 200, 700], gauge: [0, 0, 0, 50] }
  expect(pathOf(long, 1000)).toBe('M0.0 100.0L100.0 100.0L200.0 100.0M700.0 50.0')
})
