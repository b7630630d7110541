import { BadMesh, type MeshNote, type Triangles } from './mesh.ts'
import { normalOf } from './stl.ts'

/** Edges are compared up to here; a slicer mends what is larger, too, but says nothing of it. */
const COMPARED_TRIANGLES = 1_000_000
/** Thinner than any layer and any line: there is nothing to print. */
const FLAT_MM = 0.001
const TINY_MM = 1
const HUGE_MM = 1_000

export interface Box {
  readonly min: readonly [number, number, number]
  readonly max: readonly [number, number, number]
}

export function boxOf(triangles: Triangles): Box {
  const min: [number, number, number] = [Infinity, Infinity, Infinity]
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity]
  for (let i = 0; i < triangles.length; i++) {
    const value = triangles[i] ?? 0
    const axis = i % 3 === 0 ? 0 : i % 3 === 1 ? 1 : 2
    if (value < min[axis]) min[axis] = value
    if (value > max[axis]) max[axis] = value
  }
  return { min, max }
}

/** A mesh that can be shown and sliced: without empty triangles, turned outwards, above the middle of its plate. */
export interface Mended {
  readonly triangles: Triangles
  readonly notes: MeshNote[]
  readonly size: readonly [number, number, number]
}

/** Raises `BadMesh` for one that encloses nothing. */
export function mend(given: Triangles): Mended {
  const { triangles, dropped } = withoutEmpty(given)
  const notes: MeshNote[] = dropped > 0 ? [{ about: 'degenerate', count: dropped }] : []
  const { min, max } = boxOf(triangles)
  const size = [max[0] - min[0], max[1] - min[1], max[2] - min[2]] as const
  if (Math.min(...size) < FLAT_MM) throw new BadMesh('flat')
  if (Math.max(...size) < TINY_MM) notes.push({ about: 'tiny', count: 1 })
  if (Math.max(...size) > HUGE_MM) notes.push({ about: 'huge', count: 1 })
  const [x, y, z] = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, min[2]]
  const volume = settle(triangles, [x, y, z])
  const edges = edgesOf(triangles)
  if (edges === null) notes.push({ about: 'unchecked', count: 1 })
  else if (edges.open > 0) notes.push({ about: 'open', count: edges.open })
  if (edges && edges.uneven > 0) notes.push({ about: 'uneven', count: edges.uneven })
  if (volume < 0) {
    turn(triangles)
    notes.push({ about: 'flipped', count: 1 })
  }
  return { triangles, notes, size }
}

function withoutEmpty(given: Triangles) {
  let to = 0
  for (let at = 0; at < given.length; at += 9) {
    if (normalOf(given.subarray(at, at + 9)).area === 0) continue
    if (to !== at) given.copyWithin(to, at, at + 9)
    to += 9
  }
  if (to === 0) throw new BadMesh('flat')
  return { triangles: given.subarray(0, to), dropped: (given.length - to) / 9 }
}

/** Moves a mesh so that what was at `origin` is at 0; returns six times what it encloses. */
function settle(triangles: Triangles, origin: readonly number[]): number {
  let volume = 0
  for (let at = 0; at < triangles.length; at += 9) {
    for (let n = 0; n < 9; n++) triangles[at + n] = (triangles[at + n] ?? 0) - (origin[n % 3] ?? 0)
    const t = triangles.subarray(at, at + 9)
    const { normal } = normalOf(t)
    volume += (t[0] ?? 0) * normal[0] + (t[1] ?? 0) * normal[1] + (t[2] ?? 0) * normal[2]
  }
  return volume
}

/** Inside out: two corners of each triangle change places. */
export function turn(triangles: Triangles): void {
  for (let at = 0; at < triangles.length; at += 9)
    for (let n = 3; n < 6; n++) {
      const kept = triangles[at + n] ?? 0
      triangles[at + n] = triangles[at + n + 3] ?? 0
      triangles[at + n + 3] = kept
    }
}

/**
 * Edges that belong to one triangle alone, and those whose two triangles do not face the same side; null for a mesh too large to be
 * looked at in a moment. Points are one when they are equal.
 */
function edgesOf(triangles: Triangles): { open: number; uneven: number } | null {
  const count = triangles.length / 9
  if (count > COMPARED_TRIANGLES) return null
  const ids = pointsOf(triangles)
  const table = new EdgeTable(3 * count)
  for (let i = 0; i < ids.length; i += 3)
    for (let n = 0; n < 3; n++) table.add(ids[i + n] ?? 0, ids[i + ((n + 1) % 3)] ?? 0)
  return table.said()
}

const slotsFor = (entries: number) => 2 ** Math.ceil(Math.log2(2 * entries + 2))
const mixed = (a: number, b: number) => {
  let h = Math.imul(a ^ (b >>> 16) ^ (b << 7), 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 15), 0xc2b2ae35)
  return (h ^ (h >>> 13)) >>> 0
}

/** The number of each corner's point. */
function pointsOf(triangles: Triangles): Int32Array {
  const bits = new Int32Array(triangles.buffer, triangles.byteOffset, triangles.length)
  for (let i = 0; i < triangles.length; i++) if (triangles[i] === 0) triangles[i] = 0
  const corners = triangles.length / 3
  const slots = slotsFor(corners)
  const first = new Int32Array(slots).fill(-1)
  const ids = new Int32Array(corners)
  const isSame = (a: number, b: number) =>
    bits[3 * a] === bits[3 * b] && bits[3 * a + 1] === bits[3 * b + 1] && bits[3 * a + 2] === bits[3 * b + 2]
  for (let corner = 0; corner < corners; corner++) {
    const key = mixed(bits[3 * corner] ?? 0, bits[3 * corner + 1] ?? 0)
    let slot = mixed(key, bits[3 * corner + 2] ?? 0) & (slots - 1)
    let known = first[slot] ?? -1
    while (known >= 0 && !isSame(known, corner)) {
      slot = (slot + 1) & (slots - 1)
      known = first[slot] ?? -1
    }
    if (known < 0) first[slot] = corner
    ids[corner] = known < 0 ? corner : known
  }
  return ids
}

/** How often each edge is walked, in either direction. */
class EdgeTable {
  readonly #low: Int32Array
  readonly #high: Int32Array
  readonly #forth: Uint16Array
  readonly #back: Uint16Array
  readonly #mask: number

  constructor(edges: number) {
    const slots = slotsFor(edges)
    this.#mask = slots - 1
    this.#low = new Int32Array(slots).fill(-1)
    this.#high = new Int32Array(slots)
    this.#forth = new Uint16Array(slots)
    this.#back = new Uint16Array(slots)
  }

  add(from: number, to: number): void {
    const [low, high] = from < to ? [from, to] : [to, from]
    let slot = mixed(low, high) & this.#mask
    while (this.#low[slot] !== -1 && !(this.#low[slot] === low && this.#high[slot] === high))
      slot = (slot + 1) & this.#mask
    this.#low[slot] = low
    this.#high[slot] = high
    const walked = from < to ? this.#forth : this.#back
    walked[slot] = Math.min(65_535, (walked[slot] ?? 0) + 1)
  }

  said(): { open: number; uneven: number } {
    let [open, uneven] = [0, 0]
    for (let slot = 0; slot < this.#low.length; slot++) {
      const [forth = 0, back = 0] = [this.#forth[slot], this.#back[slot]]
      if (forth === back) continue
      if ((forth + back) % 2 === 1) open++
      else uneven++
    }
    return { open, uneven }
  }
}
