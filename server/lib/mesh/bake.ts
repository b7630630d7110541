import type { Triangles } from './mesh.ts'
import { boxOf, turn } from './mend.ts'

/** How a mesh is placed on the plate: scaled and turned about its middle (degrees, X then Y then Z), then moved to a point of the bed. */
export interface Placing {
  readonly translate: readonly [number, number, number]
  readonly rotate: readonly [number, number, number]
  readonly scale: readonly [number, number, number]
}

/** Where is printed: the corners of the bed, and how high. */
export interface Plate {
  readonly bed: readonly (readonly [number, number])[]
  readonly height: number
}

/** Why a placed mesh cannot be printed there. */
export type Outside = 'outside' | 'tooTall' | 'tooSmall'

/** A slicer's 0.01. */
const SLACK_MM = 0.05
const SMALLEST_MM = 0.1

/** Places a mesh, in place: its lowest point is on the bed. The middle of its box is where `translate` says, before and after. */
export function bake(triangles: Triangles, { translate, rotate, scale }: Placing): void {
  const { min, max } = boxOf(triangles)
  const middle = [0, 1, 2].map((axis) => ((min[axis] ?? 0) + (max[axis] ?? 0)) / 2)
  const m = turned(rotate)
  let lowest = Infinity
  for (let at = 0; at < triangles.length; at += 3) {
    const from = [0, 1, 2].map(
      (axis) => ((triangles[at + axis] ?? 0) - (middle[axis] ?? 0)) * (scale[axis] ?? 1),
    )
    for (let row = 0; row < 3; row++) {
      const [a = 0, b = 0, c = 0] = m[row] ?? []
      triangles[at + row] =
        a * (from[0] ?? 0) + b * (from[1] ?? 0) + c * (from[2] ?? 0) + (row < 2 ? (translate[row] ?? 0) : 0)
    }
    lowest = Math.min(lowest, triangles[at + 2] ?? 0)
  }
  for (let at = 2; at < triangles.length; at += 3) triangles[at] = (triangles[at] ?? 0) - lowest
  if (scale[0] * scale[1] * scale[2] < 0) turn(triangles)
}

/** Rows of the matrix of Euler angles as three.js has them by default: X is turned last of the axes, `Rx · Ry · Rz`. */
function turned(degrees: Placing['rotate']): number[][] {
  const [x, y, z] = degrees.map((angle) => (angle * Math.PI) / 180)
  const [a, b, c, d, e, f] = [x, y, z].flatMap((angle = 0) => [Math.cos(angle), Math.sin(angle)])
  const [cx = 1, sx = 0, cy = 1, sy = 0, cz = 1, sz = 0] = [a, b, c, d, e, f]
  return [
    [cy * cz, -cy * sz, sy],
    [cx * sz + sx * cz * sy, cx * cz - sx * sz * sy, -sx * cy],
    [sx * sz - cx * cz * sy, sx * cz + cx * sz * sy, cx * cy],
  ]
}

/** Why a placed mesh does not go onto this plate; null: it does. No slicer says so. */
export function outsideOf(triangles: Triangles, { bed, height }: Plate): Outside | null {
  const { min, max } = boxOf(triangles)
  if (max[2] < SMALLEST_MM || max[0] - min[0] < SMALLEST_MM || max[1] - min[1] < SMALLEST_MM)
    return 'tooSmall'
  if (max[2] > height + SLACK_MM) return 'tooTall'
  const corners = [
    [min[0], min[1]],
    [max[0], min[1]],
    [min[0], max[1]],
    [max[0], max[1]],
  ] as const
  if (corners.every(([x, y]) => isOn(bed, x, y))) return null
  for (let at = 0; at < triangles.length; at += 3)
    if (!isOn(bed, triangles[at] ?? 0, triangles[at + 1] ?? 0)) return 'outside'
  return null
}

/** Whether a point lies on the bed or at its edge. */
function isOn(bed: Plate['bed'], x: number, y: number): boolean {
  let isInside = false
  for (let i = 0, j = bed.length - 1; i < bed.length; j = i++) {
    const [ax, ay] = bed[i] ?? [0, 0]
    const [bx, by] = bed[j] ?? [0, 0]
    if (distanceTo(ax, ay, bx, by, x, y) <= SLACK_MM) return true
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isInside = !isInside
  }
  return isInside
}

function distanceTo(ax: number, ay: number, bx: number, by: number, x: number, y: number): number {
  const [dx, dy] = [bx - ax, by - ay]
  const length = dx * dx + dy * dy
  const share = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / length))
  return Math.hypot(x - ax - share * dx, y - ay - share * dy)
}
