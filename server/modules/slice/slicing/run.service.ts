import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Ctx } from '../../../ctx.ts'
import type { JobKind } from '../../../engines/jobs/port.ts'
import { placeMeshes } from '../../../engines/mesh/index.ts'
import { SliceFailed, slicerOf } from '../../../engines/slicer/index.ts'
import { AppError } from '../../../http/errors.ts'
import { Text } from '../../../http/texts.ts'
import { type FileId, idOf, type UserId } from '../../../lib/id.ts'
import type { Placing } from '../../../lib/mesh/bake.ts'
import { BadMesh } from '../../../lib/mesh/mesh.ts'
import { engineOf, type Machine, profilesNamed } from '../../../lib/slicing/catalogue.ts'
import { BadSetting, type SettingNote } from '../../../lib/slicing/settings.ts'
import { wordsFor } from '../../../lib/slicing/words.ts'
import { everyTick } from '../../../lib/ticks.ts'
import { placeOf } from '../../files/gcode-files/index.ts'
import { openModel } from '../models/index.ts'
import { readProfiles } from '../profiles/index.ts'
import { storeGCode } from './gcode.service.ts'
import {
  beatJob,
  claimNext,
  completeJob,
  failJob,
  forgetOld,
  hasWaiting,
  type JobRow,
  releaseJob,
  takeFromSilent,
  whoWaits,
} from './slicing.queries.ts'
import { type Asked, type Why, whyOf } from './slicing.rules.ts'

type Door = Pick<FastifyInstance, 'space'>

/** So many slicings at once on a node: cores less one. */
export const AT_ONCE = Math.max(1, availableParallelism() - 1)

/** Somebody has something to be sliced. Which, and whether it is their turn, stands in the rows. */
export const SLICE: JobKind<{ userId: UserId }> = {
  name: 'slice',
  schema: z.object({ userId: idOf<'users'>() }),
  concurrency: AT_ONCE,
  timeoutMs: 20 * 60_000,
}

/** What came of a chat with the slicer's assistant lies among its person's files. */
export const CHAT_SLICED: JobKind<{ userId: UserId; chatId: number; fileId: FileId }> = {
  name: 'sliced-chat',
  schema: z.object({ userId: idOf<'users'>(), chatId: z.int(), fileId: idOf<'gCodeFiles'>() }),
}

/** Who has asked to have it ended sees that within a second. */
const BEAT_MS = 500
const MOST_TRIES = 3
/** Larger G-code no printer takes. */
const MOST_BYTES = 1_073_741_824
/** Placing the meshes, and what the slicer does, as shares of it all. */
const PLACED = 0.05
const SLICED = 0.95

/** Another has it, or nobody wants it any more. */
class GivenUp extends Error {}

/** Has it sliced, once the caller's transaction is committed. */
export async function sliceSoon(ctx: Pick<Ctx, 'db' | 'jobs'>, userId: UserId): Promise<void> {
  await ctx.jobs.enqueue(ctx.db, SLICE, { userId }, { singletonKey: String(userId), owner: userId })
}

/** Slices the next of somebody's; one of theirs at a time, on whichever node. */
export async function runSlice(ctx: Ctx, door: Door, userId: UserId, signal: AbortSignal): Promise<void> {
  const runner = randomUUID()
  const row = await claimNext(ctx.db, userId, runner)
  if (row === undefined) return
  const stops = AbortSignal.any([signal, ctx.stopping])
  const gone = new AbortController()
  const progress = { share: 0 }
  const endBeat = everyTick(ctx, BEAT_MS, async () => {
    if (!(await beatJob(ctx.db, row.id, runner, progress.share))) gone.abort()
  })
  let isOver = false
  try {
    await sliceJob(ctx, door, row, { runner, progress, signal: AbortSignal.any([stops, gone.signal]) })
    isOver = true
  } catch (error) {
    if (!(error instanceof GivenUp) && !gone.signal.aborted) {
      const why = stops.aborted ? null : whyOfError(error)
      if (why === null && (stops.aborted || row.tries < MOST_TRIES)) {
        // Another begins it anew.
        await releaseJob(ctx.db, row.id, runner)
        throw error
      }
      if (why === null) ctx.log.error({ err: error, sliceJobId: row.id }, 'a slicing failed')
      isOver = await failJob(ctx.db, row.id, runner, why ?? whyOf('crashed'))
    }
  } finally {
    endBeat()
  }
  // Of a job that is another's by now the picture is, too.
  if (isOver && row.thumbnail !== null) await ctx.files.remove(row.thumbnail)
  if (await hasWaiting(ctx.db, userId)) await sliceSoon(ctx, userId)
}

