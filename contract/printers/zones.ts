import { z } from 'zod'
import { managers, readers } from '../callers.ts'
import { endpoint } from '../endpoint.ts'
import { id } from '../values.ts'

/** A place in the unrotated camera picture: 0 is its left or top edge, 1 its right or bottom one. */
export const point = z.object({ x: z.number().min(0).max(1), y: z.number().min(0).max(1) })
export type Point = z.infer<typeof point>

const MIN_AREA = 1e-6

/** Area of a closed outline, by the shoelace formula; 1 is the whole picture. */
function areaOf(outline: readonly Point[]): number {
  let twice = 0
  let before = outline.at(-1)
  for (const point of outline) {
    if (before) twice += before.x * point.y - point.x * before.y
    before = point
  }
  return Math.abs(twice) / 2
}

const ACROSS = 64
const DOWN = 48

/** How much of the picture these outlines cover together, 0 to 1, to about one part in a hundred (even-odd rule). */
export function coverOf(zones: readonly (readonly Point[])[]): number {
  if (zones.length === 0) return 0
  let covered = 0
  for (let row = 0; row < DOWN; row++)
    for (let column = 0; column < ACROSS; column++) {
      const [x, y] = [(column + 0.5) / ACROSS, (row + 0.5) / DOWN]
      if (zones.some((outline) => isInside(outline, x, y))) covered++
    }
  return covered / (ACROSS * DOWN)
}

/** Whether a point lies in a closed outline (even-odd rule). */
export function isInside(outline: readonly Point[], x: number, y: number): boolean {
  let inside = false
  let b = outline.at(-1)
  for (const a of outline) {
    if (b && a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) inside = !inside
    b = a
  }
  return inside
}

/** A closed outline; the last point joins the first by itself. */
export const zone = z
  .array(point)
  .min(3, 'This zone needs three points or more.')
  .max(64, 'This zone has more than 64 points.')
  .refine((outline) => areaOf(outline) > MIN_AREA, { error: 'This zone has no area.' })
export type Zone = z.infer<typeof zone>

/** All that a printer may have. */
export const zones = z.array(zone).max(16, 'This printer may have 16 zones.')

/** What the detector leaves out of a printer's pictures (docs/rules/pages.md 3). */
export const ignoreZones = z.object({ zones }).meta({ id: 'IgnoreZones' })
export type IgnoreZones = z.infer<typeof ignoreZones>

const params = z.object({ id })

export const getIgnoreZones = endpoint({
  method: 'GET',
  path: '/api/v1/printers/:id/ignore_zones/',
  callers: readers,
  summary: 'The parts of the camera picture that the detector leaves out',
  params,
  response: ignoreZones,
})

/** All zones at once: `{"zones": []}` removes them. Answers what is kept (coordinates to four decimals). */
export const putIgnoreZones = endpoint({
  method: 'PUT',
  path: '/api/v1/printers/:id/ignore_zones/',
  callers: managers,
  summary: 'Replace the parts of the camera picture that the detector leaves out',
  params,
  body: ignoreZones,
  response: ignoreZones,
})
