import { randomInt } from 'node:crypto'
import type { Ctx } from '../../../ctx.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import { BadPicture, DetectorUnavailable } from '../../../engines/inference/port.ts'
import { reencode } from '../../../engines/inference/reencode.ts'
import { AppError, notFound, unavailable } from '../../../http/errors.ts'
import { spend } from '../../../http/limits.ts'
import { inRounds } from '../../../lib/batch.ts'
import { PictureError, readDimensions, stripJpeg } from '../../../lib/jpeg.ts'
import { keys, type PictureRecord } from '../../presence/index.ts'
import { findAllWatched, insertFrames, type Watched } from '../detection.queries.ts'
import { judge } from '../looking/look.service.ts'
import { showPicture } from '../watch/picture.service.ts'
import { isActivelyPrinting, isMeantToBeWatched } from '../watch/watch.service.ts'
import { printTimeOf } from '../watch/watched.rules.ts'

const MAX_PIXELS = 40_000_000
/** Agents expect an empty answer. */
const PICTURES = {
  name: 'pictures',
  windowMs: 60_000,
  refuse: (seconds: number) => new AppError(429, '', { 'retry-after': String(Math.ceil(seconds)) }),
}
/** Larger pictures are scaled to fit 1280x960 (docs/rules/detection.md 1). */
const MAX_SIDE = 1296
/** The hyper-parameters are tuned for one look in 10 s (docs/rules/detection.md 3). */
const DETECTION_INTERVAL_MS = 10_000

/** When each printer was last handed to the detector by this node, on the monotonic clock. */
const lastLook = new Map<number, number>()

/** Pictures that come at once share a statement: hundreds a second cost a few dozen. */
const MAX_ROUND = 200
/** Of a batch of frames, one may name a print that has just gone; or two nodes may lock prints crosswise. */
const isOneFrames = (error: unknown) =>
  /^(?:22|23|40P01)/.test((error as { code?: string } | null)?.code ?? '')

const tables = new WeakMap<Ctx['db'], ReturnType<typeof openTable>>()

const openTable = (db: Ctx['db']) => ({
  find: inRounds((printerIds: readonly number[]) => findAllWatched(db, printerIds), {
    atMost: MAX_ROUND,
    isOneItems: () => false,
  }),
  insert: inRounds(
    (frames: readonly Parameters<typeof insertFrames>[1][number][]) => insertFrames(db, frames),
    {
      atMost: MAX_ROUND,
      isOneItems: isOneFrames,
    },
  ),
})

/** Reading and writing of this database in rounds. */
function tableOf({ db }: Ctx) {
  const table = tables.get(db) ?? openTable(db)
  tables.set(db, table)
  return table
}

interface Picture {
  readonly bytes: Buffer
  readonly width: number
  readonly height: number
}

const NO_PICTURE = 'Upload a valid image. The file you uploaded was either not an image or a corrupted image.'
const CUT_OFF = 'The picture is cut off or damaged: a part of it is missing.'

/**
 * A picture as we store it: metadata and trailing bytes stripped; only other formats, large pictures and JPEGs
 * without their end are decoded. Raises 400 with a bare array for anything that is no picture, or not all of one:
 * a part that is missing could not be judged (docs/wire/rest.md 3).
 */
export async function cleanPicture(bytes: Buffer): Promise<Picture> {
  const { format, width, height } = orRefuse(NO_PICTURE, () => readDimensions(bytes))
  if (width * height > MAX_PIXELS) throw new AppError(400, ['The picture is too large.'])
  const plain = format === 'jpeg' ? stripped(bytes) : null
  return plain && Math.max(width, height) <= MAX_SIDE
    ? { bytes: plain, width, height }
    : await rewritten(plain ?? bytes)
}

function orRefuse<T>(why: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof PictureError)) throw error
    throw new AppError(400, [why])
  }
}

/** The JPEG without its metadata; null when its segments do not lead to an end. */
function stripped(bytes: Buffer): Buffer | null {
  try {
    const { buffer, byteOffset, length } = stripJpeg(bytes)
    return Buffer.from(buffer, byteOffset, length)
  } catch (error) {
    if (!(error instanceof PictureError)) throw error
    return null
  }
}

