import { randomBytes } from 'node:crypto'
import type { SliceParams } from '@vigil/contract/slice/slicer.ts'
import type { Ctx } from '../../../ctx.ts'
import { inTransaction } from '../../../engines/db/transaction.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import { AppError, forbidden, unavailable } from '../../../http/errors.ts'
import { text } from '../../../http/texts.ts'
import type { Place } from '../../../http/upload.ts'
import type { UserId } from '../../../lib/id.ts'
import { engineOf } from '../../../lib/slicing/catalogue.ts'
import { nameOf, requireSliceable } from '../profiles/index.ts'
import { sliceSoon } from './run.service.ts'
import { cancelJob, findJob, insertJob, type JobRow, removeJob } from './slicing.queries.ts'
import { type Asked, gcodeName, modelIn } from './slicing.rules.ts'

/** Of one person, the one that is worked on among them. */
const MOST_OPEN = 20
const THUMBNAIL_BYTES = 4 * 1_048_576
const say = (key: string) => text('slicing-server', key)

/** Where the picture of what is sliced lies until its file has it. */
export function placeOfThumbnail(userId: UserId): Place {
  const ref: MediaRef = {
    container: 'tsd-gcodes',
    path: `slices/${userId}/${randomBytes(12).toString('hex')}.jpg`,
  }
  return { ref, maxBytes: THUMBNAIL_BYTES, tooLarge: new AppError(413, { error: say('pictureTooLarge') }) }
}

/**
 * Puts meshes among what is to be sliced. Raises 400 for profiles and settings that cannot be, 403 for a mesh of another address, 429 when
 * too many wait, 503 without a slicer.
 */
export async function askSlice(
  ctx: Ctx,
  userId: UserId,
  {
    params,
    origin,
    thumbnail,
    chat,
  }: { params: SliceParams; origin: string; thumbnail: MediaRef; chat: number | null },
): Promise<JobRow> {
  const asked = { ...(await checked(ctx, params, origin)), ...(chat === null ? {} : { chat }) }
  if ((await nameOf(ctx, engineOf(asked.machine))) === null) throw unavailable(say('missing'))
  const row = await inTransaction(ctx.db, async (tx) => {
    const values = { asked: JSON.stringify(asked), thumbnail: JSON.stringify(thumbnail) }
    const job = await insertJob(tx, userId, values, MOST_OPEN)
    if (job) await sliceSoon({ ...ctx, db: tx }, userId)
    return job
  })
  if (row === null) throw new AppError(429, { detail: say('tooMany') })
  return row
}

async function checked(ctx: Ctx, params: SliceParams, origin: string): Promise<Asked> {
  const meshes = params.meshes.map(({ url, translate, rotate, scale }) => {
    const model = modelIn(url, origin)
    if (model === null) throw forbidden(say('foreignMesh'))
    return { model, translate, rotate, scale }
  })
  const {
    machine_sub_path: machine,
    filament_sub_path: filament,
    print_process_sub_path: print,
  } = params.slicer_profiles
  const overwrites = params.profile_overwrites ?? {}
  await requireSliceable(ctx, { machine, filament, print }, overwrites)
  return { meshes, machine, filament, print, overwrites, name: gcodeName(params.target_gcode_name) }
}

/** Ends a job that is open, forgets one that is over; false when there is none such. */
export async function endJob(ctx: Ctx, userId: UserId, id: number): Promise<boolean> {
  const row = await findJob(ctx.db, userId, id)
  if (row === undefined) return false
  if (await cancelJob(ctx.db, row)) {
    if (row.thumbnail !== null) await ctx.files.remove(row.thumbnail)
    // Who comes next need not wait until the one that worked on it has noticed.
    await sliceSoon(ctx, userId)
  } else await removeJob(ctx.db, row)
  return true
}
