import type { PrinterId, PrintId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Container, MediaRef } from '../../../engines/files/port.ts'
import { entitlementsOf } from '../../shop/entitlements/index.ts'
import { keepLatest } from '../../watch/detection/index.ts'
import { deleteFrames, findFrames, findShownPictures } from '../films/frames.queries.ts'
import { frameFoldersOf, placesOf, monthsBefore } from './retention.rules.ts'
import * as queries from './retention.queries.ts'

const DAY_MS = 86_400_000
const BATCH = 100

/** Deletes the frames of a print with what was decided on them; pictures that its events or its printer's page show stay. */
export async function dropFrames(
  ctx: Ctx,
  { id, printerId }: { readonly id: PrintId; readonly printerId: PrinterId | null },
): Promise<void> {
  if (printerId !== null) await keepLatest(ctx, printerId, frameFoldersOf(printerId, id))
  const shown = new Set((await findShownPictures(ctx.db, id)).map(({ path }) => path))
  if (shown.size === 0) {
    for (const folder of frameFoldersOf(printerId, id)) await ctx.files.removeAll('tsd-pics', folder)
  } else {
    for (const { picture, tagged } of await findFrames(ctx.db, id))
      for (const ref of [picture, tagged]) if (ref && !shown.has(ref.path)) await ctx.files.remove(ref)
  }
  await deleteFrames(ctx.db, id)
}

/** Frames are kept FRAME_RETENTION_DAYS from the end of their print, for replay; what was scored stays. */
export async function expireFrames(ctx: Ctx, signal: AbortSignal): Promise<void> {
  const before = new Date(ctx.clock.now() - ctx.config.FRAME_RETENTION_DAYS * DAY_MS)
  const find = () => queries.findWithFrames(ctx.db, before, BATCH)
  for (let prints = await find(); prints.length > 0 && !signal.aborted; prints = await find()) {
    for (const print of prints) {
      await dropFrames(ctx, print)
      await queries.noteFramesGone(ctx.db, print.id, new Date(ctx.clock.now()))
    }
  }
}

/**
 * Archives time-lapses that are older than their owner's plan keeps them: videos and figures go, the poster stays, and
 * what is kept on request stays whole.
 */
export async function archiveOld(ctx: Ctx, signal: AbortSignal): Promise<void> {
  const now = new Date(ctx.clock.now())
  const sold = ctx.config.brands.map(({ name }) => name)
  for (const plan of sold.flatMap((brand) => [
    { brand, sold, isPro: false },
    { brand, sold, isPro: true },
  ])) {
    const { timelapseMonths } = entitlementsOf(ctx, plan)
    if (timelapseMonths === Infinity) continue
    const find = () => queries.findOld(ctx.db, plan, monthsBefore(now, timelapseMonths), BATCH)
    for (let prints = await find(); prints.length > 0 && !signal.aborted; prints = await find())
      for (const print of prints) await archive(ctx, print, now)
  }
}

/** Deletes the videos and figures of a print; its poster stays, and the word that they went for their age. */
export async function archive(ctx: Ctx, { id }: { readonly id: PrintId }, now: Date): Promise<void> {
  const { plain, tagged, predictions, poster } = placesOf(id)
  // Nobody is led to it any more, but it stays to be archived until all is gone.
  await queries.hideFilms(ctx.db, id, now)
  for (const ref of [plain, tagged, predictions]) await ctx.files.remove(ref)
  await queries.setArchived(ctx.db, id, now, (await ctx.files.stat(poster))?.numBytes ?? 0)
}

/** Deletes all that is stored of prints that their owners have deleted (docs/decisions/0012). */
export async function removeDeleted(ctx: Ctx, signal: AbortSignal): Promise<void> {
  const find = () => queries.findDeleted(ctx.db, BATCH)
  for (let prints = await find(); prints.length > 0 && !signal.aborted; prints = await find())
    for (const print of prints) await removeAll(ctx, print)
}

async function removeAll(ctx: Ctx, print: queries.Doomed): Promise<void> {
  const { id, userId, printerId } = print
  const own: readonly MediaRef[] = [
    print.video,
    print.taggedVideo,
    print.poster,
    print.predictionJson,
    print.source,
  ].filter((ref) => ref !== null)
  const shown = await findShownPictures(ctx.db, id)
  if (printerId !== null) await keepLatest(ctx, printerId, frameFoldersOf(printerId, id))
  for (const ref of [...Object.values(placesOf(id)), ...own, ...shown]) await ctx.files.remove(ref)
  const folders: [Container, string][] = [
    ...frameFoldersOf(printerId, id),
    `ff_printshots/${userId}/${id}`,
  ].map((folder) => ['tsd-pics', folder])
  for (const [container, folder] of folders) await ctx.files.removeAll(container, folder)
  await deleteFrames(ctx.db, id)
  await queries.deleteShots(ctx.db, id)
  // Until here a server that is killed begins again.
  await queries.setDeleted(ctx.db, id, { endedAt: print.endedAt, now: new Date(ctx.clock.now()) })
}
