import { expect, test } from 'vitest'
import { fullAt, LOOK_BACK_MS, type Sample, withSample } from './forecast.rules.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const GB = 1e9

/** Looks every hour, of a disk that loses so much a day, with some noise as files come and go. */
function seen(days: number, freeAtFirst: number, perDay: number): Sample[] {
  let samples: Sample[] = []
  for (let at = 0; at <= days * DAY; at += HOUR)
    samples = withSample(samples, {
      at,
      free: freeAtFirst - (perDay * at) / DAY + (at % (3 * HOUR) === 0 ? 0.01 * GB : 0),
    })
  return samples
}

test('a disk that loses 2 GB a day is full when its room is used up', () => {
  const days = (fullAt(seen(10, 60 * GB, 2 * GB), GB) ?? Number.NaN) / DAY
  expect(days).toBeCloseTo(10 + 39 / 2, 0)
})

test('nobody says a day for one that does not fill, fills in years, or was seen for less than a day', () => {
  expect(fullAt(seen(10, 60 * GB, 0), GB)).toBeNull()
  expect(fullAt(seen(10, 60 * GB, -GB), GB)).toBeNull()
  expect(fullAt(seen(10, 600 * GB, 0.1 * GB), GB)).toBeNull()
  expect(fullAt(seen(0.9, 60 * GB, 2 * GB), GB)).toBeNull()
  expect(fullAt([], GB)).toBeNull()
})

test('one that is full already is full now', () => {
  const samples = seen(2, 5 * GB, 2 * GB)
  expect(fullAt(samples, 2 * GB)).toBe(samples.at(-1)?.at)
})

test('what is two weeks old is forgotten, also what a clock that was set back has left in the future', () => {
  const samples = seen(40, 900 * GB, GB)
  expect((samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0)).toBeLessThan(LOOK_BACK_MS)
  expect(withSample(samples, { at: 30 * DAY, free: GB }).at(-1)?.at).toBe(30 * DAY)
})
