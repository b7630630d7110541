/**
 * From the network's logits to a score, a map over the un-padded picture, and boxes (docs/detector.md;
 * docs/detector.md). Pure.
 */
import { isInside } from '@vigil/contract/printers/zones.ts'
import type { Box, HeatMap, Polygon } from './port.ts'
import type { Placement } from './resize.ts'

/** The network's answer: one logit a cell, row by row, each cell `stride` input pixels wide. */
export interface Logits {
  values: Float32Array
  width: number
  height: number
  stride: number
}

/** Which cells count: 1 when the centre is in the picture and in no ignored polygon. */
export function countingCells(
  logits: Logits,
  placement: Placement,
  ignore: readonly Polygon[] = [],
): Uint8Array {
  const cells = new Uint8Array(logits.width * logits.height)
  for (let cy = 0; cy < logits.height; cy++) {
    const y = ((cy + 0.5) * logits.stride - placement.top) / placement.height
    if (y < 0 || y >= 1) continue
    for (let cx = 0; cx < logits.width; cx++) {
      const x = ((cx + 0.5) * logits.stride - placement.left) / placement.width
      if (x < 0 || x >= 1 || ignore.some((polygon) => isInside(polygon, x, y))) continue
      cells[cy * logits.width + cx] = 1
    }
  }
  return cells
}

/** Calibration of the score: sigmoid(a * mean of the k largest logits + b). */
interface Calibration {
  k: number
  a: number
  b: number
}

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x))

/** The score of a frame, 0..1; 0 when no cell counts. */
export function frameScore(logits: Logits, counting: Uint8Array, { k, a, b }: Calibration): number {
  const values = logits.values.filter((_, i) => counting[i]).sort()
  const count = Math.min(k, values.length)
  if (count === 0) return 0
  let sum = 0
  for (let i = 1; i <= count; i++) sum += values[values.length - i]!
  return sigmoid(a * (sum / count) + b)
}

/**
 * The map over the un-padded picture: each cell's own calibrated score in 0..255 and its log-odds; ignored cells
 * are 0. Rows and columns of cells whose centres lie in the padding are left out.
 */
export function heatMap(
  logits: Logits,
  counting: Uint8Array,
  placement: Placement,
  { a, b }: Calibration,
): HeatMap {
  const [left, right] = cellSpan(placement.left, placement.width, logits.stride, logits.width)
  const [top, bottom] = cellSpan(placement.top, placement.height, logits.stride, logits.height)
  const map = { width: right - left, height: bottom - top }
  const values = new Uint8Array(map.width * map.height)
  const odds = new Uint8Array(map.width * map.height)
  for (let y = 0; y < map.height; y++) {
    for (let x = 0; x < map.width; x++) {
      const from = (top + y) * logits.width + left + x
      if (!counting[from]) continue
      const level = a * logits.values[from]! + b
      values[y * map.width + x] = Math.round(255 * sigmoid(level))
      odds[y * map.width + x] = oddsByte(level)
    }
  }
  return { ...map, values, odds }
}

/** Log-odds as a byte: 0..255 stands for -12..8 (docs/detector.md). */
const oddsByte = (level: number) => Math.floor(Math.min(255, Math.max(0, (level + 12) * 12.75)) + 0.5)

/** The cells (from, to) whose centres lie in [start, start + length), at least one. */
function cellSpan(start: number, length: number, stride: number, cells: number): [number, number] {
  const from = Math.min(cells - 1, Math.max(0, Math.ceil(start / stride - 0.5)))
  return [from, Math.min(cells, Math.max(from + 1, Math.ceil((start + length) / stride - 0.5)))]
}

interface BoxRule {
  /** A cell belongs to a box when its calibrated score is at least this. */
  threshold: number
  /** Smaller components are no box. */
  minCells: number
}

/**
 * Boxes around connected cells (8 neighbours) above the threshold, in pixels of the picture, strongest first.
 * A box's score is the highest calibrated cell score in it.
 */
export function heatBoxes(
  logits: Logits,
  counting: Uint8Array,
  placement: Placement,
  picture: { width: number; height: number },
  { threshold, minCells }: BoxRule,
  { a, b }: Calibration,
): Box[] {
  const hot = Uint8Array.from(counting, (is, i) =>
    is && sigmoid(a * logits.values[i]! + b) >= threshold ? 1 : 0,
  )
  const boxes: Box[] = []
  for (let i = 0; i < hot.length; i++) {
    if (!hot[i]) continue
    const cells = takeComponent(hot, i, logits.width, logits.height)
    if (cells.length < minCells) continue
    const strongest = cells.reduce((best, cell) => Math.max(best, logits.values[cell]!), -Infinity)
    boxes.push({ ...toPicture(cells, logits, placement, picture), score: sigmoid(a * strongest + b) })
  }
  return boxes.sort((one, other) => other.score - one.score)
}

/** The cells connected to `start`; they are cleared in `hot`. */
function takeComponent(hot: Uint8Array, start: number, width: number, height: number): number[] {
  const cells = [start]
  hot[start] = 0
  // What is found while it goes is gone through, too.
  for (const cell of cells) {
    const [cx, cy] = [cell % width, Math.floor(cell / width)]
    for (let y = Math.max(0, cy - 1); y <= Math.min(height - 1, cy + 1); y++) {
      for (let x = Math.max(0, cx - 1); x <= Math.min(width - 1, cx + 1); x++) {
        if (!hot[y * width + x]) continue
        hot[y * width + x] = 0
        cells.push(y * width + x)
      }
    }
  }
  return cells
}

function toPicture(
  cells: readonly number[],
  { width, stride }: Logits,
  placement: Placement,
  picture: { width: number; height: number },
): Omit<Box, 'score'> {
  const xs = cells.map((cell) => cell % width)
  const ys = cells.map((cell) => Math.floor(cell / width))
  const scaleX = picture.width / placement.width
  const scaleY = picture.height / placement.height
  const clamp = (value: number, most: number) => Math.min(most, Math.max(0, value))
  const left = clamp((Math.min(...xs) * stride - placement.left) * scaleX, picture.width)
  const top = clamp((Math.min(...ys) * stride - placement.top) * scaleY, picture.height)
  const right = clamp(((Math.max(...xs) + 1) * stride - placement.left) * scaleX, picture.width)
  const bottom = clamp(((Math.max(...ys) + 1) * stride - placement.top) * scaleY, picture.height)
  return { x: left, y: top, w: right - left, h: bottom - top }
}
