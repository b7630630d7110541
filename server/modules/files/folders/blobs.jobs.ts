import { z } from 'zod'
import { idOf, type UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { JobKind } from '../../../engines/jobs/port.ts'
import { findGone, forgetContent } from '../records/store.queries.ts'

const kind: JobKind<{ userId: UserId }> = {
  name: 'g-code-sweep',
  schema: z.object({ userId: idOf<'users'>() }),
  concurrency: 1,
}
const AT_ONCE = 200

/** What deleted files of a user leave stored goes soon; with the transaction that deletes them. */
export async function sweepSoon(ctx: Pick<Ctx, 'db' | 'jobs'>, userId: UserId): Promise<void> {
  await ctx.jobs.enqueue(ctx.db, kind, { userId }, { singletonKey: String(userId), owner: userId })
}

/** Handles the jobs of stored G-code. */
export function handleFileJobs(ctx: Ctx): void {
  ctx.jobs.handle(kind, ({ userId }, signal) => sweep(ctx, userId, signal))
}

/**
 * Removes what deleted files have stored, unless another file of the same owner shares it. A row forgets where its content
 * lay only when that is gone, so a stopped run goes on where it was.
 */
async function sweep(ctx: Ctx, userId: UserId, signal: AbortSignal): Promise<void> {
  for (;;) {
    const rows = await findGone(ctx.db, userId, AT_ONCE)
    for (const { id, content, thumbnails, isShared } of rows) {
      signal.throwIfAborted()
      if (content && !isShared) await ctx.files.remove(content)
      if (!isShared) for (const picture of thumbnails) await ctx.files.remove(picture)
      await forgetContent(ctx.db, id)
    }
    if (rows.length < AT_ONCE) return
  }
}
