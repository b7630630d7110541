import { StatusReading } from '@vigil/contract/core/status.ts'
import { describe, expect, it } from 'vitest'
import { type Heater, heatersOf, trackHeaters } from './heaters.rules.ts'

const heater = (actual: number, target: number, name = 'bed'): Heater => ({ name, actual, target, offset: 0 })
const track = (before: Record<string, { target: number; reached: boolean }>, ...heaters: Heater[]) => {
  const { changes, fired } = trackHeaters(new Map(Object.entries(before)), heaters, 1)
  return { changes: Object.fromEntries(changes), fired: fired.map(({ name, what }) => `${name} ${what}`) }
}

const read = (temperatures: unknown) => heatersOf(new StatusReading({ temperatures }))

it('reads heaters and leaves sensors and nonsense out', () => {
  expect(
    read({
      tool0: { actual: 20, target: 0, offset: 1 },
      mcu: { actual: 40, target: null },
      chamber: { actual: null, target: null },
      odd: 'x',
      none: null,
    }),
  ).toEqual([{ name: 'tool0', actual: 20, target: 0, offset: 1 }])
  expect(read(undefined)).toEqual([])
  expect(read('x')).toEqual([])
})

describe('a tracker (docs/rules/prints.md 5)', () => {
  it('begins with the first target, and fires when it is there already', () => {
    expect(track({}, heater(20, 60))).toEqual({ changes: { bed: { target: 60, reached: false } }, fired: [] })
    expect(track({}, heater(60.5, 60))).toEqual({
      changes: { bed: { target: 60, reached: true } },
      fired: ['bed reached'],
    })
  })

  it('writes nothing while it heats, fires once, then is silent', () => {
    const heating = { bed: { target: 60, reached: false } }
    expect(track(heating, heater(40, 60))).toEqual({ changes: {}, fired: [] })
    expect(track(heating, heater(59.5, 60))).toEqual({
      changes: { bed: { target: 60, reached: true } },
      fired: ['bed reached'],
    })
    expect(track({ bed: { target: 60, reached: true } }, heater(60, 60))).toEqual({ changes: {}, fired: [] })
  })

  it('follows a new target, and tells when it is cold', () => {
    const hot = { bed: { target: 60, reached: true } }
    expect(track(hot, heater(60, 0))).toEqual({ changes: { bed: { target: 0, reached: false } }, fired: [] })
    expect(track({ bed: { target: 0, reached: false } }, heater(35, 0))).toEqual({
      changes: { bed: { target: 0, reached: true } },
      fired: ['bed cooled'],
    })
  })

  it('is forgotten with its heater', () => {
    expect(track({ bed: { target: 60, reached: true } }, heater(20, 60, 'tool0')).changes).toEqual({
      bed: null,
      tool0: { target: 60, reached: false },
    })
  })
})
