/**
 * How regular extruded lines are: an explainable figure that no network makes (docs/detector.md, First layer).
 * Repeats `training/vigil/first_layer_lines.py` number for number. Pure.
 */
import type { Placement } from './resize.ts'

const WINDOW = 64
const HOP = 32
/** Windows with less contrast than this (standard deviation, grey levels) show no lines. */
const LEAST_CONTRAST = 4
/** Lines fewer or more than this to a window are not looked for. */
const LEAST = 2
const MOST = 20
/** Neighbours' spacings are compared where both are at least this sharp. */
const SHARP = 0.35
/** The drift (natural logarithm of a ratio) that leaves half of the regularity. */
const WORST_DRIFT = 0.5

const MIDDLE = (WINDOW - 1) / 2
/** Pixels of the disc in a window: where they are from its middle. */
const DISC = Array.from({ length: WINDOW * WINDOW }, (_, i) => ({
  x: i % WINDOW,
  y: Math.floor(i / WINDOW),
  dx: (i % WINDOW) - MIDDLE,
  dy: Math.floor(i / WINDOW) - MIDDLE,
})).filter(({ dx, dy }) => Math.hypot(dx, dy) <= MIDDLE)
const HANN = Float64Array.from(
  { length: WINDOW },
  (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / WINDOW),
)
const COSINE = Float64Array.from({ length: WINDOW }, (_, i) => Math.cos((2 * Math.PI * i) / WINDOW))

/** Grey levels of a picture, row by row. */
export interface Grey {
  values: Float32Array
  width: number
}

/** What one window shows. */
interface Seen {
  /** Whether the structure tensor says one direction: 0..1. */
  coherence: number
  /** Share of the power at the strongest spacing and its first overtone: 0..1. */
  sharpness: number
  /** Pixels from line to line. */
  spacing: number
}

/** Grey levels 0..255 of a network's input (RGB planes in 0..1). */
export function greyOf(input: Float32Array, width: number, height: number): Grey {
  const plane = width * height
  const values = new Float32Array(plane)
  for (let i = 0; i < plane; i++) {
    values[i] = 255 * (0.299 * input[i]! + 0.587 * input[plane + i]! + 0.114 * input[2 * plane + i]!)
  }
  return { values, width }
}

/** Regularity 0..1 of the lines of a letterboxed picture; null where no window shows anything. */
export function regularity(grey: Grey, { left, top, width, height }: Placement): number | null {
  const rows = Math.floor((height - WINDOW) / HOP) + 1
  const columns = Math.floor((width - WINDOW) / HOP) + 1
  const windows: (Seen | null)[] = []
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) windows.push(lookAt(grey, left + i * HOP, top + j * HOP))
  }
  const found = windows.filter((seen) => seen !== null)
  if (found.length === 0) return null
  const drifts: number[] = []
  const compare = (one: Seen | null | undefined, other: Seen | null | undefined) => {
    if (one && other && one.sharpness >= SHARP && other.sharpness >= SHARP)
      drifts.push(Math.abs(Math.log(one.spacing / other.spacing)))
  }
  windows.forEach((seen, i) => {
    if ((i + 1) % columns !== 0) compare(seen, windows[i + 1])
    compare(seen, windows[i + columns])
  })
  const drift = drifts.length === 0 ? WORST_DRIFT : median(drifts)
  const mean = found.reduce((sum, seen) => sum + seen.coherence * seen.sharpness, 0) / found.length
  return mean * (1 - 0.5 * Math.min(1, drift / WORST_DRIFT))
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.length >> 1
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, half + 1)
  return middle.reduce((sum, value) => sum + value, 0) / middle.length
}

function lookAt(grey: Grey, left: number, top: number): Seen | null {
  const at = (x: number, y: number) => grey.values[(top + y) * grey.width + left + x]!
  if (contrastOf(at) < LEAST_CONTRAST) return null
  const { coherence, angle } = structureOf(at)
  const power = spectrumOf(profileAcross(at, angle))
  let peak = LEAST
  for (let k = LEAST; k <= MOST; k++) if (power[k]! > power[peak]!) peak = k
  const all = power.reduce((sum, value) => sum + value, 0)
  const around = (k: number) => power.slice(Math.max(1, k - 1), k + 2).reduce((sum, value) => sum + value, 0)
  const overtone = peak >= 3 && 2 * peak < WINDOW / 2 - 1 ? around(2 * peak) : 0
  const sharpness = Math.min(1, (around(peak) + overtone) / Math.max(all, 1e-9))
  return { coherence, sharpness, spacing: WINDOW / (peak + shiftOf(power, peak)) }
}

type At = (x: number, y: number) => number

function contrastOf(at: At): number {
  let sum = 0
  let squares = 0
  for (let y = 0; y < WINDOW; y++) {
    for (let x = 0; x < WINDOW; x++) {
      const value = at(x, y)
      sum += value
      squares += value * value
    }
  }
  const mean = sum / (WINDOW * WINDOW)
  return Math.sqrt(Math.max(0, squares / (WINDOW * WINDOW) - mean * mean))
}

/** The structure tensor over the window: how much one direction rules, and the direction across the lines. */
function structureOf(at: At): { coherence: number; angle: number } {
  let [xx, yy, xy] = [0, 0, 0]
  for (let y = 1; y < WINDOW - 1; y++) {
    for (let x = 1; x < WINDOW - 1; x++) {
      const gx = (at(x + 1, y) - at(x - 1, y)) / 2
      const gy = (at(x, y + 1) - at(x, y - 1)) / 2
      xx += gx * gx
      yy += gy * gy
      xy += gx * gy
    }
  }
  return {
    coherence: xx + yy === 0 ? 0 : Math.hypot(xx - yy, 2 * xy) / (xx + yy),
    angle: 0.5 * Math.atan2(2 * xy, xx - yy),
  }
}

/** Mean grey level by place across the lines, less the window's mean, under a Hann window. */
function profileAcross(at: At, angle: number): Float64Array {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const mean = DISC.reduce((sum, { x, y }) => sum + at(x, y), 0) / DISC.length
  const profile = new Float64Array(WINDOW)
  const count = new Float64Array(WINDOW)
  for (const { x, y, dx, dy } of DISC) {
    const bin = Math.floor(dx * cos + dy * sin + WINDOW / 2)
    profile[bin]! += at(x, y) - mean
    count[bin]! += 1
  }
  return profile.map((value, i) => (value / Math.max(1, count[i]!)) * HANN[i]!)
}

/** Power at 1 to 31 waves a window; index 0 is unused. */
function spectrumOf(profile: Float64Array): Float64Array {
  const power = new Float64Array(WINDOW / 2)
  for (let k = 1; k < WINDOW / 2; k++) {
    let [re, im] = [0, 0]
    for (let i = 0; i < WINDOW; i++) {
      re += profile[i]! * COSINE[(k * i) % WINDOW]!
      im += profile[i]! * COSINE[(k * i + WINDOW / 4) % WINDOW]!
    }
    power[k] = re * re + im * im
  }
  return power
}

/** How far the true peak lies beside the strongest wave number: a parabola through the logarithms. */
function shiftOf(power: Float64Array, peak: number): number {
  const at = (by: number) => Math.log(power[peak + by]! + 1e-9)
  const [left, mid, right] = [at(-1), at(0), at(1)]
  const bend = left - 2 * mid + right
  return bend >= 0 ? 0 : Math.min(0.5, Math.max(-0.5, (0.5 * (left - right)) / bend))
}
