import { describe, expect, it } from 'vitest'
import {
  type ClassicState,
  decide,
  failing,
  frameScore,
  newClassicState,
  normalizedP,
  resetForPrint,
  update,
} from './classic.rules.ts'

const times = (count: number, p: number) => Array.from({ length: count }, () => p)
const rising = [...times(60, 0.05), ...times(30, 1.2)]

/** frame, p, ewm, short, long, normalized, alert, pause: a row of docs/rules/watch.md 3. */
type Row = readonly [number, number, number, number, number, number, boolean, boolean]

interface Case {
  name: string
  start?: ClassicState
  inputs: number[]
  sensitivity?: number
  bendingFactor?: number
  rows: Row[]
}

const matured = resetForPrint(times(7200, 0).reduce((state, p) => update(state, p), newClassicState()))

const cases: Case[] = [
  {
    name: '60 x 0.05 then 30 x 1.2',
    inputs: rising,
    rows: [
      [1, 0.05, 0.007692, 0.025, 0.025, 0, false, false],
      [30, 0.05, 0.049667, 0.048387, 0.048387, 0.001123, false, false],
      [61, 1.2, 0.226921, 0.067742, 0.067742, 0.139631, false, false],
      [62, 1.2, 0.376626, 0.085714, 0.085714, 0.255185, false, false],
      [63, 1.2, 0.503299, 0.103125, 0.103125, 0.356928, true, false],
      [66, 1.2, 0.77792, 0.152239, 0.152239, 0.62068, true, false],
      [67, 1.2, 0.842855, 0.167647, 0.167647, 0.676901, true, true],
      [90, 1.2, 1.192341, 0.428571, 0.428571, 0.765684, true, true],
    ],
  },
  {
    name: 'the same at sensitivity 0.8',
    inputs: rising,
    sensitivity: 0.8,
    rows: [
      [63, 1.2, 0.503299, 0.103125, 0.103125, 0.280824, false, false],
      [64, 1.2, 0.610483, 0.12, 0.12, 0.347821, true, false],
      [90, 1.2, 1.192341, 0.428571, 0.428571, 0.603527, true, false],
    ],
  },
  {
    name: 'the same at sensitivity 1.2',
    inputs: rising,
    sensitivity: 1.2,
    rows: [[65, 1.2, 0.701178, 0.136364, 0.136364, 0.679476, true, true]],
  },
  {
    name: 'the same, bent by 0.5',
    inputs: rising,
    bendingFactor: 0.5,
    rows: [
      [66, 0.6, 0.38896, 0.076119, 0.076119, 0.274422, false, false],
      [70, 0.6, 0.491816, 0.105634, 0.105634, 0.340564, true, false],
    ],
  },
  {
    name: 'a mature printer, 40 x 0 then 30 x 0.6',
    start: matured,
    inputs: [...times(40, 0), ...times(30, 0.6)],
    rows: [
      [46, 0.6, 0.379785, 0.076596, 0.0005, 0.332706, false, false],
      [47, 0.6, 0.413664, 0.0875, 0.000583, 0.372025, true, false],
      [70, 0.6, 0.596004, 0.253521, 0.002495, 0.253636, false, false],
    ],
  },
  {
    name: 'a mature printer, 40 x 0 then 30 x 1.6',
    start: matured,
    inputs: [...times(40, 0), ...times(30, 1.6)],
    rows: [[50, 1.6, 1.298968, 0.313725, 0.002221, 0.627776, true, false]],
  },
]

describe('the vectors of docs/rules/watch.md 3', () => {
  for (const { name, start, inputs, sensitivity = 1, bendingFactor, rows } of cases) {
    const states: ClassicState[] = []
    inputs.reduce((state, p) => {
      const next = update(state, p, { bendingFactor })
      states.push(next)
      return next
    }, start ?? newClassicState())
    it.each(rows)(`${name}: frame %i`, (frame, p, ewm, short, long, normalized, alert, pause) => {
      const state = states[frame - 1]!
      expect(state.currentFrameNum).toBe(frame)
      const found = [state.currentP, state.ewmMean, state.rollingMeanShort, state.rollingMeanLong]
      expect([...found, normalizedP(state, sensitivity)].map((value) => value.toFixed(6))).toEqual(
        [p, ewm, short, long, normalized].map((value) => value.toFixed(6)),
      )
      expect(failing(state, sensitivity, 1)).toBe(alert)
      expect(failing(state, sensitivity, 1.75)).toBe(pause)
      expect(decide(state, sensitivity)).toEqual({ shouldPause: pause, shouldAlert: alert && !pause })
    })
  }
})

describe('the score of a frame', () => {
  it('is the sum of the confidences', () => {
    expect(frameScore([0.6, 0.6, 0.6])).toBeCloseTo(1.8)
    expect(frameScore([])).toBe(0)
  })
  it('keeps the strongest and bends each', () => {
    expect(frameScore([0.1, 0.5, 0.3], { maxDetNum: 2, bendingFactor: 0.5 })).toBeCloseTo(0.4)
  })
})

describe('a new print', () => {
  it('forgets the print and keeps the printer', () => {
    const before = update(update(newClassicState(), 0.5), 0.7)
    expect(resetForPrint(before)).toEqual({
      ...newClassicState(),
      lifetimeFrameNum: 2,
      rollingMeanLong: before.rollingMeanLong,
    })
  })
  it('decides nothing in its first 29 frames', () => {
    const state = times(29, 5).reduce((now, p) => update(now, p), matured)
    expect(decide(state, 1)).toEqual({ shouldAlert: false, shouldPause: false })
  })
  it('detects nothing from layer 1 on a new printer: the known weakness that steady.rules mends', () => {
    let state = newClassicState()
    for (let i = 0; i < 400; i++) {
      state = update(state, 1)
      expect(decide(state, 1)).toEqual({ shouldAlert: false, shouldPause: false })
    }
  })
})
