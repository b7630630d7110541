import { Euler, Matrix4, Vector3 } from 'three'
import { DIRECTIONS, type Footprint, type Point } from './outline.ts'
import type { Vector } from './plate.ts'

const RADIANS = Math.PI / 180

/** The turn and scale of a piece as a matrix. */
export const turnOf = (rotate: Vector, scale: Vector): Matrix4 =>
  new Matrix4()
    .makeRotationFromEuler(new Euler(rotate[0] * RADIANS, rotate[1] * RADIANS, rotate[2] * RADIANS))
    .scale(new Vector3(...scale))

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
