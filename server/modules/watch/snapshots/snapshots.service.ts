import type { PrintId, PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { AppError, notFound } from '../../../http/errors.ts'
import { spend } from '../../../http/limits.ts'
import { readStatus } from '../../core/presence/index.ts'
import { look } from '../looking/look.service.ts'
import { latestOf, noteDamaged, showPicture } from '../watching/picture.service.ts'
import { isActivelyPrinting, isMeantToBeWatched } from '../watching/watching.service.ts'
import { printTimeOf } from '../watching/watched-time.rules.ts'
import type { Watched } from '../watching/watched.queries.ts'
import { cleanPicture, Damaged, type Picture } from './clean.service.ts'
import { storeFrame, watchedOf } from './frames.service.ts'
import { takeTurn } from './rhythm.service.ts'

/** A first picture that comes later does not show how a print began. */
const BEGINNING_MS = 150_000
/** Agents expect an empty answer. */
const PICTURES = {
  name: 'pictures',
  windowMs: 60_000,
  refuse: (seconds: number) => new AppError(429, '', { 'retry-after': String(Math.ceil(seconds)) }),
}

/** Takes an agent's picture, a frame of its print or another: stores it, and has it looked at while the print is watched (docs/rules/watch.md 1). */
export async function takePicture(
  ctx: Ctx,
  { printerId, bytes, isBoost }: { printerId: PrinterId; bytes: Buffer; isBoost: boolean },
): Promise<'frame' | 'other'> {
  await throttle(ctx, printerId)
  const watched = await watchedOf(ctx, printerId)
  if (watched === undefined) throw notFound()
  const picture = await cleanPicture(bytes).catch(async (error: unknown) => {
    if (error instanceof AppError) ctx.log.info({ printerId, reason: error.body }, 'a picture was refused')
    if (error instanceof Damaged) await noteDamaged(ctx, printerId)
    throw error
  })
  const at = ctx.clock.now()
  if (watched.printId === null || isBoost) {
    const raw = latestOf(printerId)
    await ctx.files.put(raw, picture.bytes)
    await showPicture(ctx, printerId, { raw, at })
    return 'other'
  }
  await takeFrame(ctx, { ...watched, printId: watched.printId }, picture, at)
  return 'frame'
}

/** Looks at pictures, alerts and pauses that follow from them included. */
const underway = new Set<Promise<unknown>>()

/** Resolves when all that is being looked at has been, with what follows from it. */
export async function allLookedAt(): Promise<void> {
  await Promise.all(underway)
}

/** Stores a frame of the running print and decides whether the detector shall see it. */
async function takeFrame(
  ctx: Ctx,
  watched: Watched & { printId: PrintId },
  picture: Picture,
  at: number,
): Promise<void> {
  const { printerId } = watched
  const { raw, frameId, isFirst } = await storeFrame(ctx, watched, picture, at)
  const { printId, printStartedAt } = watched
  if (isFirst && printStartedAt !== null && at - printStartedAt.getTime() <= BEGINNING_MS)
    ctx.events.emit('print.pictured', { printerId, printId })
  if (!isMeantToBeWatched(watched)) return
  const status = await readStatus(ctx, printerId)
  if (!isActivelyPrinting(status) || !(await takeTurn(ctx, watched))) return
  const frame = { watched, frameId, raw, bytes: picture.bytes, at, printTime: printTimeOf(status) }
  const looking = look(ctx, frame)
    .catch((error: unknown) => ctx.log.error({ err: error, printerId }, 'a picture could not be judged'))
    .finally(() => underway.delete(looking))
  underway.add(looking)
}

async function throttle(ctx: Ctx, printerId: PrinterId): Promise<void> {
  const limit = ctx.config.PIC_POST_LIMIT_PER_MINUTE
  if (limit === 0) return
  await spend(ctx, { limit: { ...PICTURES, tries: limit }, who: String(printerId) })
}
