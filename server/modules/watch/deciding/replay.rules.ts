/** Replays the recorded scores of a print through both temporal logics, to measure them (docs/detector.md). Pure. */
import type { Decision } from '../temporal/decision.rules.ts'
import * as classic from '../temporal/classic.rules.ts'
import type { Heat } from '../temporal/heat-grid.rules.ts'
import { newSteadyState, type SteadyState } from '../temporal/steady-state.rules.ts'
import * as steady from '../temporal/steady.rules.ts'

/** One recorded frame. */
export interface RecordedFrame {
  /** The model's score, 0..1, unrounded: small scores count too. */
  score: number
  heat: Heat | null
  /** Epoch milliseconds; without it frames are `seconds` apart. */
  at?: number
  /** The picture was dark, frozen, moved ...: the steady logic learns and decides nothing. */
  blind?: boolean
}

/** A print whose frames were scored. */
export interface RecordedPrint {
  frames: readonly RecordedFrame[]
  /** Index of the first failing frame, null for a sound print. */
  onset: number | null
  /** Seconds between two frames, 10 unless said. */
  seconds?: number
}

/** Indices of the frames at which each thing was first decided; a pause is a warning too. */
export interface First {
  warn: number | null
  pause: number | null
}

/** What both logics say of a print at a sensitivity; `camera` is what the printer remembered before it. */
export function replay(
  { frames, seconds = 10 }: RecordedPrint,
  { sensitivity = 1, camera = newSteadyState() }: { sensitivity?: number; camera?: SteadyState } = {},
): { classic: First; steady: First; state: SteadyState } {
  const told = { classic: nothingYet(), steady: nothingYet() }
  let old = classic.newClassicState()
  let state = camera
  const from = camera.lastAt ?? 0
  frames.forEach(({ score, heat, at, blind = false }, n) => {
    old = classic.update(old, score)
    note(told.classic, n, classic.decide(old, sensitivity))
    const time = at ?? from + (n + 1) * seconds * 1000
    state = steady.update(state, { at: time, score, heat, usable: !blind }, sensitivity)
    if (!blind) note(told.steady, n, steady.decide(state, sensitivity))
  })
  return { ...told, state }
}

const nothingYet = (): First => ({ warn: null, pause: null })

function note(first: First, n: number, { shouldAlert, shouldPause }: Decision): void {
  if (shouldAlert || shouldPause) first.warn ??= n
  if (shouldPause) first.pause ??= n
}

/** How a logic did over many prints. */
export interface Tally {
  prints: number
  failing: number
  /** Hours of the prints before or without a failure. */
  soundHours: number
  warn: Outcomes
  pause: Outcomes
}

interface Outcomes {
  /** Failing prints told at or after the onset, not told at all, and told only before it. */
  caught: number
  missed: number
  /** Prints told before the onset, or without a failure. */
  falsely: number
  falsePerHour: number
  /** Seconds from the onset, of those caught: median and 90 %. */
  delay: readonly [number, number] | null
}

/** Sums up what one logic said of prints. */
export function tally(told: readonly { print: RecordedPrint; first: First }[]): Tally {
  const stepOf = ({ seconds = 10 }: RecordedPrint) => seconds
  const soundHours = told.reduce(
    (sum, { print }) => sum + ((print.onset ?? print.frames.length) * stepOf(print)) / 3600,
    0,
  )
  const outcomes = (kind: keyof First): Outcomes => {
    const isFalse = ({ print, first }: (typeof told)[number]) =>
      first[kind] !== null && (print.onset === null || first[kind] < print.onset)
    const failing = told.filter(({ print }) => print.onset !== null)
    const caught = failing.filter((one) => one.first[kind] !== null && !isFalse(one))
    const delays = caught
      .map(({ print, first }) => (Number(first[kind]) - Number(print.onset)) * stepOf(print))
      .sort((a, b) => a - b)
    const falsely = told.filter(isFalse).length
    return {
      caught: caught.length,
      missed: failing.filter(({ first }) => first[kind] === null).length,
      falsely,
      falsePerHour: falsely / soundHours,
      delay: delays.length === 0 ? null : [quantile(delays, 0.5), quantile(delays, 0.9)],
    }
  }
  return {
    prints: told.length,
    failing: told.filter(({ print }) => print.onset !== null).length,
    soundHours,
    warn: outcomes('warn'),
    pause: outcomes('pause'),
  }
}

const quantile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!
