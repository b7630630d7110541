import { Euler, Matrix4, Vector3 } from 'three'
import type { Vector } from './plate.ts'

type Point = readonly [x: number, y: number]

/** What a mesh takes of the plate as it is turned and scaled, about its own middle. */
export interface Footprint {
  readonly min: Vector
  readonly max: Vector
  /** Corners of its outline from above, in turn: the farthest in so many directions. */
  readonly hull: readonly Point[]
}

const RADIANS = Math.PI / 180
const DIRECTIONS = Array.from({ length: 32 }, (_, i) => {
  const angle = (i * Math.PI) / 16
  return [Math.cos(angle), Math.sin(angle)] as const
})
const COSINES = Float64Array.from(DIRECTIONS, ([x]) => x)
const SINES = Float64Array.from(DIRECTIONS, ([, y]) => y)

/** The turn and scale of a piece as a matrix. */
export const turnOf = (rotate: Vector, scale: Vector): Matrix4 =>
  new Matrix4()
    .makeRotationFromEuler(new Euler(rotate[0] * RADIANS, rotate[1] * RADIANS, rotate[2] * RADIANS))
    .scale(new Vector3(...scale))

/** Of the corners of a mesh. Reckoned once for each turn and scale: what is only moved costs nothing. */
export function footprintOf(corners: Float32Array, turn: Matrix4): Footprint {
  const e = turn.elements
  const min = [Infinity, Infinity, Infinity]
  const max = [-Infinity, -Infinity, -Infinity]
  const far = new Float64Array(DIRECTIONS.length).fill(-Infinity)
  const hull: [number, number][] = DIRECTIONS.map(() => [0, 0])
  const half = DIRECTIONS.length / 2
  for (let at = 0; at < corners.length; at += 3) {
    const [px, py, pz] = [corners[at] ?? 0, corners[at + 1] ?? 0, corners[at + 2] ?? 0]
    const x = e[0] * px + e[4] * py + e[8] * pz
    const y = e[1] * px + e[5] * py + e[9] * pz
    grow(min, max, x, y, e[2] * px + e[6] * py + e[10] * pz)
    // The second half of the directions is the first, turned round.
    for (let i = 0; i < half; i++) {
      const reach = (COSINES[i] ?? 0) * x + (SINES[i] ?? 0) * y
      if (reach > (far[i] ?? 0)) [far[i], hull[i]] = [reach, [x, y]]
      if (-reach > (far[i + half] ?? 0)) [far[i + half], hull[i + half]] = [-reach, [x, y]]
    }
  }
  return { min: vector(min), max: vector(max), hull }
}

function grow(min: number[], max: number[], x: number, y: number, z: number): void {
  min[0] = Math.min(min[0] ?? x, x)
  min[1] = Math.min(min[1] ?? y, y)
  min[2] = Math.min(min[2] ?? z, z)
  max[0] = Math.max(max[0] ?? x, x)
  max[1] = Math.max(max[1] ?? y, y)
  max[2] = Math.max(max[2] ?? z, z)
}

const vector = ([x = 0, y = 0, z = 0]: readonly number[]): Vector => [x, y, z]

/** Where a footprint stands. */
export interface Standing {
  readonly footprint: Footprint
  readonly at: Point
}

/** Whether two stand in one another, seen from above: no line parts their outlines. */
export function isTouching(a: Standing, b: Standing): boolean {
  const [one, two] = [cornersOf(a), cornersOf(b)]
  const parts = (axis: Point) => isParted(one, two, axis)
  return !(DIRECTIONS.some(parts) || normalsOf(one).some(parts) || normalsOf(two).some(parts))
}

const cornersOf = ({ footprint: { hull }, at: [x, y] }: Standing): Point[] =>
  hull.map(([hx, hy]) => [hx + x, hy + y])

const normalsOf = (corners: readonly Point[]): Point[] =>
  corners.flatMap(([x, y], i): Point[] => {
    const [nx, ny] = corners[(i + 1) % corners.length] ?? [x, y]
    return nx === x && ny === y ? [] : [[ny - y, x - nx]]
  })

function isParted(one: readonly Point[], two: readonly Point[], [dx, dy]: Point): boolean {
  const reach = (all: readonly Point[]) => all.map(([x, y]) => dx * x + dy * y)
  const [a, b] = [reach(one), reach(two)]
  return Math.max(...a) <= Math.min(...b) || Math.max(...b) <= Math.min(...a)
}

/** Whether it stands beyond a bed of these corners, in turn either way. */
export function isBeyond(standing: Standing, bed: readonly Point[], slack: number): boolean {
  const turn = Math.sign(
    bed.reduce((sum, [x, y], i) => {
      const [nx, ny] = bed[(i + 1) % bed.length] ?? [x, y]
      return sum + x * ny - nx * y
    }, 0),
  )
  return cornersOf(standing).some(([x, y]) =>
    bed.some(([ax, ay], i) => {
      const [bx, by] = bed[(i + 1) % bed.length] ?? [ax, ay]
      const length = Math.hypot(bx - ax, by - ay)
      if (length === 0) return false
      return (turn * ((bx - ax) * (y - ay) - (by - ay) * (x - ax))) / length < -slack
    }),
  )
}
