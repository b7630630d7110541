/**
 * A coarse picture of where a camera looks hot: 16 x 12 cells over the unrotated picture, each a byte of log-odds
 * (see odds.rules.ts). Grids are kept in a printer's row as base64 text (256 characters each), see steady.rules.ts.
 */
import { byteOfLevel, byteOfShare, levelOfByte } from './odds.rules.ts'
import { STEADY } from './steady-constants.rules.ts'

export const GRID_WIDTH = 16
export const GRID_HEIGHT = 12
export const GRID_CELLS = GRID_WIDTH * GRID_HEIGHT

/** A detector's map, calibrated so that 255 stands for a score of 1; row by row. */
export interface Heat {
  width: number
  height: number
  values: Uint8Array
  /** The same at the scale of log-odds, for small scores: 0..255 stands for -12..8 (docs/detector.md). */
  odds?: Uint8Array
}

/** Pools a detector's map into the coarse grid: each cell holds the hottest value that lies in it, as log-odds. */
export function gridOf(heat: Heat): Uint8Array {
  const grid = new Uint8Array(GRID_CELLS)
  const values = heat.odds ?? heat.values
  for (let gy = 0; gy < GRID_HEIGHT; gy++) {
    const [top, bottom] = span(gy, GRID_HEIGHT, heat.height)
    for (let gx = 0; gx < GRID_WIDTH; gx++) {
      const [left, right] = span(gx, GRID_WIDTH, heat.width)
      let hottest = 0
      for (let y = top; y < bottom; y++) {
        for (let x = left; x < right; x++) hottest = Math.max(hottest, values[y * heat.width + x] ?? 0)
      }
      grid[gy * GRID_WIDTH + gx] = hottest
    }
  }
  return heat.odds ? grid : grid.map(byteOfShare)
}

/** The cells (from, to) of a map of `length` that lie in a cell of `cells`, at least one. */
export function span(index: number, cells: number, length: number): [number, number] {
  const from = Math.min(length - 1, Math.floor((index * length) / cells))
  return [from, Math.max(from + 1, Math.floor(((index + 1) * length) / cells))]
}

/**
 * What is left of each cell once what is known of it is taken off, its odds weighing `times`: nothing up to that,
 * and nearly all of it well above.
 */
export function excess(grid: Uint8Array, known: Uint8Array, times = 1): Uint8Array {
  return grid.map((value, i) => {
    const usual = known[i] ?? 0
    if (usual === 0) return value
    const left = Math.exp(levelOfByte(value)) - times * Math.exp(levelOfByte(usual))
    return left > 0 ? byteOfLevel(Math.log(left)) : 0
  })
}

/** The hotter of two grids, cell by cell. */
export function hotter(a: Uint8Array, b: Uint8Array): Uint8Array {
  return a.map((value, i) => Math.max(value, b[i] ?? 0))
}

/** The cooler of two grids, cell by cell. */
export function cooler(a: Uint8Array, b: Uint8Array): Uint8Array {
  return a.map((value, i) => Math.min(value, b[i] ?? 0))
}

/**
 * Moves each cell of `grid` a `share` (0..1) of the way to `target`. At least one level is moved with
 * probability in the mean equal to the share: the remainder is spread over cells by their index and `phase`,
 * so that a slow mean of bytes neither sticks nor needs fractions.
 */
export function approach(grid: Uint8Array, target: Uint8Array, share: number, phase: number): Uint8Array {
  return grid.map((value, i) => {
    const step = ((target[i] ?? 0) - value) * share
    const dither = ((i * 0.618034 + phase * 0.754878) % 1) - 0.5
    return value + Math.round(step + dither * (step === 0 ? 0 : 1))
  })
}

/** The mean of the `count` hottest cells, in bytes (0..255, not rounded). */
export function hottestMean(grid: Uint8Array, count: number): number {
  const hottest = Uint8Array.from(grid).sort().subarray(-count)
  return hottest.reduce((sum, value) => sum + value, 0) / count
}

/** The level of the hottest cells of a grid, those that carry its score. */
export const topLevel = (grid: Uint8Array): number => levelOfByte(hottestMean(grid, STEADY.topCells))

/** Each cell takes the hottest value among itself and its eight neighbours. */
export function dilate(grid: Uint8Array): Uint8Array {
  return grid.map((_, i) => {
    const [x, y] = [i % GRID_WIDTH, Math.floor(i / GRID_WIDTH)]
    let hottest = 0
    for (let ny = Math.max(0, y - 1); ny <= Math.min(GRID_HEIGHT - 1, y + 1); ny++) {
      for (let nx = Math.max(0, x - 1); nx <= Math.min(GRID_WIDTH - 1, x + 1); nx++) {
        hottest = Math.max(hottest, grid[ny * GRID_WIDTH + nx] ?? 0)
      }
    }
    return hottest
  })
}

/** A grid as text for the database. */
export function packGrid(grid: Uint8Array): string {
  return Buffer.from(grid).toString('base64')
}

/** The grid of a text; an empty or damaged text gives a cold grid. */
export function unpackGrid(text: string, cells = GRID_CELLS): Uint8Array {
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === cells ? new Uint8Array(bytes) : new Uint8Array(cells)
}

/** How many frames back the memory of hot places goes, as a mask of bits. */
export const MEMORY_MASK = (1 << 10) - 1

/** The memory of places of which none was hot: ten bits for each cell, two bytes, low byte first, as text. */
export const NOTHING_HOT = packGrid(new Uint8Array(GRID_CELLS * 2))

/** The memory after one more frame in which the cells with a 1 were hot. */
export function rememberHot(memory: string, isHot: Uint8Array): string {
  const bits = unpackGrid(memory, GRID_CELLS * 2)
  isHot.forEach((is, i) => {
    const next = ((pairAt(bits, i) << 1) | is) & MEMORY_MASK
    bits[2 * i] = next & 255
    bits[2 * i + 1] = next >> 8
  })
  return packGrid(bits)
}

/** In how many of the remembered frames the most persistent place was hot. */
export function mostPersistent(memory: string): number {
  const bits = unpackGrid(memory, GRID_CELLS * 2)
  let most = 0
  for (let i = 0; i < GRID_CELLS; i++) most = Math.max(most, ones(pairAt(bits, i)))
  return most
}

/** Two bytes as one number, the lower first. */
const pairAt = (bytes: Uint8Array, i: number) => (bytes[2 * i] ?? 0) | ((bytes[2 * i + 1] ?? 0) << 8)

/** How many bits are set. */
export function ones(bits: number): number {
  let count = 0
  for (let rest = bits; rest; rest &= rest - 1) count++
  return count
}
