import type { Ctx } from '../../../ctx.ts'
import { inTransaction, lockList } from '../../../engines/db/transaction.ts'
import type { PrinterId, UserId } from '../../../lib/id.ts'
import { writeAudit } from '../../core/events/index.ts'
import { tell } from '../../core/presence/index.ts'
import { GIFT, NoSuchStep, printerAllowance, takeStep } from './steps.service.ts'
import * as queries from './subscriptions.queries.ts'

const BATCH = 200

/** Ends what is over: trials, gifts, plans that were cancelled, and those whose payments failed for longer than the grace. */
export async function endOver(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  const find = () => queries.findOver(ctx.db, new Date(ctx.clock.now()), BATCH)
  for (let users = await find(); users.length > 0 && signal?.aborted !== true; users = await find())
    for (const userId of users)
      await takeStep(ctx, userId, { edge: 'expire', actor: 'clock' }).catch((error: unknown) => {
        // Somebody has taken another step meanwhile.
        if (!(error instanceof NoSuchStep)) throw error
      })
}

/** Whoever had Pro before there were plans has it as a gift, until the operator says otherwise. */
export async function adoptOld(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  const find = () => queries.findUnplanned(ctx.db, BATCH)
  for (let users = await find(); users.length > 0 && signal?.aborted !== true; users = await find())
    for (const userId of users) await takeStep(ctx, userId, { edge: 'give', actor: 'clock', terms: GIFT })
}

/**
 * Puts away printers beyond the plan's number, the least recently used first. One that prints stays until its print is over:
 * then this is asked again.
 */
export async function archiveSurplus(ctx: Ctx, userId: UserId): Promise<void> {
  const archived = await inTransaction(ctx.db, async (db) => {
    await lockList(db, 'printersOfUser', userId)
    const owner = await queries.findOwnerIfAny(db, userId)
    // The account was erased meanwhile, with its printers.
    if (owner === undefined) return []
    const allowed = await printerAllowance({ ...ctx, db }, owner)
    const inUse = await queries.findInUse(db, userId)
    const surplus = inUse.length - allowed
    if (surplus <= 0) return []
    const idle = inUse.filter(({ currentPrintId }) => currentPrintId === null).slice(0, surplus)
    const now = new Date(ctx.clock.now())
    const gone = await queries.archiveIdle(
      db,
      idle.map(({ id }) => id),
      now,
    )
    for (const printerId of gone) await audit({ ...ctx, db }, userId, printerId)
    return gone
  })
  for (const printerId of archived) {
    ctx.events.emit('printer.deleted', { printerId, why: 'archived' })
    tell(ctx, printerId, 'gone')
  }
}

/** The same for all who have no plan: whatever ended theirs, nobody keeps more printers than the Free plan has. */
export async function archiveAllSurplus(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  for (let after = 0; signal?.aborted !== true;) {
    const users = await queries.findCrowded(ctx.db, after, BATCH)
    for (const userId of users) await archiveSurplus(ctx, userId)
    const last = users.at(-1)
    if (last === undefined) return
    after = last
  }
}

const audit = (ctx: Ctx, userId: UserId, printerId: PrinterId) =>
  writeAudit(ctx, {
    actor: 'plan',
    userId,
    printerId,
    action: 'printer_archived',
    detail: { why: 'surplus' },
  })
