/** Worker thread that reads one mesh, cuts one, or places those of one plate, and ends. */
import { readFileSync, writeFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { bake, outsideOf } from '../../lib/mesh/bake.ts'
import { BadMesh, MESH_TRIANGLES } from '../../lib/mesh/mesh.ts'
import { pictureOf } from '../../lib/mesh/picture.ts'
import { readMeshFile } from '../../lib/mesh/read.ts'
import { readStl, writeStl } from '../../lib/mesh/stl.ts'
import { boxOf } from '../../lib/mesh/mend.ts'
import { PICTURE_PIXELS, type Task } from './port.ts'

async function work(task: Task): Promise<unknown> {
  if (task.kind === 'cut') {
    const { cutMesh } = await import('./cut.ts')
    const sides = await cutMesh(readStl(readFileSync(task.from)).triangles, task)
    for (const side of ['below', 'above'] as const) writeFileSync(task[side], writeStl(sides[side]))
    return true
  }
  if (task.kind === 'read') {
    const { triangles, size, notes } = readMeshFile(task.name, readFileSync(task.from))
    writeFileSync(task.to, writeStl(triangles))
    return { count: triangles.length / 9, size, notes, picture: pictureOf(triangles, PICTURE_PIXELS) }
  }
  let count = 0
  return task.meshes.map(({ path, placing }) => {
    const { triangles } = readStl(readFileSync(path))
    count += triangles.length / 9
    if (count > MESH_TRIANGLES) throw new BadMesh('tooManyTriangles')
    bake(triangles, placing)
    const outside = outsideOf(triangles, task.plate)
    writeFileSync(path, writeStl(triangles))
    return { outside, box: boxOf(triangles) }
  })
}

const task: Task = workerData
try {
  parentPort?.postMessage({ done: await work(task) })
} catch (error) {
  if (!(error instanceof BadMesh)) throw error
  parentPort?.postMessage({ refused: error.why })
}
