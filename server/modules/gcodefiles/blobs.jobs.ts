import { z } from 'zod'
import type { Ctx } from '../../ctx.ts'
import type { Db } from '../../engines/db/port.ts'
import type { JobKind } from '../../engines/jobs/port.ts'

const kind: JobKind<{ userId: number }> = {
  name: 'g-code-sweep',
  schema: z.object({ userId: z.int() }),
  concurrency: 1,
}
const AT_ONCE = 200

/** What deleted files of a user leave stored goes soon; with the transaction that deletes them. */
export async function sweepSoon(ctx: Pick<Ctx, 'db' | 'jobs'>, userId: number): Promise<void> {
  await ctx.jobs.enqueue(ctx.db, kind, { userId }, { singletonKey: String(userId) })
}

/** Handles the jobs of stored G-code. */
export function handleFileJobs(ctx: Ctx): void {
  ctx.jobs.handle(kind, ({ userId }, signal) => sweep(ctx, userId, signal))
}

/**
 * Removes what deleted files have stored, unless another file of the same owner shares it. A row forgets where its content
 * lay only when that is gone, so a stopped run goes on where it was.
 */
async function sweep(ctx: Ctx, userId: number, signal: AbortSignal): Promise<void> {
  for (;;) {
    const rows = await deletedOf(ctx.db, userId)
    for (const { id, content, thumbnails, isShared } of rows) {
      signal.throwIfAborted()
      if (content && !isShared) await ctx.files.remove(content)
      if (!isShared) for (const picture of thumbnails) await ctx.files.remove(picture)
      await ctx.db
        .updateTable('gCodeFiles')
        .set({ content: null, thumbnails: '[]' })
        .where('id', '=', id)
        .execute()
    }
    if (rows.length < AT_ONCE) return
  }
}

const deletedOf = (db: Db, userId: number) =>
  db
    .selectFrom('gCodeFiles')
    .select(['id', 'content', 'thumbnails'])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('gCodeFiles as other')
            .select('other.id')
            .whereRef('other.userId', '=', 'gCodeFiles.userId')
            .whereRef('other.sha256', '=', 'gCodeFiles.sha256')
            .where('other.content', 'is not', null)
            // of those that are deleted together, the last one removes it
            .where((other) =>
              other.or([
                other('other.deletedAt', 'is', null),
                other('other.id', '>', other.ref('gCodeFiles.id')),
              ]),
            ),
        )
        .as('isShared'),
    )
    .where('userId', '=', userId)
    .where('deletedAt', 'is not', null)
    .where('content', 'is not', null)
    .orderBy('id')
    .limit(AT_ONCE)
    .execute()
