import { randomBytes } from 'node:crypto'
import type { PrinterId, PrintId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import { readPicture } from '../../core/presence/index.ts'
import { hasNoPicture, writePicture } from './still.queries.ts'

/** An older picture does not show what happens now: agents of idle printers send one every two minutes. */
const FRESH_MS = 150_000

/**
 * What the camera shows as something happens, in a file of its own, as the latest picture is replaced and frames go; null where
 * nothing came lately, or nothing can be stored. Call it before a transaction: it asks for files.
 */
export async function takeStill(ctx: Ctx, printerId: PrinterId): Promise<MediaRef | null> {
  try {
    const now = ctx.clock.now()
    const picture = await readPicture(ctx, printerId)
    if (picture === null || picture.raw === null || now - picture.at > FRESH_MS) return null
    const stored = await ctx.files.get(picture.raw)
    if (stored === null) return null
    const name = `${now}-${randomBytes(4).toString('hex')}.jpg`
    const still: MediaRef = { container: 'tsd-pics', path: `snapshots/${printerId}/${name}` }
    await ctx.files.put(still, stored)
    return still
  } catch (error) {
    ctx.log.warn({ err: error, printerId }, 'an event goes without its picture')
    return null
  }
}

/** The event of a print's beginning, which came before any picture, gets the first one. */
export async function pictureBeginning(
  ctx: Ctx,
  { printerId, printId }: { printerId: PrinterId; printId: PrintId },
): Promise<void> {
  if (!(await hasNoPicture(ctx.db, printId))) return
  const still = await takeStill(ctx, printerId)
  if (still !== null && !(await writePicture(ctx.db, printId, still))) await dropStill(ctx, still)
}

/** Nothing happened that would show it. */
export async function dropStill(ctx: Ctx, still: MediaRef | null): Promise<void> {
  if (still === null) return
  await ctx.files
    .remove(still)
    .catch((error: unknown) => ctx.log.warn({ err: error, still }, 'a picture was not removed'))
}
