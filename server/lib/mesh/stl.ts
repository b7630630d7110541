import { BadMesh, Collector, MESH_TRIANGLES, type MeshNote, type Triangles } from './mesh.ts'

const HEADER_BYTES = 84
const FACET_BYTES = 50

/** What a file holds, and what was odd about it. */
export interface Read {
  readonly triangles: Triangles
  readonly notes: MeshNote[]
}

/**
 * Reads an STL of either kind. The size of a binary file goes before the count in its header, which some programs leave wrong. Raises
 * `BadMesh`.
 */
export function readStl(bytes: Uint8Array<ArrayBuffer>): Read {
  if (bytes.length === 0) throw new BadMesh('empty')
  const isText = saysSolid(bytes)
  if (bytes.length < HEADER_BYTES && !isText) throw new BadMesh('broken')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isWhole =
    bytes.length >= HEADER_BYTES && bytes.length === HEADER_BYTES + view.getUint32(80, true) * FACET_BYTES
  if (isText && !isWhole) return { triangles: readText(bytes), notes: [] }
  const count = (bytes.length - HEADER_BYTES) / FACET_BYTES
  if (!Number.isInteger(count)) throw new BadMesh('broken')
  if (count > MESH_TRIANGLES) throw new BadMesh('tooManyTriangles')
  const into = new Collector()
  for (let at = HEADER_BYTES; at < bytes.length; at += FACET_BYTES)
    for (let corner = at + 12; corner < at + 48; corner += 12)
      into.corner(
        view.getFloat32(corner, true),
        view.getFloat32(corner + 4, true),
        view.getFloat32(corner + 8, true),
      )
  return { triangles: into.done(), notes: isWhole ? [] : [{ about: 'count', count: 1 }] }
}

/** Binary files begin with the word, too, now and then: what follows is looked at. */
function saysSolid(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 1000)).toString('latin1').trimStart()
  return start.startsWith('solid') && (start.includes('facet') || start.includes('endsolid'))
}

function readText(bytes: Uint8Array<ArrayBuffer>): Triangles {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  const into = new Collector()
  const line = /vertex[ \t]{1,20}(\S{1,40})[ \t]{1,20}(\S{1,40})[ \t]{1,20}(\S{1,40})/y
  for (let at = text.indexOf('vertex'); at >= 0; at = text.indexOf('vertex', line.lastIndex)) {
    line.lastIndex = at
    const found = line.exec(text)
    if (!found) throw new BadMesh('broken')
    into.corner(Number(found[1]), Number(found[2]), Number(found[3]))
  }
  return into.done()
}

/** A binary STL, with the normals that viewers want. */
export function writeStl(triangles: Triangles): Uint8Array<ArrayBuffer> {
  const count = triangles.length / 9
  const bytes = new Uint8Array(HEADER_BYTES + FACET_BYTES * count)
  const view = new DataView(bytes.buffer)
  view.setUint32(80, count, true)
  for (let i = 0; i < count; i++) {
    const t = triangles.subarray(9 * i, 9 * i + 9)
    const at = HEADER_BYTES + FACET_BYTES * i
    const { normal, area } = normalOf(t)
    for (let axis = 0; axis < 3; axis++)
      view.setFloat32(at + 4 * axis, area > 0 ? (normal[axis] ?? 0) / area : 0, true)
    for (let n = 0; n < 9; n++) view.setFloat32(at + 12 + 4 * n, t[n] ?? 0, true)
  }
  // Slicers take a file for text where no byte of its first facets is above 127.
  if (count > 0) view.setUint16(HEADER_BYTES + FACET_BYTES - 2, 0x00ff, true)
  return bytes
}

/** The normal of a triangle, and its length: twice the area. */
export function normalOf(t: Float32Array): { normal: [number, number, number]; area: number } {
  const [ax = 0, ay = 0, az = 0, bx = 0, by = 0, bz = 0, cx = 0, cy = 0, cz = 0] = t
  const [ux, uy, uz, vx, vy, vz] = [bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az]
  const normal: [number, number, number] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx]
  return { normal, area: Math.hypot(...normal) }
}
