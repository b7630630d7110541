import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import pLimit from 'p-limit'
import sharp from 'sharp'
import type { Outside, Placing, Plate } from '../../lib/mesh/bake.ts'
import { BadMesh, type MeshNote, type Refusal } from '../../lib/mesh/mesh.ts'
import type { Box } from '../../lib/mesh/mend.ts'
import { type CutPlane, PICTURE_PIXELS, type Task } from './port.ts'

const LONGEST_MS = 90_000
const HEAP_MB = 1_500
/** One core is not for meshes. */
const inTurn = pLimit(1)

/** What was learnt of a mesh, which lies at `to` as a binary STL. */
export interface Learnt {
  readonly count: number
  readonly size: readonly [number, number, number]
  readonly notes: readonly MeshNote[]
  /** A PNG. */
  readonly picture: Uint8Array
}

/** Reads the mesh in the file `from`, mended, and writes it to `to`, in a thread of its own. Raises `BadMesh`. */
export async function readMesh(
  files: { readonly name: string; readonly from: string; readonly to: string },
  signal: AbortSignal,
): Promise<Learnt> {
  const learnt = await run<Omit<Learnt, 'picture'> & { picture: Uint8Array }>(
    { kind: 'read', ...files },
    signal,
  )
  const raw = { width: PICTURE_PIXELS, height: PICTURE_PIXELS, channels: 4 } as const
  return { ...learnt, picture: await sharp(learnt.picture, { raw }).png({ palette: true }).toBuffer() }
}

/** Places the meshes in these files, which change, and says of each why it cannot be printed there, if so. Raises `BadMesh`. */
export async function placeMeshes(
  meshes: readonly { readonly path: string; readonly placing: Placing }[],
  plate: Plate,
  signal: AbortSignal,
): Promise<readonly { readonly outside: Outside | null; readonly box: Box }[]> {
  return await run({ kind: 'bake', meshes, plate }, signal)
}

/** Cuts the mesh in the file `from`, a binary STL, and writes both sides, closed. Raises `BadMesh`. */
export async function cutFile(
  files: { readonly from: string; readonly below: string; readonly above: string },
  plane: CutPlane,
  signal: AbortSignal,
): Promise<void> {
  await run<boolean>({ kind: 'cut', ...files, ...plane }, signal)
}

function run<T>(task: Task, stopping: AbortSignal): Promise<T> {
  return inTurn(async () => {
    const worker = new Worker(new URL('./mesh.worker.ts', import.meta.url), {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    })
    const late = AbortSignal.timeout(LONGEST_MS)
    try {
      const [said]: { done?: T; refused?: Refusal }[] = await once(worker, 'message', {
        signal: AbortSignal.any([stopping, late]),
      })
      if (said?.refused !== undefined) throw new BadMesh(said.refused)
      if (said?.done === undefined) throw new Error('nothing was read')
      return said.done
    } catch (error) {
      if (late.aborted) throw new BadMesh('tooSlow')
      // what unpacks to more than the thread may hold
      if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
        throw new BadMesh('tooLarge')
      throw error
    } finally {
      await worker.terminate()
    }
  })
}
