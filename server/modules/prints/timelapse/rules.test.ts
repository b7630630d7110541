import { describe, expect, test } from 'vitest'
import { chooseFrames, filmSize, isLongEnough, picturesPerSecond } from '../films/choose.rules.ts'
import { monthsAfter, monthsBefore } from '../retention/retention.rules.ts'
import { chooseShots } from '../films/shots.service.ts'
import { turnOf } from './turn.rules.ts'

const alertsAt = (count: number, isAlert: (place: number) => boolean) =>
  Array.from({ length: count }, (_, place) => isAlert(place))
const seconds = (frames: number) => frames / picturesPerSecond(frames)

describe('a film', () => {
  test.each([1, 7, 480, 481, 1_000, 1_800, 1_801, 5_000, 60_000])(
    'of %i frames lasts a minute at most, at eight pictures a second or more',
    (count) => {
      const chosen = chooseFrames(alertsAt(count, () => false))
      expect(chosen).toHaveLength(Math.min(count, 1_800))
      expect([chosen[0], chosen.at(-1)]).toEqual([0, count - 1])
      expect(seconds(chosen.length)).toBeLessThanOrEqual(60)
      expect(picturesPerSecond(chosen.length)).toBeGreaterThanOrEqual(8)
      const steps = chosen.slice(1).map((place, n) => place - chosen[n]!)
      expect(Math.max(1, ...steps) - Math.min(...steps, Math.max(1, ...steps))).toBeLessThanOrEqual(1)
    },
  )

  test.each([
    [5_000, 1],
    [5_000, 700],
    [60_000, 2_500],
    [60_000, 3_300],
  ])('of %i frames leaves out none of its %i of an alert', (count, alerts) => {
    const isAlert = (place: number) => place >= count - alerts - 13 && place < count - 13
    const chosen = chooseFrames(alertsAt(count, isAlert))
    expect(chosen.filter(isAlert)).toHaveLength(alerts)
    expect(chosen).toEqual([...new Set(chosen)].sort((a, b) => a - b))
    expect(chosen.length - alerts).toBeGreaterThanOrEqual(300)
    expect(seconds(chosen.length)).toBeLessThanOrEqual(60)
  })

  test('of more alerts than a minute shows keeps where each begins', () => {
    const isAlert = (place: number) => place % 50 > 5
    const chosen = new Set(chooseFrames(alertsAt(20_000, isAlert)))
    for (let place = 6; place < 20_000; place += 50) expect(chosen.has(place)).toBe(true)
    expect(seconds(chosen.size)).toBeLessThanOrEqual(60)
  })

  test('has the size of most of its pictures, even, turned as the camera hangs', () => {
    const odd = { width: 641, height: 479 }
    const frames = [odd, { width: 1280, height: 720 }, odd]
    expect(filmSize(frames, 0)).toEqual({ width: 642, height: 480 })
    expect(filmSize(frames, 270)).toEqual({ width: 480, height: 642 })
  })

  test('is made of a print that lasted as long as its printer wants', () => {
    const least = { minTimelapseSecsOnFinish: 600, minTimelapseSecsOnCancel: 300 }
    const lasting = (s: number, isCancelled = false) => ({
      startedAt: new Date(0),
      endedAt: new Date(s * 1000),
      isCancelled,
    })
    expect([599, 600].map((s) => isLongEnough(lasting(s), least))).toEqual([false, true])
    expect([299, 300].map((s) => isLongEnough(lasting(s, true), least))).toEqual([false, true])
    expect(isLongEnough(lasting(9_999), { ...least, minTimelapseSecsOnFinish: -1 })).toBe(false)
    expect(isLongEnough({ ...lasting(1), startedAt: null }, least)).toBe(true)
  })
})

test('an owner is asked about seven pictures at most, of the highest scores, two minutes apart, in order', () => {
  const frames = Array.from({ length: 400 }, (_, n) => ({
    at: new Date(n * 10_000),
    p: ((n * 37) % 100) / 100,
  }))
  const shots = chooseShots(frames)
  expect(shots).toHaveLength(7)
  const times = shots.map(({ at }) => at.getTime())
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  for (let n = 1; n < 7; n++) expect(times[n]! - times[n - 1]!).toBeGreaterThanOrEqual(120_000)
  expect(Math.min(...shots.map(({ p }) => p))).toBeGreaterThan(0.9)
  expect(chooseShots(frames.map((frame) => ({ ...frame, p: 0.076 })))).toEqual([])
})

test('months are calendar months; a day that a month lacks is its last', () => {
  const at = (text: string) => new Date(`${text}T10:00:00Z`)
  expect(monthsBefore(at('2026-08-31'), 6)).toEqual(at('2026-02-28'))
  expect(monthsBefore(at('2026-03-15'), 6)).toEqual(at('2025-09-15'))
  expect(monthsAfter(at('2025-12-31'), 2)).toEqual(at('2026-02-28'))
})

test('a camera hangs as its agent says; what is no sensible word for it is straight', () => {
  const straight = { flipH: false, flipV: false, rotation: 0 }
  expect(
    turnOf({ webcams: [{ rotation: 90 }, { is_primary_camera: true, flipV: true, rotation: '270' }] }),
  ).toEqual({
    flipH: false,
    flipV: true,
    rotation: 270,
  })
  for (const settings of [null, {}, { webcams: 7 }, { webcams: [null, 'x', { rotation: 45, flipH: 'yes' }] }])
    expect(turnOf(settings)).toEqual(straight)
})
