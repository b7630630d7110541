import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { type PictureRecord, putPicture, readPicture, tell } from '../../core/presence/index.ts'

/** Where the latest picture lies that is no frame of a print. */
export const latestOf = (printerId: PrinterId) =>
  ({ container: 'tsd-pics', path: `snapshots/${printerId}/latest_unrotated.jpg` }) as const

/** Replaces what is known of the latest picture, and tells the browsers. Returns what was known before. */
export async function showPicture(
  ctx: Ctx,
  printerId: PrinterId,
  change: Pick<PictureRecord, 'raw' | 'at'> & Partial<PictureRecord>,
): Promise<PictureRecord | null> {
  const before = await readPicture(ctx, printerId)
  if (before && before.at > change.at) return before
  const record: PictureRecord = {
    tagged: null,
    checkedAt: before?.checkedAt ?? null,
    blind: before?.blind ?? null,
    isStrange: before?.isStrange ?? false,
    ...change,
  }
  await putPicture(ctx, printerId, record)
  tell(ctx, printerId, 'live')
  return before
}

/** What came is no picture, or not all of one: the one before it stays, and it is said that no other can be had. */
export async function noteDamaged(ctx: Ctx, printerId: PrinterId): Promise<void> {
  const before = await readPicture(ctx, printerId)
  const none = { raw: null, tagged: null, at: 0, checkedAt: null, blind: null }
  await putPicture(ctx, printerId, { ...(before ?? none), damagedAt: ctx.clock.now() })
  tell(ctx, printerId, 'live')
}

/** The latest picture lies in a folder that goes: it is shown from a place of its own, until the next one comes. */
export async function keepLatest(ctx: Ctx, printerId: PrinterId, folders: readonly string[]): Promise<void> {
  const before = await readPicture(ctx, printerId)
  const from = before?.raw ?? null
  if (before === null || from === null || !folders.some((folder) => from.path.startsWith(`${folder}/`)))
    return
  const bytes = await ctx.files.get(from)
  const raw = bytes && latestOf(printerId)
  if (bytes && raw) await ctx.files.put(raw, bytes)
  await showPicture(ctx, printerId, { ...before, raw, tagged: null })
}
