import { describe, expect, it } from 'vitest'
import type { Heat } from './heat-grid.rules.ts'
import {
  forgetView,
  newSteadyState,
  readSteadyState,
  resetForPrint,
  underModel,
} from './steady-state.rules.ts'
import { decide, update } from './steady.rules.ts'
import { learnBaseline, resumed } from '../deciding/taught.rules.ts'
import { consider, type Look } from '../deciding/temporal.rules.ts'

/** One spot of 16 x 12 is hot. */
const heatOf = (score: number): Heat => ({
  width: 16,
  height: 12,
  values: Uint8Array.from({ length: 192 }, (_, i) => (i > 90 && i < 96 ? Math.round(score * 255) : 0)),
})

/** Ten-second looks of a model that gives this score all the time, stored after each as the database does. */
function watched(score: number, model: string, looks: number, from = newSteadyState(), start = 0) {
  let state = from
  for (let n = 1; n <= looks; n++) {
    const stored = readSteadyState(JSON.parse(JSON.stringify(state)))
    const frame = { at: (start + n) * 10_000, score, heat: heatOf(score), usable: true }
    state = update(underModel(stored, model), frame)
  }
  return state
}

/** A quarter of an hour on a model whose sound frames score 0.3, with a spot the owner says is none, and a resume. */
const learnt = resumed(learnBaseline(watched(0.3, 'a 24 1 0', 90)), 901_000)

describe('what was learnt of a camera', () => {
  it('stays while the same model looks, over prints, restarts and moves, and under 4 kB', () => {
    expect(underModel(learnt, 'a 24 1 0')).toBe(learnt)
    for (const next of [resetForPrint(learnt), forgetView(learnt)]) expect(next.model).toBe('a 24 1 0')
    expect(JSON.stringify(learnt).length).toBeLessThan(4096)
  })
  it('is forgotten when another model looks, once; the grace after a resume stays', () => {
    const swapped = underModel(learnt, 'b 24 1 0')
    const { model, lastAt, graceUntil, ...rest } = swapped
    const { model: _, lastAt: __, graceUntil: ___, ...fresh } = newSteadyState()
    expect(rest).toEqual(fresh)
    expect({ model, lastAt, graceUntil }).toEqual({
      model: 'b 24 1 0',
      lastAt: learnt.lastAt,
      graceUntil: learnt.graceUntil,
    })
    expect(learnt.camera.levels).not.toBe(fresh.camera.levels)
    expect(learnt.dismissed).not.toBe(fresh.dismissed)
    expect(underModel(swapped, 'b 24 1 0')).toBe(swapped)
  })
  it('is forgotten when the same model has its scores on another scale', () => {
    expect(underModel(learnt, 'a 24 1.5 0').camera).toEqual(newSteadyState().camera)
  })
  it('under a model that scored high does not hide a failure from one that scores low', () => {
    const sound = resetForPrint(learnt)
    const told = (from: typeof sound) => {
      let state = watched(0.02, 'b', 20, from, 200)
      for (let n = 1; n <= 30; n++) {
        state = watched(0.35, 'b', 1, state, 220 + n)
        if (decide(state, 1).shouldAlert) return n
      }
      return null
    }
    expect(told(sound)).toEqual(told(newSteadyState()))
    expect(told(sound)).not.toBeNull()
    expect(told({ ...sound, model: 'b' }) ?? Infinity).toBeGreaterThan(told(sound)!)
  })
})

describe('a state of before models were remembered', () => {
  it.each([1, 2])('of version %i is forgotten at once, but for its times, and goes on', (version) => {
    const { model: _, ...old } = learnt
    const state = readSteadyState(JSON.parse(JSON.stringify({ ...old, version })))
    const { lastAt, graceUntil } = learnt
    expect(state).toEqual({ ...newSteadyState(), lastAt, graceUntil })
    const next = watched(0.1, 'a', 2, state, 100)
    expect(next).toMatchObject({ version: 3, model: 'a', frames: 2 })
  })
  it('is new where there is none', () => {
    expect(readSteadyState(null)).toEqual(newSteadyState())
  })
  it.each([
    ['a text', 'steady', newSteadyState()],
    ['a list', [], newSteadyState()],
    ['half of one', { ...learnt, camera: undefined }, undefined],
    ['a level that is no number', { ...learnt, level: null }, undefined],
    ['a later version', { ...learnt, version: 4, levels: {} }, undefined],
    ['no times', { ...learnt, version: 2, lastAt: 'yesterday' }, newSteadyState()],
  ])('that is damaged (%s) is forgotten, not trusted', (_, stored, expected) => {
    const { lastAt, graceUntil } = learnt
    const startsOver = { ...newSteadyState(), lastAt, graceUntil }
    expect(readSteadyState(JSON.parse(JSON.stringify(stored)))).toEqual(expected ?? startsOver)
  })
})

describe('from our model to one of Obico’s shape', () => {
  const look: Look = {
    at: 2_000_000,
    kind: 'obico',
    modelKey: 'c',
    score: 0,
    boxes: [],
    heat: null,
    usable: true,
    moved: false,
  }
  const row = {
    printerId: 1,
    currentFrameNum: 90,
    lifetimeFrameNum: 5000,
    currentP: 0.2,
    ewmMean: 0.2,
    rollingMeanShort: 0.2,
    rollingMeanLong: 0.2,
    normalizedP: 0.1,
    watchMark: null,
    updatedAt: new Date(0),
  }
  it('the means start over, once', () => {
    const how = { sensitivity: 1, bendingFactor: null }
    const first = consider({ ...row, steady: learnt }, look, how).next
    expect(first).toMatchObject({ lifetimeFrameNum: 1, rollingMeanLong: 0, steady: null })
    const second = consider({ ...row, ...first, steady: null }, { ...look, at: 2_010_000 }, how).next
    expect(second.lifetimeFrameNum).toBe(2)
  })
})
