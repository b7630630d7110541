import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeStl } from '../../lib/mesh/stl.ts'
import { sliceWithPrusa } from './prusa.ts'

/** The corners of the two triangles of each side, three bits each: x, y, z. */
const SIDES = [
  0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5,
]
const SIDE_MM = 10
const AT_MM = 50
const GCODE_BYTES = 4 * 1_048_576
const TIME_MS = 60_000

const cube = () =>
  new Float32Array(
    SIDES.flatMap((corner) => [
      AT_MM + (corner & 1) * SIDE_MM,
      AT_MM + ((corner >> 1) & 1) * SIDE_MM,
      ((corner >> 2) & 1) * SIDE_MM,
    ]),
  )

/** Has this program slice a cube. Raises what `sliceWithPrusa` raises when it cannot. */
export async function proveSlicer(
  server: { readonly stopping: AbortSignal },
  program: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'vigil-proof-'))
  try {
    const mesh = join(folder, 'cube.stl')
    await writeFile(mesh, writeStl(cube()))
    const work = { folder, meshes: [mesh], settings: '', mostBytes: GCODE_BYTES }
    await sliceWithPrusa(server, program, work, { signal, onProgress: () => {}, timeMs: TIME_MS })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
