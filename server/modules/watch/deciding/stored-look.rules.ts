/** What is written down of a look, and the look that it was, for a replay with other ignore zones. Pure. */
import { isInside } from '@vigil/contract/printers/zones.ts'
import type { Box, HeatMap, Polygon } from '../../../engines/inference/port.ts'
import {
  GRID_CELLS,
  GRID_HEIGHT,
  GRID_WIDTH,
  gridOf,
  type Heat,
  span,
  topLevel,
  unpackGrid,
} from '../temporal/heat-grid.rules.ts'
import { byteOfShare, levelOfScore, scoreOfLevel } from '../temporal/odds.rules.ts'
import type { Look } from './temporal.rules.ts'

/** A map as it is kept: what the detector saw, and the coarse grid of log-odds that the decision went by; base64. */
export interface StoredHeat {
  readonly width: number
  readonly height: number
  readonly values: string
  readonly grid?: string | undefined
}

/** What is kept of a look. */
export interface StoredLook {
  readonly at: Date
  readonly model: string | null
  readonly score: number | null
  /** Why the picture could not be judged. */
  readonly blind: string | null
  readonly boxes: readonly Box[]
  readonly heat: StoredHeat | null
}

const base64 = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')

/** A map for replay. */
export const storedHeatOf = (heat: HeatMap): StoredHeat => ({
  width: heat.width,
  height: heat.height,
  values: base64(heat.values),
  grid: base64(gridOf(heat)),
})

/** Whom a stored look is judged for. */
export interface Setting {
  readonly zones: readonly Polygon[]
  /** Under which the scores of a model are remembered. */
  readonly keyOf: (model: string) => string
  /** Of the pictures, for boxes that lie in a zone; null where nobody knows any more. */
  readonly size: { readonly width: number; readonly height: number } | null
  /** How much faster than the clock decisions run. */
  readonly timeScale: number
}

/** The look that was stored, as if these zones had been left out; null where nothing was scored. */
export function lookOf(stored: StoredLook, { zones, keyOf, size, timeScale }: Setting): Look | null {
  const { score, model, blind, heat: kept } = stored
  if (score === null || model === null) return null
  const base = {
    at: stored.at.getTime() * timeScale,
    modelKey: keyOf(model),
    usable: blind === null,
    moved: blind === 'moved',
  }
  const boxes = size === null ? stored.boxes : stored.boxes.filter((box) => !isLeftOut(box, size, zones))
  // The shape that knows boxes alone: its score is their sum.
  if (kept === null) {
    const isObico = model.startsWith('obico-shaped')
    const rest = isObico ? boxes.reduce((sum, box) => sum + box.score, 0) : score
    return { ...base, kind: isObico ? 'obico' : 'vigil', score: rest, boxes, heat: null }
  }
  const whole = gridOfStored(kept)
  const rest = zones.length === 0 ? whole : outside(kept, whole, zones)
  // As in the decision itself: what is taken off lowers the score by as much as it lowers the grid.
  const lowered =
    rest === whole ? score : scoreOfLevel(levelOfScore(score) - (topLevel(whole) - topLevel(rest)))
  return { ...base, kind: 'vigil', score: lowered, boxes, heat: mapOf(rest) }
}

const isLeftOut = (
  box: Box,
  { width, height }: { width: number; height: number },
  zones: readonly Polygon[],
) => zones.some((zone) => isInside(zone, (box.x + box.w / 2) / width, (box.y + box.h / 2) / height))

const mapOf = (grid: Uint8Array): HeatMap & Heat => ({
  width: GRID_WIDTH,
  height: GRID_HEIGHT,
  values: grid,
  odds: grid,
})

/** Records from before the grid was kept have the map alone. */
function gridOfStored({ width, height, values, grid }: StoredHeat): Uint8Array {
  if (grid !== undefined) return unpackGrid(grid)
  return gridOf({ width, height, values: unpackGrid(values, width * height) })
}

/** The grid without what lies in zones: cells of the map decide, so that a zone may end within a cell of the grid. */
function outside(
  { width, height, values }: StoredHeat,
  whole: Uint8Array,
  zones: readonly Polygon[],
): Uint8Array {
  const fine = unpackGrid(values, width * height)
  const left = leftOut(width, height, zones)
  return Uint8Array.from({ length: GRID_CELLS }, (_, cell) => {
    const [top, bottom] = span(Math.floor(cell / GRID_WIDTH), GRID_HEIGHT, height)
    const [from, to] = span(cell % GRID_WIDTH, GRID_WIDTH, width)
    let hottest = 0
    let isTouched = false
    for (let y = top; y < bottom; y++)
      for (let x = from; x < to; x++) {
        const at = y * width + x
        if (left[at] === 1) isTouched = true
        else hottest = Math.max(hottest, fine[at] ?? 0)
      }
    const known = whole[cell] ?? 0
    return isTouched ? Math.min(known, byteOfShare(hottest)) : known
  })
}

let last: { readonly zones: readonly Polygon[]; readonly of: string; readonly cells: Uint8Array } | null =
  null

/** Which cells of a map have their middle in a zone (1); the same for all looks of a replay. */
function leftOut(width: number, height: number, zones: readonly Polygon[]): Uint8Array {
  const of = `${width}x${height}`
  if (last?.zones === zones && last.of === of) return last.cells
  const cells = Uint8Array.from({ length: width * height }, (_, at) => {
    const [x, y] = [((at % width) + 0.5) / width, (Math.floor(at / width) + 0.5) / height]
    return zones.some((zone) => isInside(zone, x, y)) ? 1 : 0
  })
  last = { zones, of, cells }
  return cells
}
