/** What an owner's answers teach the decision (docs/detector.md). Pure. */
import { acceptWaiting, normalOf, refuseWaiting } from '../temporal/camera.rules.ts'
import { dilate, hotter, packGrid, unpackGrid } from '../temporal/heat-grid.rules.ts'
import { byteOfLevel } from '../temporal/odds.rules.ts'
import { STEADY } from '../temporal/steady-constants.rules.ts'
import type { SteadyState } from '../temporal/steady-state.rules.ts'
import { calmed } from '../temporal/steady.rules.ts'

/** After a resume: the quick means start over and nothing pauses for 3 minutes. `at` in epoch milliseconds. */
export function resumed(state: SteadyState, at: number): SteadyState {
  return { ...calmed(state), graceUntil: at + STEADY.resumeGrace * 1000 }
}

/**
 * After "Not a failure?": what was told, and what is hot now, is taken off from here on, wherever it stays; the means
 * start over. What was told counts although it is gone by now: owners answer late, and the same sight comes back.
 */
export function learnBaseline(state: SteadyState, now = state.lastAt): SteadyState {
  const sight = hotter(unpackGrid(state.recent), unpackGrid(state.told?.grid ?? ''))
  const dismissed = hotter(unpackGrid(state.dismissed), dilate(sight))
  const camera = acceptWaiting(state.camera)
  const taught = { ...state.taught, sound: state.taught.sound + 1, soundAt: now }
  return { ...calmed({ ...state, camera }), told: null, dismissed: packGrid(dismissed), taught }
}

/** After a confirmed failure: what is hot now was never normal here, whatever was learnt or said of these places. */
export function learnFailure(state: SteadyState): SteadyState {
  const hot = dilate(unpackGrid(state.recent))
  const leastHot = byteOfLevel(Math.max(STEADY.leastHotLevel, normalOf(state.camera).level + STEADY.hotRise))
  const cold = (known: string) =>
    packGrid(unpackGrid(known).map((value, i) => ((hot[i] ?? 0) >= leastHot ? 0 : value)))
  const taught = { ...state.taught, failures: state.taught.failures + 1 }
  const { baseline, dismissed } = state
  return {
    ...state,
    camera: refuseWaiting(state.camera),
    told: null,
    baseline: cold(baseline),
    dismissed: cold(dismissed),
    taught,
  }
}
