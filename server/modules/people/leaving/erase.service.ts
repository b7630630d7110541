import { z } from 'zod'
import type { Ctx } from '../../../ctx.ts'
import type { JobKind } from '../../../engines/jobs/port.ts'
import { idOf, type UserId } from '../../../lib/id.ts'
import { writeAudit } from '../../core/events/index.ts'
import { filesOf, foldersOf } from '../../core/stored/index.ts'
import { leaveProvider } from '../../shop/payments/index.ts'
import * as queries from './leaving.queries.ts'

const erased = z.object({ userId: idOf<'users'>() })

/** Erases an account whose time to think it over has ended. */
export const ERASE: JobKind<z.infer<typeof erased>> = {
  name: 'account-erase',
  schema: erased,
  concurrency: 1,
  timeoutMs: 3_600_000,
}

/** What hangs on so many prints is deleted by one statement. */
const PRINTS = 20

/** Has every account erased that is due. */
export async function eraseDue(ctx: Ctx): Promise<void> {
  for (const userId of await queries.dueDepartures(ctx.db, new Date(ctx.clock.now())))
    await ctx.jobs.enqueue(ctx.db, ERASE, { userId }, { singletonKey: String(userId), owner: userId })
}

/**
 * Removes all stored files of an account, then its rows; what dies on the way goes on with the next try. Nothing is kept but that it was
 * done (docs/rules/people.md 13).
 */
export async function erase(ctx: Ctx, userId: UserId, signal: AbortSignal): Promise<void> {
  if (!(await queries.isDue(ctx.db, userId, new Date(ctx.clock.now())))) return
  // Money that is under way comes first: then this is asked again.
  if (!(await leaveProvider(ctx, userId))) return
  await removeFiles(ctx, userId, signal)
  for (;;) {
    signal.throwIfAborted()
    const some = await queries.somePrints(ctx.db, userId, PRINTS)
    if (some.length === 0) break
    await queries.deletePrints(ctx.db, userId, some)
  }
  await ctx.db.transaction().execute(async (db) => {
    await queries.deleteUser(db, userId)
    await writeAudit(
      { ...ctx, db },
      {
        actor: 'system',
        userId: null,
        action: 'account_erased',
        detail: { account: userId },
      },
    )
  })
}

async function removeFiles(ctx: Ctx, userId: UserId, signal: AbortSignal): Promise<void> {
  for await (const { container, path } of filesOf(ctx.db, userId)) {
    signal.throwIfAborted()
    await ctx.files.remove({ container, path })
  }
  const shown = (await queries.shownCopies(ctx.db, userId)).map((key) => ({
    container: 'tsd-timelapses' as const,
    path: `public/${key}`,
  }))
  for (const { container, path } of [...(await foldersOf(ctx.db, userId)), ...shown]) {
    signal.throwIfAborted()
    await ctx.files.removeAll(container, path)
  }
}
