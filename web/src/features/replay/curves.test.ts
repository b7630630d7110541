import { expect, test } from 'vitest'
import { gaugeAt, highest, pathOf } from './curves.ts'

const line = { t: [0, 10, 20], gauge: [0, 50, 100] }

test('a curve is drawn over the whole print, and told at each moment of it', () => {
  expect(pathOf(line, 20)).toBe('M0.0 100.0L500.0 50.0L1000.0 0.0')
  expect(pathOf({ t: [-3], gauge: [7] }, 0)).toBe('M0.0 93.0')
  expect(pathOf({ t: [], gauge: [] }, 20)).toBe('')
  expect([-1, 0, 9.9, 10, 500].map((at) => gaugeAt(line, at))).toEqual([null, 0, 0, 50, 100])
  expect([highest(line), highest({ t: [], gauge: [] })]).toEqual([100, null])
})
