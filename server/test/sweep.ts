import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSlicer } from '../engines/slicer/index.ts'
import { bake } from '../lib/mesh/bake.ts'
import { writeStl } from '../lib/mesh/stl.ts'
import type { Catalogue, Machine } from '../lib/slicing/catalogue.ts'
import { wordsFor } from '../lib/slicing/words.ts'
import { readVendors, vendorsIn } from '../modules/slice/profiles/vendors.ts'
import { boxTriangles } from './meshes.ts'

const SIDE_MM = 15
const config = { SLICER_PROGRAM: undefined, SLICER_PROFILES: undefined, dataFolder: '/nowhere' }
const slicer = openSlicer({ stopping: new AbortController().signal, config })

/** All machines of the bundles of the system's PrusaSlicer. */
export const systemMachines = async (): Promise<Catalogue['machines']> =>
  (await readVendors(await vendorsIn('prusa', slicer.profiles))).machines

/** Slices a cube in the middle of a machine's bed, with its own filament and process; the bytes of G-code, or why there are none. */
export async function cubeOn(machine: Machine): Promise<number | string> {
  const { print, filament, bed } = machine
  if (!print || !filament) return 'no profile'
  const middle = (axis: 0 | 1) =>
    (Math.min(...bed.map((corner) => corner[axis])) + Math.max(...bed.map((corner) => corner[axis]))) / 2
  const cube = new Float32Array(boxTriangles(SIDE_MM))
  bake(cube, { translate: [middle(0), middle(1), 0], rotate: [0, 0, 0], scale: [1, 1, 1] })
  const folder = await mkdtemp(join(tmpdir(), 'vigil-sweep-'))
  try {
    const mesh = join(folder, 'cube.stl')
    await writeFile(mesh, writeStl(cube))
    const settings = wordsFor(machine).settings({ machine, print, filament, own: new Map() })
    const work = { folder, meshes: [mesh], settings, mostBytes: 64 * 1_048_576 }
    const options = { signal: new AbortController().signal, onProgress: () => {}, timeMs: 60_000 }
    return (await stat(await slicer.slice(work, options))).size
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
