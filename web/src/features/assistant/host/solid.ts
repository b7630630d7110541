import {
  arranged,
  bestTurn,
  footprintOf,
  positionsOf,
  turnOf,
  type Vector,
} from '../../slice/meshes/index.ts'
import type { Bench, BenchModel } from './bench.ts'

const NO_SCALE: Vector = [1, 1, 1]
/** Faces that look farther down than 45° hang over. */
const HANGS = -Math.SQRT1_2
const ON_BED_MM = 0.1

/** The corners of a model as it stands on the bed, three for each triangle. */
export function standing({ shape, rotate, translate }: BenchModel): Float32Array {
  const { elements: e } = turnOf(rotate, NO_SCALE)
  const positions = positionsOf(shape)
  const points = new Float32Array(positions.length)
  let lowest = Infinity
  for (let at = 0; at < positions.length; at += 3) {
    const [x = 0, y = 0, z = 0] = [positions[at], positions[at + 1], positions[at + 2]]
    points[at] = e[0] * x + e[4] * y + e[8] * z + translate[0]
    points[at + 1] = e[1] * x + e[5] * y + e[9] * z + translate[1]
    const high = e[2] * x + e[6] * y + e[10] * z
    points[at + 2] = high
    if (high < lowest) lowest = high
  }
  for (let at = 2; at < points.length; at += 3) points[at] = (points[at] ?? 0) - lowest
  return points
}

/** One triangle: where it looks, how large it is, its corners. */
function faceAt(points: Float32Array, at: number) {
  const corner = (n: number): Vector => [
    points[at + 3 * n] ?? 0,
    points[at + 3 * n + 1] ?? 0,
    points[at + 3 * n + 2] ?? 0,
  ]
  const [a, b, c] = [corner(0), corner(1), corner(2)]
  const [ux, uy, uz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]]
  const [vx, vy, vz] = [c[0] - a[0], c[1] - a[1], c[2] - a[2]]
  const cross: Vector = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx]
  const twice = Math.hypot(...cross)
  const normal: Vector = twice === 0 ? [0, 0, 0] : [cross[0] / twice, cross[1] / twice, cross[2] / twice]
  return { a, b, c, normal, area: twice / 2 }
}
export type Face = ReturnType<typeof faceAt>

export function facesOf(points: Float32Array): Face[] {
  return Array.from({ length: Math.floor(points.length / 9) }, (_, n) => faceAt(points, 9 * n))
}

/** What a slicer measures of a model, in mm and mm². */
export function featuresOf(model: BenchModel): Record<string, number> {
  const points = standing(model)
  let [overhang, bottom, total, volume, projected, height, radius] = [0, 0, 0, 0, 0, 0, 0]
  for (const { a, b, c, normal, area } of facesOf(points)) {
    const isOnBed = Math.max(a[2], b[2], c[2]) < ON_BED_MM
    total += area
    volume +=
      (a[0] * (b[1] * c[2] - b[2] * c[1]) +
        a[1] * (b[2] * c[0] - b[0] * c[2]) +
        a[2] * (b[0] * c[1] - b[1] * c[0])) /
      6
    if (normal[2] > 0) projected += area * normal[2]
    if (normal[2] < HANGS && !isOnBed) overhang += area
    if (normal[2] < 0 && isOnBed) bottom += area
    height = Math.max(height, a[2], b[2], c[2])
    radius = Math.max(radius, Math.hypot(a[0] - model.translate[0], a[1] - model.translate[1]))
  }
  return {
    overhang,
    bottom,
    bottom_hull: bottom,
    area_total: total,
    area_projected: projected,
    volume: Math.abs(volume),
    radius,
    height_to_bottom_hull_ratio: bottom === 0 ? height : height / Math.sqrt(bottom),
  }
}

/** The box of all that stands on the plate. */
export function boxOf(models: readonly BenchModel[]) {
  const min = { x: Infinity, y: Infinity, z: Infinity }
  const max = { x: -Infinity, y: -Infinity, z: -Infinity }
  for (const points of models.map(standing))
    for (let at = 0; at < points.length; at += 3)
      for (const [n, axis] of (['x', 'y', 'z'] as const).entries()) {
        const value = points[at + n] ?? 0
        min[axis] = Math.min(min[axis], value)
        max[axis] = Math.max(max[axis], value)
      }
  return models.length === 0 ? { min: { x: 0, y: 0, z: 0 }, max: { x: 0, y: 0, z: 0 } } : { min, max }
}

/** Turns all models so that least of them hangs over. */
export function orientAll(bench: Bench): void {
  const turned = bench.state().models.map((model) => ({ ...model, rotate: bestTurn(model.shape.parts) }))
  bench.place(turned)
}

/** Has all models stand side by side about the middle of the bed. */
export function arrangeAll(bench: Bench): void {
  const { models } = bench.state()
  const all = models.map(({ key, shape, rotate }) => ({
    key,
    footprint: footprintOf(shape.parts, turnOf(rotate, NO_SCALE).elements),
  }))
  const places = arranged(all, bench.middle)
  bench.place(models.map((model) => ({ ...model, translate: places.get(model.key) ?? model.translate })))
}
