import { AS_IT_CAME, type Footprint, footprintOf } from './outline.ts'

/** A part of a mesh, of so few triangles that a browser has it drawn without a pause. */
export interface Part {
  /** Each corner once. */
  readonly corners: Float32Array<ArrayBuffer>
  /** Which three of them each triangle has. */
  readonly triangles: Uint32Array<ArrayBuffer>
}

/** A mesh as the plate draws it, about the middle of its box. */
export interface Shape {
  readonly parts: readonly Part[]
  /** Nothing of it is farther from its middle. */
  readonly radius: number
  /** What it takes of the plate as it came: reckoned where it is read, since that takes long of a large one. */
  readonly footprint: Footprint
}

const HEADER_BYTES = 84
const FACET_BYTES = 50
const MOST_TRIANGLES = 200_000

/** Reads a binary STL, as the server keeps all meshes. */
export function readShape(stl: ArrayBuffer): Shape {
  const view = new DataView(stl)
  const count = Math.floor((stl.byteLength - HEADER_BYTES) / FACET_BYTES)
  const positions = new Float32Array(9 * count)
  let to = 0
  for (let i = 0; i < count; i++) {
    const at = HEADER_BYTES + FACET_BYTES * i + 12
    for (let n = 0; n < 36; n += 4) positions[to++] = view.getFloat32(at + n, true)
  }
  const radius = centre(positions)
  const parts = partsOf(positions)
  return { parts, radius, footprint: footprintOf(parts, AS_IT_CAME) }
}

/** Three corners for each triangle of a mesh. */
export function positionsOf({ parts }: Shape): Float32Array {
  const positions = new Float32Array(3 * parts.reduce((sum, { triangles }) => sum + triangles.length, 0))
  let to = 0
  for (const { corners, triangles } of parts)
    for (const corner of triangles)
      for (let axis = 0; axis < 3; axis++) positions[to++] = corners[3 * corner + axis] ?? 0
  return positions
}

/** Half the diagonal of its box. */
function centre(positions: Float32Array): number {
  const sides: number[] = []
  for (let axis = 0; axis < 3; axis++) {
    let [min, max] = [Infinity, -Infinity]
    for (let at = axis; at < positions.length; at += 3) {
      const value = positions[at] ?? 0
      if (value < min) min = value
      if (value > max) max = value
    }
    const middle = (min + max) / 2
    for (let at = axis; at < positions.length; at += 3) positions[at] = (positions[at] ?? 0) - middle
    sides.push((max - min) / 2)
  }
  return Math.hypot(...sides)
}

/** Parts of a mesh that is given by three corners for each triangle. */
export function partsOf(positions: Float32Array<ArrayBuffer>): Part[] {
  const parts: Part[] = []
  for (let at = 0; at < positions.length; at += 9 * MOST_TRIANGLES)
    parts.push(partOf(positions.subarray(at, at + 9 * MOST_TRIANGLES)))
  return parts
}

/** A corner is found again by a hash of its numbers. */
function partOf(positions: Float32Array<ArrayBuffer>): Part {
  const words = new Int32Array(positions.buffer, positions.byteOffset, positions.length)
  const size = 2 ** Math.ceil(Math.log2(Math.max(8, (words.length / 3) * 2)))
  const held = new Int32Array(size)
  const corners = new Int32Array(words.length)
  const triangles = new Uint32Array(words.length / 3)
  let count = 0
  for (let n = 0; n < triangles.length; n++) {
    const [x = 0, y = 0, z = 0] = [words[3 * n], words[3 * n + 1], words[3 * n + 2]]
    let slot = slotOf(x, y, z) & (size - 1)
    let number = held[slot] ?? 0
    while (number !== 0) {
      const known = 3 * (number - 1)
      if (corners[known] === x && corners[known + 1] === y && corners[known + 2] === z) break
      slot = (slot + 1) & (size - 1)
      number = held[slot] ?? 0
    }
    if (number === 0) {
      corners[3 * count] = x
      corners[3 * count + 1] = y
      corners[3 * count + 2] = z
      number = ++count
      held[slot] = number
    }
    triangles[n] = number - 1
  }
  return { corners: new Float32Array(corners.buffer.slice(0, 12 * count)), triangles }
}

function slotOf(x: number, y: number, z: number): number {
  const mixed = Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca6b) ^ Math.imul(z, 0xc2b2ae35)
  return mixed ^ (mixed >>> 15)
}
