import { AS_IT_CAME, type Footprint, footprintOf } from './outline.ts'

/** A mesh as the plate draws it, about the middle of its box. */
export interface Shape {
  /** Three corners for each triangle. */
  readonly positions: Float32Array<ArrayBuffer>
  /** Each corner once: what its outline is reckoned of. */
  readonly corners: Float32Array<ArrayBuffer>
  /** Nothing of it is farther from its middle. */
  readonly radius: number
  /** What it takes of the plate as it came: reckoned where it is read, since that takes long of a large one. */
  readonly footprint: Footprint
}

const HEADER_BYTES = 84
const FACET_BYTES = 50

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
  const corners = cornersOf(positions)
  return { positions, corners, radius, footprint: footprintOf(corners, AS_IT_CAME) }
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

/** Each corner once, found again by a hash of its numbers. */
export function cornersOf(positions: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
  const words = new Int32Array(positions.buffer, positions.byteOffset, positions.length)
  const size = 2 ** Math.ceil(Math.log2(Math.max(8, (positions.length / 3) * 2)))
  const held = new Int32Array(size)
  const corners = new Float32Array(positions.length)
  let count = 0
  for (let at = 0; at < words.length; at += 3) {
    const [x = 0, y = 0, z = 0] = [words[at], words[at + 1], words[at + 2]]
    let slot = slotOf(x, y, z) & (size - 1)
    for (let other = held[slot] ?? 0; other !== 0; other = held[slot] ?? 0) {
      const known = other - 1
      if (words[known] === x && words[known + 1] === y && words[known + 2] === z) break
      slot = (slot + 1) & (size - 1)
    }
    if (held[slot] !== 0) continue
    held[slot] = at + 1
    for (let axis = 0; axis < 3; axis++) corners[count++] = positions[at + axis] ?? 0
  }
  return corners.slice(0, count)
}

function slotOf(x: number, y: number, z: number): number {
  const mixed = Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca6b) ^ Math.imul(z, 0xc2b2ae35)
  return mixed ^ (mixed >>> 15)
}
