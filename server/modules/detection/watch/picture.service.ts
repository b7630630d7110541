import type { Ctx } from '../../../ctx.ts'
import { keys, PICTURE_TTL_MS, topics, type PictureRecord, type PrinterNews } from '../../presence/index.ts'

/** Replaces what is known of the latest picture, and tells the browsers. */
export async function showPicture(
  ctx: Ctx,
  printerId: number,
  change: Pick<PictureRecord, 'raw' | 'at'> & Partial<PictureRecord>,
): Promise<void> {
  const stored = await ctx.live.get(keys.picture(printerId))
  const before = stored && (JSON.parse(stored.toString()) as PictureRecord)
  if (before && before.at > change.at) return
  const record: PictureRecord = {
    tagged: null,
    checkedAt: before?.checkedAt ?? null,
    blind: before?.blind ?? null,
    ...change,
  }
  await ctx.live.put(keys.picture(printerId), JSON.stringify(record), PICTURE_TTL_MS)
  ctx.live.publish(topics.news(printerId), JSON.stringify({ kind: 'live' } satisfies PrinterNews))
}
