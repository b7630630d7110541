import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type FileId, idOf, NO_ID, type UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { JobKind } from '../../../engines/jobs/port.ts'
import { readAccount } from '../queue-plan/account.service.ts'
import { endDone, hasDone, hasWaiting } from '../queue-plan/entries.queries.ts'
import { readKnowledge } from '../queue-plan/fits.service.ts'
import { findPrinters, holdPrinters, lockQueue, type StartRow } from '../queue-plan/queue.queries.ts'
import { whoStarts } from '../queue-plan/schedule.rules.ts'
import { insertStarts } from '../queue-plan/starts.queries.ts'
import { sendStart } from './send.service.ts'

/** What was decided is sent within this, or not at all. */
const SEND_WITHIN_MS = 10_000

/** Something has changed for an account's queue: it is looked what starts next. */
export const QUEUE_NEXT: JobKind<{ userId: UserId }> = {
  name: 'queue-next',
  schema: z.object({ userId: idOf<'users'>() }),
  retries: 2,
}

/** Has it looked what starts next, once the caller's transaction is committed. */
export async function lookSoon(ctx: Pick<Ctx, 'db' | 'jobs'>, userId: UserId): Promise<void> {
  await ctx.jobs.enqueue(ctx.db, QUEUE_NEXT, { userId }, { singletonKey: String(userId) })
}

/** What is on its way to agents, of all accounts of this process. */
const underway = new Set<Promise<void>>()

/** Resolves when what was decided by this process has been sent, or nobody sends it. */
export async function allSent(): Promise<void> {
  await Promise.all(underway)
}

/**
 * Ends what is over, and begins what may begin: decided in one transaction, sent when that is committed. Agents take their time
 * to answer; nobody waits for them.
 */
export async function startNext(ctx: Ctx, userId: UserId): Promise<void> {
  if (await hasDone(ctx.db, userId)) await tidy(ctx, userId)
  if (!(await hasWaiting(ctx.db, userId))) return
  const starts = await decide(ctx, userId)
  for (const start of starts) {
    const sending = sendStart(ctx, start).finally(() => underway.delete(sending))
    underway.add(sending)
  }
}

async function tidy(ctx: Ctx, userId: UserId): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await lockQueue(tx, userId)
    await endDone(tx, userId, new Date(ctx.clock.now()))
  })
}

/**
 * Writes down what starts: at a bed that was said to be clear and has not been used since, on a printer that stands idle. The
 * printers are held while it is decided, so that no print begins on them unseen.
 */
async function decide(ctx: Ctx, userId: UserId): Promise<(StartRow & { readonly fileId: FileId })[]> {
  const known = await readKnowledge(ctx, await findPrinters(ctx.db, userId))
  const seen = await readAccount(ctx, userId, known)
  const candidates = new Set(
    whoStarts(seen.entries, seen.machines, seen.fits).map(({ printerId }) => printerId),
  )
  if (candidates.size === 0) return []
  return await ctx.db.transaction().execute(async (tx) => {
    await lockQueue(tx, userId)
    await holdPrinters(tx, [...candidates])
    const { rows, entries, machines, places, fits } = await readAccount({ ...ctx, db: tx }, userId, known)
    const files = new Map(rows.map((row) => [row.id, row.gCodeFileId]))
    const held = machines.filter(({ id }) => candidates.has(id))
    const beds = new Map(places.map(({ row, bed }) => [row.id, bed.bed]))
    const now = ctx.clock.now()
    const begun = await insertStarts(
      tx,
      whoStarts(entries, held, fits).map(({ entryId, printerId }) => ({
        id: randomUUID(),
        entryId,
        printerId,
        bed: beds.get(printerId) ?? 0,
        sendUntil: new Date(now + SEND_WITHIN_MS),
        createdAt: new Date(now),
      })),
    )
    return begun.map((start) => ({ ...start, fileId: files.get(start.entryId) ?? NO_ID }))
  })
}
