import type { Ctx } from '../../../ctx.ts'
import * as queries from './browsers.queries.ts'

/** More browsers than anybody has; the oldest goes. */
const MOST = 20

/** The keys of this server: made when they are first asked for, by whichever node, and kept. */
export async function pushKeys({ db }: Pick<Ctx, 'db'>): Promise<queries.PushKeys> {
  const kept = await queries.findKeys(db)
  if (kept !== undefined) return kept
  const { default: webpush } = await import('web-push')
  await queries.insertKeys(db, webpush.generateVAPIDKeys())
  return await pushKeys({ db })
}

/** Reaches a browser from now on. */
export async function addBrowser(
  ctx: Ctx,
  browser: Parameters<typeof queries.upsertBrowser>[1],
): Promise<queries.BrowserRow> {
  return await ctx.db.transaction().execute(async (tx) => {
    const row = await queries.upsertBrowser(tx, browser)
    await queries.deleteOldest(tx, browser.userId, MOST)
    return row
  })
}
