/** Makes the meshes of the sample catalogue, `server/engines/designs/sample/*.stl`. Run: node scripts/designs.ts */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeStl } from '../server/lib/mesh/stl.ts'
import { MODELS } from './designs/models.ts'

const folder = join(import.meta.dirname, '../server/engines/designs/sample')

for (const [key, make] of Object.entries(MODELS)) {
  const mesh = make().simplify(0.01).getMesh()
  const corners = new Float32Array(mesh.triVerts.length * 3)
  mesh.triVerts.forEach((at, i) => {
    for (let axis = 0; axis < 3; axis++)
      corners[3 * i + axis] = mesh.vertProperties[at * mesh.numProp + axis] ?? 0
  })
  writeFileSync(join(folder, `${key}.stl`), writeStl(corners))
}
