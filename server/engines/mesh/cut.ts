import Module, { type Manifold, type ManifoldToplevel } from 'manifold-3d'
import { boxOf } from '../../lib/mesh/mend.ts'
import { BadMesh, type Triangles } from '../../lib/mesh/mesh.ts'
import type { CutPlane } from './port.ts'

/** What is cut is held several times. */
const MOST_TRIANGLES = 1_000_000

/** The two sides of a mesh, each closed where it was cut. Raises `BadMesh` for one that encloses nothing, and where a side is empty. */
export async function cutMesh(
  triangles: Triangles,
  { normal, offset }: CutPlane,
): Promise<{ readonly below: Triangles; readonly above: Triangles }> {
  if (triangles.length > 9 * MOST_TRIANGLES) throw new BadMesh('tooManyToCut')
  const kit = await Module()
  kit.setup()
  const { min, max } = boxOf(triangles)
  const length = Math.hypot(...normal)
  const middle = [0, 1, 2].reduce(
    (sum, axis) => sum + ((normal[axis] ?? 0) / length) * (((min[axis] ?? 0) + (max[axis] ?? 0)) / 2),
    0,
  )
  const [above, below] = solidOf(kit, triangles).splitByPlane([...normal], offset + middle)
  if (above.isEmpty() || below.isEmpty()) throw new BadMesh('cutBeside')
  return { below: trianglesOf(below), above: trianglesOf(above) }
}

/** Corners at one place become one. */
function solidOf(kit: ManifoldToplevel, triangles: Triangles): Manifold {
  const mesh = new kit.Mesh({
    numProp: 3,
    vertProperties: triangles,
    triVerts: Uint32Array.from({ length: triangles.length / 3 }, (_, i) => i),
  })
  mesh.merge()
  try {
    return new kit.Manifold(mesh)
  } catch (cause) {
    throw new BadMesh('uncuttable', { cause })
  }
}

function trianglesOf(solid: Manifold): Triangles {
  const { vertProperties, triVerts, numProp } = solid.getMesh()
  const triangles = new Float32Array(3 * triVerts.length)
  for (const [i, corner] of triVerts.entries())
    for (let axis = 0; axis < 3; axis++)
      triangles[3 * i + axis] = vertProperties[numProp * corner + axis] ?? 0
  return triangles
}
