/**
 * What is normal for a camera: how high the level of its sound frames is, and how far they stray upwards. One threshold
 * does not fit every camera (docs/detector.md), so a frame is judged by how far it stands out of these. Pure.
 */
import { z } from 'zod'
import { byteOfLevel, levelOfByte } from './odds.rules.ts'
import { STEADY } from './steady-constants.rules.ts'

/** Level (log-odds) and upward spread, as one standard deviation, of a camera's sound frames. */
const normal = z.object({ level: z.number(), spread: z.number() })
export type Normal = z.infer<typeof normal>

/** What is remembered of the frames of this print, and what was known before it. */
export const cameraMemory = z.object({
  /** From earlier prints; at a new printer what is usual. */
  before: normal,
  /** Levels of the last sound frames of this print, oldest first: a byte each, as base64. */
  levels: z.string(),
  /** The same of the last frames of which it is not yet known whether they were sound. */
  waiting: z.string(),
  /** How many of the frames that wait are in doubt, from the oldest on: they are never learnt. */
  doubtful: z.int(),
})
export type CameraMemory = z.infer<typeof cameraMemory>

const read = (text: string) => Buffer.from(text, 'base64')
const write = (levels: readonly number[] | Uint8Array) => Buffer.from(levels).toString('base64')

/** A camera of which nothing has been seen yet. */
export function newCamera(): CameraMemory {
  const { level, spread } = STEADY.usual
  return { before: { level, spread }, levels: '', waiting: '', doubtful: 0 }
}

/** The normal of this print: the median and the upper tenth of its sound frames, mixed with what was known before. */
export function normalOf({ before, levels }: Pick<CameraMemory, 'before' | 'levels'>): Normal {
  const sorted = read(levels).sort()
  if (sorted.length === 0) return before
  const at = (share: number) => levelOfByte(sorted[Math.floor(share * (sorted.length - 1))]!)
  const level = at(0.5)
  // The upper tenth of a normal distribution begins 1.28 deviations above its middle.
  const spread = (at(0.9) - level) / 1.28
  const mix = (was: number, is: number, prior: number) =>
    was + ((is - was) * sorted.length) / (sorted.length + prior)
  return {
    level: mix(before.level, level, STEADY.priorLevelFrames),
    spread: mix(before.spread, spread, STEADY.priorSpreadFrames),
  }
}

/** By how many deviations of the camera's own a level stands out; a very steady camera is taken for a little less so. */
export function standsOut(level: number, { level: usual, spread }: Normal): number {
  return (level - usual) / Math.max(spread, STEADY.leastSpread)
}

/** A frame in which this print can't be failing yet: learnt at once, so that the first minutes are judged by this print. */
export function learnLevel(camera: CameraMemory, level: number): CameraMemory {
  const sound = byteOfLevel(Math.min(level, STEADY.openingMost))
  return { ...camera, levels: write([...read(camera.levels), sound].slice(-STEADY.levelFrames)) }
}

/**
 * One more frame. It waits, and is learnt once it has waited without anything being wrong: the frames in which
 * a failure begins never become the normal.
 */
export function followLevel(camera: CameraMemory, level: number, isRaised: boolean): CameraMemory {
  const waiting = [...read(camera.waiting), byteOfLevel(level)]
  const leaving = waiting.length > STEADY.waitFrames ? waiting.shift() : undefined
  const isSound = leaving !== undefined && camera.doubtful === 0 && !isRaised
  return {
    before: camera.before,
    waiting: write(waiting),
    levels: isSound ? write([...read(camera.levels), leaving].slice(-STEADY.levelFrames)) : camera.levels,
    doubtful: isRaised ? waiting.length : Math.max(0, camera.doubtful - (leaving === undefined ? 0 : 1)),
  }
}

/** The owner says that what is seen is no failure: the frames that wait are sound. */
export function acceptWaiting(camera: CameraMemory): CameraMemory {
  const levels = [...read(camera.levels), ...read(camera.waiting)].slice(-STEADY.levelFrames)
  return { before: camera.before, levels: write(levels), waiting: '', doubtful: 0 }
}

/** The owner says that what is seen is a failure: nothing of what waits is learnt. */
export const refuseWaiting = (camera: CameraMemory): CameraMemory => ({ ...camera, waiting: '', doubtful: 0 })

/** A print is over: its normal is what was known before the next one. Prints differ, so the spread stays wide. */
export function nextPrint(camera: CameraMemory): CameraMemory {
  const { level, spread } = normalOf(camera)
  return { ...newCamera(), before: { level, spread: Math.max(spread, STEADY.leastPrintSpread) } }
}
