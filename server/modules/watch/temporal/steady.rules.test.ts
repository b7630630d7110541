import { describe, expect, it } from 'vitest'
import type { Heat } from './heat-grid.rules.ts'
import { decide, normalizedP, persistence, scoreToP, type SteadyFrame, update } from './steady.rules.ts'
import {
  forgetLearnt,
  forgetView,
  newSteadyState,
  resetForPrint,
  type SteadyState,
} from './steady-state.rules.ts'
import { learnBaseline, learnFailure, resumed } from '../deciding/taught.rules.ts'

const [W, H] = [52, 39]
const STEP = 10_000

/** A map with a hot square of `size` cells at (x, y) over a cool ground. */
function spot(x: number, y: number, size: number, value: number, ground = 8): Heat {
  const values = new Uint8Array(W * H).fill(ground)
  for (let dy = 0; dy < size; dy++) {
    for (let dx = 0; dx < size; dx++) if (y + dy < H && x + dx < W) values[(y + dy) * W + x + dx] = value
  }
  return { width: W, height: H, values }
}

type Look = Omit<SteadyFrame, 'at' | 'usable'> & { usable?: boolean }
const clean = (): Look => ({ score: 0.05, heat: spot(0, 0, 0, 0) })
/** A failure over about 3 % of the frame: 8 x 8 of 52 x 39 cells. */
const failure = (score: number, i = 0): Look => ({
  score,
  heat: spot(20 + (i % 2), 15, 8, Math.min(255, Math.round(score * 260))),
})
const lamp = (score = 0.9): Look => ({ score, heat: spot(40, 4, 6, Math.round(score * 255)) })

interface Told {
  warn: number | null
  pause: number | null
  state: SteadyState
}

/** Plays frames 10 s apart; says after how many frames it warned and paused first. */
function play(start: SteadyState, count: number, look: (i: number) => Look, sensitivity = 1): Told {
  const told: Told = { warn: null, pause: null, state: start }
  const from = start.lastAt ?? 0
  for (let i = 0; i < count; i++) {
    const frame = { usable: true, ...look(i), at: from + (i + 1) * STEP }
    told.state = update(told.state, frame, sensitivity)
    if (!frame.usable) continue
    const { shouldAlert, shouldPause } = decide(told.state, sensitivity)
    if (shouldAlert || shouldPause) told.warn ??= i + 1
    if (shouldPause) told.pause ??= i + 1
  }
  return told
}

const running = () => play(newSteadyState(), 60, clean).state

describe('the score', () => {
  it('is mapped monotonously and clipped', () => {
    expect(scoreToP(0)).toBe(0)
    expect(scoreToP(0.5)).toBe(0)
    expect(scoreToP(0.9)).toBeCloseTo(0.68)
    expect(scoreToP(99)).toBe(1.5)
    expect(scoreToP(NaN)).toBe(0)
  })
})

