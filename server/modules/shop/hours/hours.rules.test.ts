import { describe, expect, it } from 'vitest'
import { inSuite } from '../../../../scripts/suites.ts'
import { periodAt, periodOf, restOf, spend } from './hours.rules.ts'

const at = (text: string) => Date.parse(text)
const day = (anchor: string, number: number, timeZone = 'UTC') =>
  new Date(periodAt({ anchor: at(anchor), timeZone }, number)).toISOString()

describe('the monthly day', () => {
  it.each([
    ['2026-01-15T10:00:00Z', 1, 'UTC', '2026-02-15T10:00:00.000Z'],
    // A month without a 31st has its last day, and the next has its 31st again.
    ['2026-01-31T10:00:00Z', 1, 'UTC', '2026-02-28T10:00:00.000Z'],
    ['2026-01-31T10:00:00Z', 2, 'UTC', '2026-03-31T10:00:00.000Z'],
    ['2026-01-31T10:00:00Z', 3, 'UTC', '2026-04-30T10:00:00.000Z'],
    ['2028-01-30T10:00:00Z', 1, 'UTC', '2028-02-29T10:00:00.000Z'],
    // Of a leap day.
    ['2028-02-29T10:00:00Z', 12, 'UTC', '2029-02-28T10:00:00.000Z'],
    ['2028-02-29T10:00:00Z', 48, 'UTC', '2032-02-29T10:00:00.000Z'],
    ['2026-12-31T23:30:00Z', 2, 'UTC', '2027-02-28T23:30:00.000Z'],
    // The 31st in Auckland, the 30th in UTC; April has none, and clocks there are set before it.
    ['2026-01-30T12:00:00Z', 3, 'Pacific/Auckland', '2026-04-29T13:00:00.000Z'],
    // The same time of day before and after clocks are set, and after one that was skipped.
    ['2026-02-20T08:00:00Z', 2, 'Europe/Berlin', '2026-04-20T07:00:00.000Z'],
    ['2026-02-28T01:30:00Z', 1, 'Europe/Berlin', '2026-03-28T01:30:00.000Z'],
    ['2026-01-29T01:30:00Z', 2, 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ])('%s and %i months in %s: %s', (anchor, number, timeZone, expected) => {
    expect(day(anchor, number, timeZone)).toBe(expected)
  })

  it('lies in the period that is found for it, in every zone and from every day', () => {
    for (const timeZone of [
      'UTC',
      'America/New_York',
      'Asia/Kolkata',
      'Pacific/Auckland',
      'America/St_Johns',
    ])
      for (let i = 0; i < 60; i++) {
        const months = { anchor: at('2026-01-28T23:50:00Z') + i * 3_601_000, timeZone }
        for (const number of [0, 1, 2, 11, 25]) {
          expect(periodOf(months, periodAt(months, number))).toBe(number)
          expect(periodOf(months, periodAt(months, number + 1) - 1)).toBe(number)
        }
      }
  })
})

it.each([
  ['2026-02-15T10:00:00Z', 1],
  ['2026-03-01T10:00:00Z', 0.5],
  ['2026-03-15T09:59:59Z', 1 / (28 * 86_400)],
  ['2026-03-16T00:00:00Z', 0],
])('at %s so much of the month is left: %d', (moment, rest) => {
  expect(restOf({ anchor: at('2026-02-15T10:00:00Z'), timeZone: 'UTC' }, 0, at(moment))).toBe(rest)
})

describe('what is spent', () => {
  it.each([
    [100, { included: 300, earned: 50 }, { included: 100, earned: 0 }],
    [320, { included: 300, earned: 50 }, { included: 300, earned: 20 }],
    // What nobody has is owed, and paid by the next grant.
    [400, { included: 300, earned: 50 }, { included: 350, earned: 50 }],
    [10, { included: -5, earned: 50 }, { included: 0, earned: 10 }],
    [60, { included: -5, earned: 50 }, { included: 10, earned: 50 }],
  ])('%i of %o: %o', (seconds, had, taken) => {
    expect(spend(seconds, had)).toEqual(taken)
  })

  it('is as much as was watched, from what there is first, in any life', () => {
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed % below
    }
    for (let life = 0; life < inSuite(500, 10_000); life++) {
      let had = { included: random(90_000) - 9_000, earned: random(90_000) }
      const before = had.included + had.earned
      let watched = 0
      for (let print = 0; print < 10; print++) {
        const seconds = random(30_000)
        const taken = spend(seconds, had)
        expect(taken.included + taken.earned).toBe(seconds)
        expect(Math.min(taken.included, taken.earned)).toBeGreaterThanOrEqual(0)
        // Nothing earned is spent while there is something included, and nothing is owed while there is something earned.
        if (taken.earned > 0) expect(had.included - taken.included).toBeLessThanOrEqual(0)
        if (had.included - taken.included < Math.min(0, had.included))
          expect(had.earned - taken.earned).toBe(0)
        had = { included: had.included - taken.included, earned: had.earned - taken.earned }
        watched += seconds
      }
      expect(before - had.included - had.earned).toBe(watched)
    }
  })
})