/** What somebody can do something about; null for what nobody has foreseen. */
function whyOfError(error: unknown): Why | null {
  if (error instanceof NotSliced) return error.why
  if (error instanceof SliceFailed) return whyOf(error.why, { said: error.said })
  if (error instanceof BadMesh) return whyOf(error.why, {}, 'models-server')
  if (error instanceof BadSetting) return whyOf('badSetting', { key: error.key })
  if (error instanceof AppError && typeof error.body === 'object' && error.body !== null) {
    const said: unknown = Object.values(error.body)[0]
    if (said instanceof Text) return whyOf(said.key, {}, said.file)
  }
  return null
}

class NotSliced extends Error {
  readonly why: Why
  constructor(why: Why) {
    super(why.key)
    this.why = why
  }
}

interface Running {
  readonly runner: string
  readonly progress: { share: number }
  readonly signal: AbortSignal
}

async function sliceJob(ctx: Ctx, door: Door, row: JobRow, running: Running): Promise<void> {
  const { asked, userId } = row
  const { progress, signal } = running
  const folder = await mkdtemp(join(tmpdir(), 'vigil-slice-'))
  try {
    const { machine, filament, print } = await profilesOf(ctx, asked)
    const { paths, sizes } = await placed(ctx, row, { folder, machine, signal })
    progress.share = PLACED
    const words = wordsFor(machine)
    const { values, notes } = words.theirs(asked.overwrites, print.values, sizes)
    const settings = words.settings({ machine, print, filament, own: values })
    const { maxBytes } = await placeOf(ctx, userId)
    const slicer = slicerOf(ctx, engineOf(machine.subPath))
    if (slicer === null) throw new SliceFailed('missing')
    const path = await slicer.slice(
      { folder, meshes: paths, settings, mostBytes: Math.min(maxBytes, MOST_BYTES) },
      { signal, onProgress: (share) => void (progress.share = PLACED + share * (SLICED - PLACED)) },
    )
    await finish(ctx, door, row, running, { path, notes })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function finish(
  ctx: Ctx,
  door: Door,
  { id, asked, userId, thumbnail }: JobRow,
  { runner }: Running,
  { path, notes }: { readonly path: string; readonly notes: readonly SettingNote[] },
): Promise<void> {
  await storeGCode(ctx, door, userId, {
    path,
    name: asked.name,
    thumbnail,
    // The file and its job's end are one: whoever is late leaves neither.
    within: async (tx, fileId) => {
      if (!(await completeJob(tx, id, runner, { fileId, notes }))) throw new GivenUp()
      if (asked.chat !== undefined)
        await ctx.jobs.enqueue(tx, CHAT_SLICED, { userId, chatId: asked.chat, fileId })
    },
  })
}

/** Raises `NotSliced` when a profile is there no more, or goes with another printer. */
async function profilesOf(ctx: Ctx, asked: Asked) {
  const { machine, filament, print } = profilesNamed(await readProfiles(ctx), asked)
  if (!machine || !filament || !print) throw new NotSliced(whyOf('noProfile'))
  return { machine, filament, print }
}

/** Brings the meshes, and places them. Raises `NotSliced` when one is gone, or goes beyond what the printer reaches. */
async function placed(
  ctx: Ctx,
  { asked, userId }: JobRow,
  { folder, machine, signal }: { folder: string; machine: Machine; signal: AbortSignal },
) {
  const meshes: { path: string; placing: Placing; name: string }[] = []
  for (const [i, { model, ...placing }] of asked.meshes.entries()) {
    const path = join(folder, `${i}.stl`)
    const found = await openModel(ctx, userId, model, path)
    if (found === null) throw new NotSliced(whyOf('meshGone'))
    meshes.push({ path, placing, name: found.name })
  }
  const places = await placeMeshes(meshes, { bed: machine.bed, height: machine.height }, signal)
  const sizes = places.map(({ outside, box: { min, max } }, i) => {
    if (outside !== null) throw new NotSliced(whyOf(outside, { name: meshes[i]?.name ?? '' }))
    return [max[0] - min[0], max[1] - min[1], max[2] - min[2]] as const
  })
  return { paths: meshes.map(({ path }) => path), sizes }
}

/** What a dead node has left goes on elsewhere. */
export async function sweepSlices(ctx: Ctx): Promise<void> {
  await takeFromSilent(ctx.db, MOST_TRIES, whyOf('crashed'))
  for (const userId of await whoWaits(ctx.db)) await sliceSoon(ctx, userId)
  await forgetOld(ctx.db)
}