describe('a failure', () => {
  it('from the first layer of a new printer warns and pauses, which the classic logic misses', () => {
    // The bed is clean while it heats and homes; strands appear with the first lines, 50 s in.
    const told = play(newSteadyState(), 60, (i) => (i < 5 ? clean() : failure(0.95, i)))
    expect(told.warn! - 5).toBeLessThanOrEqual(12)
    expect(told.pause! - 5).toBeLessThanOrEqual(18)
  })
  it('that is there in the very first picture of a new printer still warns', () => {
    expect(play(newSteadyState(), 60, (i) => failure(0.97, i)).warn).not.toBeNull()
  })
  it('that grows from the very first picture pauses', () => {
    const growing = (i: number): Look => ({
      score: 0.97,
      heat: spot(18 - Math.min(10, i >> 1), 15, 6 + Math.min(16, i), 250),
    })
    expect(play(newSteadyState(), 60, growing).pause).not.toBeNull()
  })
  it.each([0.35, 0.575, 0.7, 0.825])(
    'over a thirtieth of the frame at score %f, on a camera that never scored so high, warns within 2 minutes',
    (score) => {
      expect(play(running(), 30, (i) => failure(score, i)).warn).toBeLessThanOrEqual(12)
    },
  )
  it('at a score of 0.575 never pauses, at 0.825 pauses within 3 minutes', () => {
    expect(play(running(), 200, (i) => failure(0.575, i)).pause).toBeNull()
    expect(play(running(), 30, (i) => failure(0.825, i)).pause).toBeLessThanOrEqual(18)
  })
  it('found by a model without a map works too', () => {
    const told = play(running(), 30, () => ({ score: 0.95, heat: null }))
    expect(told.pause).toBeLessThanOrEqual(12)
  })
  it('is told later at low sensitivity, and sooner at high', () => {
    const at = (sensitivity: number) => play(running(), 40, (i) => failure(0.85, i), sensitivity).pause ?? 99
    expect(at(0.8)).toBeGreaterThan(at(1))
    expect(at(1.2)).toBeLessThan(at(1))
  })
  it('is timed by the clock: with half the pictures it is told in about the same time', () => {
    let state = running()
    const from = state.lastAt!
    let warned = 0
    for (let i = 1; i <= 12 && !warned; i++) {
      state = update(state, { usable: true, ...failure(0.9, i), at: from + i * 2 * STEP })
      if (decide(state, 1).shouldAlert) warned = i * 20
    }
    expect(warned).toBeGreaterThan(0)
    expect(warned).toBeLessThanOrEqual(120)
  })
  it('is told as soon when the clock is set back on the way', () => {
    let state = running()
    const from = state.lastAt!
    let paused = 0
    for (let i = 1; i <= 30 && !paused; i++) {
      const at = from + i * STEP - (i > 3 ? 3_600_000 : 0)
      state = update(state, { usable: true, ...failure(0.85, i), at })
      if (decide(state, 1).shouldPause) paused = i
    }
    expect(paused).toBe(play(running(), 40, (i) => failure(0.85, i)).pause)
  })
  it('is told at one picture a minute as well', () => {
    let state = running()
    const from = state.lastAt!
    let paused = 0
    for (let i = 1; i <= 15 && !paused; i++) {
      state = update(state, { usable: true, ...failure(0.95, i), at: from + i * 60_000 })
      if (decide(state, 1).shouldPause) paused = i
    }
    expect(paused).toBeGreaterThan(0)
  })
  it('that wanders over the bed warns but does not pause', () => {
    const wandering = (i: number): Look => ({ score: 0.95, heat: spot((i * 17) % 45, (i * 11) % 33, 5, 245) })
    const told = play(running(), 60, wandering)
    expect(told.warn).not.toBeNull()
    expect(told.pause).toBeNull()
  })
})

describe('what is no failure', () => {
  it('a single wild frame says nothing, even after a gap', () => {
    const told = play(running(), 30, (i) => (i === 3 ? failure(1) : clean()))
    expect([told.warn, told.pause]).toEqual([null, null])
    const late = running()
    const after = update(late, { usable: true, ...failure(1), at: late.lastAt! + 3_600_000 })
    expect(decide(after, 1)).toEqual({ shouldAlert: false, shouldPause: false })
  })
  it('a fixed bright object from the start never pauses', () => {
    const flicker = (i: number) => lamp(0.85 + 0.1 * Math.sin(i))
    expect(play(newSteadyState(), 3000, flicker).pause).toBeNull()
  })
  it('a moderately hot fixed object does not even warn', () => {
    expect(play(newSteadyState(), 3000, () => lamp(0.7)).warn).toBeNull()
  })
  it('a failure beside a fixed bright object is still found', () => {
    const base = play(newSteadyState(), 100, () => lamp(0.7)).state
    const both = (i: number): Look => {
      const heat = lamp(0.7).heat!
      const values = heat.values.map((value, k) => Math.max(value, failure(0.95, i).heat!.values[k]!))
      return { score: 0.96, heat: { ...heat, values } }
    }
    const told = play(base, 40, both)
    expect(told.warn).toBeLessThanOrEqual(12)
    expect(told.pause).toBeLessThanOrEqual(20)
  })
  it('the first minute decides nothing', () => {
    const told = play(newSteadyState(), 6, () => failure(1))
    expect([told.warn, told.pause]).toEqual([null, null])
  })
})

