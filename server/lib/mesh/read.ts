import { BadMesh, MESH_BYTES, type MeshNote, type Triangles } from './mesh.ts'
import { mend } from './mend.ts'
import { readObj } from './obj.ts'
import { readStl } from './stl.ts'
import { readThreeMf } from './three-mf.ts'

/** A mesh that was read and mended, with all that was odd about it. */
export interface ReadMesh {
  readonly triangles: Triangles
  readonly size: readonly [number, number, number]
  readonly notes: readonly MeshNote[]
}

/** Reads an STL, 3MF or OBJ, by the end of its name. Raises `BadMesh`. */
export function readMeshFile(name: string, bytes: Uint8Array<ArrayBuffer>): ReadMesh {
  if (bytes.length > MESH_BYTES) throw new BadMesh('tooLarge')
  if (bytes.length === 0) throw new BadMesh('empty')
  const { triangles, notes } = byName(name, bytes)
  const mended = mend(triangles)
  return { ...mended, notes: [...notes, ...mended.notes] }
}

function byName(name: string, bytes: Uint8Array<ArrayBuffer>) {
  if (/\.stl$/i.test(name)) return readStl(bytes)
  if (/\.3mf$/i.test(name)) return readThreeMf(bytes)
  if (/\.obj$/i.test(name)) return { triangles: readObj(bytes), notes: [] }
  throw new BadMesh('unknownFormat')
}
