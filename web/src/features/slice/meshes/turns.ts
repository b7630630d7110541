import { Euler, Quaternion, Vector3 } from 'three'
import type { Footprint } from './outline.ts'
import type { Vector } from './plate.ts'
import type { Part } from './stl.ts'

const RADIANS = Math.PI / 180
const DOWN = new Vector3(0, 0, -1)
/** Steeper than this from the bed nothing needs support. */
const OVERHANG = Math.cos(45 * RADIANS)
/** So many triangles say where a mesh hangs over. */
const MOST_LOOKED_AT = 20_000
const MOST_FACES = 14
/** A face that lies on the bed is worth so much of what hangs over. */
const HELD = 0.4
const GAP_MM = 6

const degreesOf = (euler: Euler): Vector => {
  const round = (value: number) => Number((value / RADIANS).toFixed(3)) || 0
  return [round(euler.x), round(euler.y), round(euler.z)]
}

/** How a piece is turned so that the face of this normal, as it stands now, lies on the bed. */
export function laidOn(normal: Vector3, rotate: Vector): Vector {
  const now = new Quaternion().setFromEuler(
    new Euler(rotate[0] * RADIANS, rotate[1] * RADIANS, rotate[2] * RADIANS),
  )
  const turn = new Quaternion().setFromUnitVectors(normal.clone().normalize(), DOWN)
  return degreesOf(new Euler().setFromQuaternion(turn.multiply(now)))
}

interface Face {
  readonly normal: Vector3
  readonly area: number
  readonly middle: Vector3
}

/** How a mesh is turned so that least of it hangs over and most of it is held: on one of its large faces, or a side of its box. */
export function bestTurn(parts: readonly Part[]): Vector {
  const faces = facesOf(parts)
  const sides = [1, -1].flatMap((sign) => [
    new Vector3(sign, 0, 0),
    new Vector3(0, sign, 0),
    new Vector3(0, 0, sign),
  ])
  let best = { normal: DOWN, cost: Infinity }
  for (const normal of [DOWN, ...largest(faces), ...sides]) {
    const cost = costOf(faces, normal)
    if (cost < best.cost - 1e-6) best = { normal, cost }
  }
  return laidOn(best.normal, [0, 0, 0])
}

function facesOf(parts: readonly Part[]): Face[] {
  const count = parts.reduce((sum, { triangles }) => sum + triangles.length / 3, 0)
  const step = Math.max(1, Math.ceil(count / MOST_LOOKED_AT))
  const faces: Face[] = []
  const [a, b, c] = [new Vector3(), new Vector3(), new Vector3()]
  for (const { corners, triangles } of parts)
    for (let at = 0; at < triangles.length; at += 3 * step) {
      for (const [n, corner] of [a, b, c].entries()) corner.fromArray(corners, 3 * (triangles[at + n] ?? 0))
      const normal = b.clone().sub(a).cross(c.clone().sub(a))
      const area = normal.length() / 2
      if (area > 0)
        faces.push({ normal: normal.normalize(), area, middle: a.clone().add(b).add(c).divideScalar(3) })
    }
  return faces
}

/** Directions in which most of a mesh looks. */
function largest(faces: readonly Face[]): Vector3[] {
  const by = new Map<string, { normal: Vector3; area: number }>()
  for (const { normal, area } of faces) {
    const key = [normal.x, normal.y, normal.z].map((value) => Math.round(value * 20)).join(' ')
    by.set(key, { normal, area: (by.get(key)?.area ?? 0) + area })
  }
  return [...by.values()]
    .toSorted((one, other) => other.area - one.area)
    .slice(0, MOST_FACES)
    .map(({ normal }) => normal)
}

/** What hangs over when this direction looks down, less what lies on the bed. */
function costOf(faces: readonly Face[], down: Vector3): number {
  const lowest = Math.max(...faces.map(({ middle }) => middle.dot(down)))
  let cost = 0
  for (const { normal, area, middle } of faces) {
    const facing = normal.dot(down)
    if (facing < OVERHANG) continue
    const isOnBed = facing > 0.999 && lowest - middle.dot(down) < 0.1
    cost += isOnBed ? -HELD * area : area
  }
  return cost
}

/** Where pieces stand side by side about a middle: the deepest first, in rows. */
export function arranged(
  pieces: readonly { readonly key: string; readonly footprint: Footprint }[],
  middle: readonly [number, number],
): ReadonlyMap<string, Vector> {
  const sized = pieces
    .map(({ key, footprint: { min, max } }) => ({
      key,
      min,
      width: max[0] - min[0] + GAP_MM,
      depth: max[1] - min[1] + GAP_MM,
    }))
    .toSorted((one, other) => other.depth - one.depth)
  const area = sized.reduce((sum, { width, depth }) => sum + width * depth, 0)
  const broad = Math.max(Math.sqrt(area) * 1.05, ...sized.map(({ width }) => width))
  let [x, y, row] = [0, 0, 0]
  const placed = sized.map((one) => {
    if (x > 0 && x + one.width > broad) [x, y, row] = [0, y + row, 0]
    const at = { ...one, x, y }
    x += one.width
    row = Math.max(row, one.depth)
    return at
  })
  const [wide, deep] = [Math.max(0, ...placed.map((one) => one.x + one.width)), y + row]
  return new Map(
    placed.map((one) => [
      one.key,
      [
        middle[0] - wide / 2 + one.x + GAP_MM / 2 - one.min[0],
        middle[1] - deep / 2 + one.y + GAP_MM / 2 - one.min[1],
        0,
      ] as const,
    ]),
  )
}