describe('what is learnt', () => {
  it('nothing from unusable pictures', () => {
    const before = running()
    const after = play(before, 50, () => ({ ...failure(1), usable: false })).state
    expect(after).toEqual(before)
  })
  it('nothing but decay while paused', () => {
    const hot = play(running(), 12, (i) => failure(0.95, i)).state
    expect(decide(hot, 1).shouldPause).toBe(true)
    const rested = play(hot, 60, () => ({ ...failure(0.95), paused: true })).state
    expect(rested.ewm).toBeCloseTo(rested.long, 2)
    expect(rested.baseline).toBe(hot.baseline)
    expect(persistence(rested)).toBe(0)
  })
  it('a fixed object in hours of printing, so that later prints are calm', () => {
    const first = play(newSteadyState(), 6 * 360, () => lamp(0.7)).state
    const second = play(resetForPrint(first), 60, () => lamp(0.7))
    expect(second.state.p).toBe(0)
  })
  it('not a failure that is being told', () => {
    const told = play(running(), 360, (i) => failure(0.95, i))
    expect(told.state.baseline).toBe(play(told.state, 20, (i) => failure(0.95, i)).state.baseline)
  })
})

describe('after the owner spoke', () => {
  it('a resume does not pause again at once, but a lasting failure does later', () => {
    const hot = play(running(), 20, (i) => failure(0.95, i)).state
    const again = play(resumed(hot, hot.lastAt!), 60, (i) => failure(0.95, i))
    expect(again.pause).toBeGreaterThanOrEqual(18)
  })
  it('"Not a failure?" silences that spot, and no other', () => {
    const hot = play(running(), 20, (i) => failure(0.95, i)).state
    const taught = learnBaseline(hot)
    const same = play(taught, 360, (i) => failure(0.95, i))
    expect([same.warn, same.pause]).toEqual([null, null])
    const elsewhere = play(taught, 30, () => ({ score: 0.95, heat: spot(2, 28, 8, 250) }))
    expect(elsewhere.pause).not.toBeNull()
  })
  it.each([0, 1, 6])(
    '"Not a failure?" %i minutes late, with the sight gone by then, silences it too',
    (minutes) => {
      const told = play(running(), 12, (i) => failure(0.95, i))
      expect(told.warn).not.toBeNull()
      const answered = learnBaseline(play(told.state, minutes * 6, clean).state)
      const again = play(play(answered, 12, clean).state, 180, (i) => failure(0.95, i))
      expect([again.warn, again.pause]).toEqual([null, null])
    },
  )
  it.each([1, 2, 3])('a sight in each frame of %i is told once, however soon it is answered', (every) => {
    const blinking = (i: number) => (i % every === 0 ? failure(0.95, i) : clean())
    const { warn } = play(running(), 60, blinking)
    for (const later of [0, 3, 6]) {
      const answered = learnBaseline(play(running(), warn! + later, blinking).state)
      expect(play(answered, 180, (i) => blinking(i + later)).warn).toBeNull()
    }
  })
  it('what begins two minutes after a sight was told, and is gone at the answer, is not part of it', () => {
    const told = play(running(), 12, (i) => failure(0.95, i)).state
    const other = (): Look => ({ score: 0.95, heat: spot(2, 28, 8, 250) })
    const both = play(play(told, 12, (i) => failure(0.95, i)).state, 20, other).state
    const answered = learnBaseline(play(both, 60, clean).state)
    expect(play(answered, 60, (i) => failure(0.95, i)).warn).toBeNull()
    expect(play(answered, 60, other).warn).not.toBeNull()
  })
  it('a dismissed spot that is cold when the next print begins counts again', () => {
    const hot = play(running(), 20, (i) => failure(0.95, i)).state
    const next = play(resetForPrint(learnBaseline(hot)), 30, clean).state
    expect(play(next, 30, (i) => failure(0.95, i)).pause).not.toBeNull()
  })
})