/** Decoded and written again: some cameras leave the end marker out, which makes up for it; missing rows do not. */
async function rewritten(bytes: Buffer): Promise<Picture> {
  try {
    const made = await reencode(bytes)
    return { bytes: made, ...readDimensions(made) }
  } catch (error) {
    if (error instanceof DetectorUnavailable)
      throw unavailable('Too many pictures are waiting. Please try again.')
    if (error instanceof BadPicture) throw new AppError(400, [CUT_OFF])
    throw error
  }
}

/** Takes an agent's picture: stores it, and has it judged while the print is watched (docs/rules/detection.md 1). */
export async function takePicture(
  ctx: Ctx,
  { printerId, bytes, isBoost }: { printerId: number; bytes: Buffer; isBoost: boolean },
): Promise<void> {
  await throttle(ctx, printerId)
  const watched = await tableOf(ctx).find(printerId)
  if (watched === undefined) throw notFound()
  const picture = await cleanPicture(bytes).catch((error: unknown) => {
    if (error instanceof AppError) ctx.log.info({ printerId, reason: error.body }, 'a picture was refused')
    throw error
  })
  const at = ctx.clock.now()
  if (watched.printId === null || isBoost) {
    const raw: MediaRef = { container: 'tsd-pics', path: `snapshots/${printerId}/latest_unrotated.jpg` }
    await ctx.files.put(raw, picture.bytes)
    await showPicture(ctx, printerId, { raw: raw as PictureRecord['raw'], at })
    return
  }
  await takeFrame(ctx, { ...watched, printId: watched.printId }, picture, at)
}

/** Stores a frame of the running print and shows it. */
export async function storeFrame(
  ctx: Ctx,
  { printerId, printId }: { printerId: number; printId: number },
  picture: Picture,
  at: number,
): Promise<{ raw: PictureRecord['raw']; frameId: number }> {
  // Names sort by time, and two pictures of one millisecond do not meet.
  const name = `${(at / 1000).toFixed(3)}-${randomInt(36 ** 4)
    .toString(36)
    .padStart(4, '0')}`
  const raw = { container: 'tsd-pics', path: `raw/${printerId}/${printId}/${name}.jpg` } as const
  const numBytes = await ctx.files.put(raw, picture.bytes)
  const { width, height } = picture
  const frameId = await tableOf(ctx).insert({
    printerId,
    printId,
    picture: JSON.stringify(raw),
    numBytes,
    width,
    height,
    createdAt: new Date(at),
  })
  await showPicture(ctx, printerId, { raw, at })
  return { raw, frameId }
}

/** Pictures that are being judged, alerts and pauses that follow from them included. */
const underway = new Set<Promise<unknown>>()

/** Resolves when all that is being judged has been, with what follows from it. */
export async function allJudged(): Promise<void> {
  await Promise.all(underway)
}

/** Stores a frame of the running print and decides whether the detector shall see it. */
async function takeFrame(
  ctx: Ctx,
  watched: Watched & { printId: number },
  picture: Picture,
  at: number,
): Promise<void> {
  const { printerId } = watched
  const { raw, frameId } = await storeFrame(ctx, watched, picture, at)
  const now = ctx.clock.monotonic()
  if (!isDue(ctx, watched, now)) return
  const stored = await ctx.live.get(keys.status(printerId))
  const status = stored && (JSON.parse(stored.toString()) as Record<string, unknown>)
  if (!isActivelyPrinting(status)) return
  lastLook.set(printerId, now)
  const sight = { watched, frameId, raw, bytes: picture.bytes, at, printTime: printTimeOf(status) }
  const judging = judge(ctx, sight)
    .catch((error: unknown) => ctx.log.error({ err: error, printerId }, 'a picture could not be judged'))
    .finally(() => underway.delete(judging))
  underway.add(judging)
}

function isDue(ctx: Ctx, watched: Watched, now: number): boolean {
  const interval = DETECTION_INTERVAL_MS / ctx.config.DETECTION_TIME_SCALE
  // A tenth is forgiven: agents aim at 10 s and arrive a little early or late.
  return now - (lastLook.get(watched.printerId) ?? -Infinity) >= interval * 0.9 && isMeantToBeWatched(watched)
}

async function throttle(ctx: Ctx, printerId: number): Promise<void> {
  const limit = ctx.config.PIC_POST_LIMIT_PER_MINUTE
  if (limit === 0) return
  await spend(ctx, { limit: { ...PICTURES, tries: limit }, who: String(printerId) })
}

/** Forgets a printer's rhythm when its print begins or ends, so that the first picture is looked at. */
export function forgetLook(printerId: number): void {
  lastLook.delete(printerId)
}
