/**
 * Prints as the shipped model scored them, frame by frame: real webcams (train sequences, which the model has seen) and
 * rendered prints it has not. Numbers only; where they come from is said in docs/detector.md.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { byteOfLevel, levelOfScore, scoreOfLevel } from './odds.rules.ts'
import { type RecordedFrame, type RecordedPrint, replay } from '../deciding/replay.rules.ts'
import {
  forgetView,
  newSteadyState,
  readSteadyState,
  resetForPrint,
  type SteadyState,
} from './steady-state.rules.ts'
import { decide, update } from './steady.rules.ts'

interface Stored {
  id: string
  onset: number | null
  frames: { score: number; grid: string }[]
}

const frameOf = ({ score, grid }: Stored['frames'][number]): RecordedFrame => {
  const odds = new Uint8Array(Buffer.from(grid, 'base64'))
  return { score, heat: { width: 16, height: 12, values: new Uint8Array(odds.length), odds } }
}
const prints = new Map<string, RecordedPrint>(
  readFileSync(new URL('./fixtures/sequences.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Stored)
    .map(({ id, onset, frames }) => [id, { onset, frames: frames.map(frameOf) }]),
)
const print = (id: string) => prints.get(id)!
const sound = [...prints].filter(([, { onset }]) => onset === null).map(([id]) => id)

/** A frame whose log-odds, everywhere and of its score, are raised. */
function raised({ score, heat }: RecordedFrame, by: number): RecordedFrame {
  const odds = heat!.odds!.map((byte) => (byte === 0 ? 0 : Math.min(255, byte + byteOfLevel(by - 12))))
  return { score: scoreOfLevel(levelOfScore(score) + by), heat: { ...heat!, odds } }
}
const late = (n: number | null) => n ?? Infinity

describe('a real failing webcam', () => {
  const { onset } = print('obico-white')
  it('is warned of within a minute of the first strands (3 frames after the part tips over), and paused', () => {
    const { warn, pause } = replay(print('obico-white')).steady
    expect(warn! - (onset! + 3)).toBeLessThanOrEqual(6)
    expect(pause! - (onset! + 3)).toBeLessThanOrEqual(18)
  })
  it('is warned of and paused though it failed two minutes before anybody looked, since it grows', () => {
    const frames = print('obico-white').frames.slice(onset! + 12)
    const { warn, pause } = replay({ frames: frames.map((frame) => raised(frame, 2)), onset: 0 }).steady
    expect(warn).toBe(9)
    expect(late(pause)).toBeLessThanOrEqual(18)
  })
  it('is warned of and paused if it begins within the first layers', () => {
    const { warn, pause } = replay({ frames: print('obico-white').frames.slice(onset! - 3), onset: 3 }).steady
    expect(warn! - 3).toBeLessThanOrEqual(12)
    expect(pause! - 3).toBeLessThanOrEqual(18)
  })
  it('is warned of sooner than by the classic logic', () => {
    const { classic, steady } = replay(print('obico-white'))
    expect(late(steady.warn)).toBeLessThan(late(classic.warn))
  })
  it('is warned of even if every score is so small that none is worth a thing by itself, and not paused', () => {
    const { frames } = print('obico-white')
    const faint = frames.map((frame, n) => (n < onset! ? frame : raised(frame, -4.2)))
    expect(Math.max(...faint.map(({ score }) => score))).toBeLessThan(0.58)
    const { steady } = replay({ frames: faint, onset })
    expect(steady.warn).not.toBeNull()
    expect(steady.pause).toBeNull()
  })
})

describe('rendered failures', () => {
  it.each(['rendered-1034-spaghetti', 'rendered-1028-detached', 'rendered-1174-spaghetti'])(
    '%s is warned of, not before it fails',
    (id) => {
      const { onset } = print(id)
      const { warn } = replay(print(id)).steady
      expect(warn).toBeGreaterThanOrEqual(onset!)
      expect(warn! - onset!).toBeLessThanOrEqual(24)
    },
  )
})

describe('sound prints', () => {
  it.each(sound)('%s says nothing, at any sensitivity', (id) => {
    for (const sensitivity of [0.8, 1, 1.2]) {
      expect(replay(print(id), { sensitivity }).steady).toEqual({ warn: null, pause: null })
    }
  })
  it('one after the other on one printer say nothing', () => {
    let camera: SteadyState = newSteadyState()
    for (const id of sound) {
      const told = replay(print(id), { camera: resetForPrint(camera) })
      expect(told.steady).toEqual({ warn: null, pause: null })
      camera = told.state
    }
  })
  it('a light that is off for two minutes changes nothing, since dark pictures are not looked at', () => {
    const { frames } = print('rendered-1009-dark')
    const blinded = frames.map((frame, n) => ({ ...frame, blind: n >= 45 && n < 57 }))
    expect(replay({ frames: blinded, onset: null }).steady).toEqual({ warn: null, pause: null })
  })
  it('a single wild frame or two say nothing, wherever they come', () => {
    const { frames } = print('rendered-1003-sound')
    for (const at of [10, 30, 60]) {
      const wild = frames.map((frame, n) => (n === at || n === at + 1 ? raised(frame, 9) : frame))
      expect(replay({ frames: wild, onset: null }).steady).toEqual({ warn: null, pause: null })
    }
  })
})