describe('what the owner has taught', () => {
  const hot = () => play(running(), 20, (i) => failure(0.95, i)).state

  it('is counted, with when it was said last, and stays over prints', () => {
    expect(newSteadyState().taught).toEqual({ sound: 0, soundAt: null, failures: 0 })
    const twice = learnBaseline(learnBaseline(hot(), 5), 9)
    expect(resetForPrint(learnFailure(twice)).taught).toEqual({ sound: 2, soundAt: 9, failures: 1 })
  })
  it('takes off what it was said of, and the state says by how much', () => {
    expect(hot().takenOff).toBeLessThan(0.5)
    const after = play(learnBaseline(hot()), 3, (i) => failure(0.95, i)).state
    expect(after.takenOff).toBeGreaterThan(3)
  })
  it('of the same sight there is no second alarm in the next print, in which it is there from the beginning', () => {
    const next = play(resetForPrint(learnBaseline(hot())), 360, (i) => failure(0.95, i))
    expect([next.warn, next.pause]).toEqual([null, null])
  })
  it('a confirmed failure is never taken for normal, also where it was once said to be none', () => {
    const wrongly = play(learnBaseline(hot()), 20, (i) => failure(0.95, i)).state
    const right = play(resetForPrint(learnFailure(wrongly)), 30, clean).state
    expect(play(right, 30, (i) => failure(0.95, i)).pause).not.toBeNull()
  })
  it('is forgotten when asked for, in the middle of a print too, and then warns of the same again', () => {
    const taught = play(learnBaseline(hot()), 30, (i) => failure(0.95, i)).state
    expect(play(taught, 30, (i) => failure(0.95, i)).warn).toBeNull()
    const anew = forgetLearnt(taught)
    expect(anew.taught).toEqual({ sound: 0, soundAt: null, failures: 0 })
    expect(play(anew, 30, (i) => failure(0.95, i)).warn).not.toBeNull()
  })
  it('nothing of it makes a sound print look failing', () => {
    for (const state of [learnFailure(hot()), forgetLearnt(running())])
      expect(play(resetForPrint(state), 200, clean)).toMatchObject({ warn: null, pause: null })
  })
})

describe('the state', () => {
  it('survives JSON, is small, and ignores frames from the past', () => {
    const state = play(running(), 12, (i) => failure(0.8, i)).state
    expect(JSON.parse(JSON.stringify(state))).toEqual(state)
    expect(JSON.stringify(state).length).toBeLessThan(4096)
    expect(update(state, { usable: true, ...failure(1), at: state.lastAt! - 5 })).toBe(state)
  })
  it('keeps the gauge between 0 and 1, at 2/3 while a pause is not justified', () => {
    const calm = running()
    expect(normalizedP(calm, 1)).toBeLessThan(0.05)
    const wandering = (i: number): Look => ({ score: 0.99, heat: spot((i * 17) % 45, (i * 11) % 33, 5, 250) })
    expect(normalizedP(play(calm, 40, wandering).state, 1)).toBeLessThanOrEqual(2 / 3)
    expect(normalizedP(play(calm, 20, (i) => failure(1, i)).state, 1)).toBeGreaterThan(2 / 3)
  })
})

describe('a camera that was moved', () => {
  it('forgets what it knew of its view, so that a failure in an old place warns', () => {
    const dismissed = learnBaseline(play(running(), 12, (i) => failure(0.95, i)).state)
    expect(play(dismissed, 20, (i) => failure(0.95, i)).warn).toBeNull()
    expect(play(forgetView(dismissed), 20, (i) => failure(0.95, i)).warn).not.toBeNull()
  })
})