describe('looked at each half minute', () => {
  /** Every third frame of a print from this one on, at its time; where it was first warned of, in frames of the whole. */
  const warnOf = (id: string, phase: number) => {
    const frames = print(id)
      .frames.map((frame, n) => ({ ...frame, at: (n + 1) * 10_000 }))
      .filter((_, n) => n % 3 === phase)
    const { warn } = replay({ frames, onset: null }).steady
    return warn === null ? null : warn * 3 + phase
  }
  it.each(sound)('%s says nothing', (id) => {
    for (const phase of [0, 1, 2]) expect(warnOf(id, phase)).toBeNull()
  })
  it.each([...prints].filter(([, { onset }]) => onset !== null).map(([id]) => id))(
    '%s is warned of, not before it fails and within two minutes of when it would be at 10 s',
    (id) => {
      const at10s = replay(print(id)).steady.warn!
      for (const phase of [0, 1, 2]) {
        expect(warnOf(id, phase)).toBeGreaterThanOrEqual(print(id).onset!)
        expect(late(warnOf(id, phase)) - at10s).toBeLessThanOrEqual(18)
      }
    },
  )
})

describe('what must hold of any print', () => {
  const failing = [
    'obico-white',
    'rendered-1034-spaghetti',
    'rendered-1028-detached',
    'rendered-1174-spaghetti',
  ]
  it.each(failing)('%s: a higher sensitivity never delays', (id) => {
    const [low, mid, high] = [0.8, 1, 1.2].map((sensitivity) => replay(print(id), { sensitivity }).steady)
    for (const kind of ['warn', 'pause'] as const) {
      expect(late(high![kind])).toBeLessThanOrEqual(late(mid![kind]))
      expect(late(mid![kind])).toBeLessThanOrEqual(late(low![kind]))
    }
  })
  // A faint rise that is not yet in doubt is learnt like any frame, so it may cost one.
  it.each(failing)('%s: raising one failing frame delays an alert by one frame at most', (id) => {
    const { frames, onset } = print(id)
    const before = replay(print(id)).steady
    for (let at = onset!; at < Math.min(frames.length, onset! + 12); at += 3) {
      for (const by of [0.5, 3]) {
        const more = frames.map((frame, n) => (n === at ? raised(frame, by) : frame))
        const after = replay({ frames: more, onset }).steady
        expect(late(after.warn)).toBeLessThanOrEqual(late(before.warn) + 1)
        expect(late(after.pause)).toBeLessThanOrEqual(late(before.pause) + 1)
      }
    }
  })
  it.each(failing)('%s: the stronger the failure, the sooner', (id) => {
    const { frames, onset } = print(id)
    const told = [0, 1, 2, 4].map(
      (by) =>
        replay({ frames: frames.map((frame, n) => (n < onset! ? frame : raised(frame, by))), onset }).steady,
    )
    for (let i = 1; i < told.length; i++) {
      expect(late(told[i]!.warn)).toBeLessThanOrEqual(late(told[i - 1]!.warn))
      expect(late(told[i]!.pause)).toBeLessThanOrEqual(late(told[i - 1]!.pause))
    }
  })
  it('a restart in the middle changes nothing: the state is all there is', () => {
    const { frames } = print('obico-white')
    let [kept, restarted] = [newSteadyState(), newSteadyState()]
    for (const [n, frame] of frames.entries()) {
      const look = { ...frame, at: (n + 1) * 10_000, usable: true }
      kept = update(kept, look)
      restarted = update(readSteadyState(JSON.parse(JSON.stringify(restarted))), look)
      expect(decide(restarted, 1)).toEqual(decide(kept, 1))
    }
    expect(JSON.stringify(restarted).length).toBeLessThan(4096)
  })
  it('a failure is never learnt as normal, however long it is left alone', () => {
    const { frames, onset } = print('obico-white')
    const failure = frames.slice(onset! + 10)
    const long = [...frames, ...Array.from({ length: 360 }, (_, n) => failure[n % failure.length]!)]
    const [at, after] = [frames, long].map((all) => replay({ frames: all, onset }).state)
    // The gauge sinks, since the short mean follows it (docs/rules/watch.md 3); the camera's normal does not move.
    expect(after!.ewm).toBeGreaterThan(at!.ewm - 0.3)
    expect(after!.camera.levels).toBe(at!.camera.levels)
    expect(after!.baseline).toBe(at!.baseline)
  })
  it('a camera that was moved begins anew, and a failure in its new view is told', () => {
    const { frames, onset } = print('obico-white')
    const before = replay({ frames: frames.slice(0, onset!), onset: null }).state
    const moved = forgetView(before)
    expect(moved.camera.levels).toBe('')
    const after = replay({ frames: frames.slice(onset! - 12), onset: 12 }, { camera: moved })
    expect(after.steady.warn).not.toBeNull()
  })
})
