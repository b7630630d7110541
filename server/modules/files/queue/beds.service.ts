import { NO_ID, type PrinterId, type UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { actorOf } from '../../../http/acting.ts'
import { AppError } from '../../../http/errors.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { text } from '../../../http/texts.ts'
import { type Authorized, requirePrinter } from '../../core/access/index.ts'
import { writeAudit } from '../../core/events/index.ts'
import { readPresence, tell } from '../../core/presence/index.ts'
import { bedOf } from '../queue-plan/account.service.ts'
import { isToBeWithdrawn, standingOf } from '../queue-plan/bed.rules.ts'
import {
  findBed,
  findCleared,
  markClear,
  markSeen,
  setEnabled,
  soilBedIf,
} from '../queue-start/beds.queries.ts'
import { readSights } from '../queue-plan/fits.service.ts'
import { lookSoon, startNext } from '../queue-start/next.service.ts'
import { findWork, holdPrinters } from '../queue-plan/queue.queries.ts'

const AT_ONCE = 500
/** It is written down so often that a printer was seen. */
const SEEN_EVERY_MS = 60_000

const conflict = (why: string) => new AppError(409, { detail: text('queue-server', why) })

/**
 * A person says that the bed is clear, of the state of it that they have seen. Raises 404 for another's printer, and 409 while it
 * prints or is out of sight, or when something has been printed since.
 */
export async function confirmBed(
  ctx: Ctx,
  principal: UserPrincipal,
  printerId: number,
  bed: number,
): Promise<void> {
  const printer = await requirePrinter(ctx, principal, printerId, 'control', { isOwn: true })
  const standing = standingOf(await readPresence(ctx, printer.id))
  if (standing !== 'idle') throw conflict(standing)
  await ctx.db.transaction().execute(async (tx) => {
    const inside = { ...ctx, db: tx }
    await holdPrinters(tx, [printer.id])
    if (await findWork(tx, printer.id)) throw conflict('busy')
    const { userId } = principal
    if (!(await markClear(tx, printer, { bed, userId, now: new Date(ctx.clock.now()) })))
      throw conflict('otherBed')
    await auditBed(inside, printer, { principal, action: 'queue.bed_cleared', bed })
    await lookSoon(inside, userId)
  })
  tell(ctx, printer.id, 'changed')
}

/** A person says that the bed is not clear after all. */
export async function withdrawBed(ctx: Ctx, principal: UserPrincipal, printerId: number): Promise<void> {
  const printer = await requirePrinter(ctx, principal, printerId, 'control', { isOwn: true })
  const bed = await findBed(ctx.db, printer.id)
  if (bed === undefined || bed.clearedBed !== bed.bed) return
  await soilBedIf(ctx.db, printer.id, bed.bed)
  await auditBed(ctx, printer, { principal, action: 'queue.bed_withdrawn', bed: bed.bed })
  tell(ctx, printer.id, 'changed')
}

async function auditBed(
  ctx: Pick<Ctx, 'db' | 'clock'>,
  { id: printerId }: Authorized<'control'>,
  { principal, action, bed }: { principal: UserPrincipal; action: string; bed: number },
): Promise<void> {
  const actor = principal.via === 'session' ? 'web' : 'api'
  const userId = actorOf(principal)
  await writeAudit(ctx, { actor, userId, printerId, printId: null, action, outcome: 'done', detail: { bed } })
}

/** Turns a printer's queue off or on. What it prints goes on. */
export async function enableQueue(
  ctx: Ctx,
  principal: UserPrincipal,
  printerId: number,
  enabled: boolean,
): Promise<void> {
  const printer = await requirePrinter(ctx, principal, printerId, 'edit', { isOwn: true })
  await ctx.db.transaction().execute(async (tx) => {
    await setEnabled(tx, printer, enabled)
    await lookSoon({ ...ctx, db: tx }, principal.userId)
  })
  tell(ctx, printer.id, 'changed')
}

/**
 * Looks after the beds that count as clear: a printer that does something, has an error or was long out of sight has lost what
 * was said of its bed. Where somebody waits for one that is idle it is looked what starts: it may have come back just now.
 */
export async function watchBeds(ctx: Ctx): Promise<void> {
  const waiting = new Set<UserId>()
  for (let after: PrinterId = NO_ID; ;) {
    const rows = await findCleared(ctx.db, after, AT_ONCE)
    const sights = await readSights(ctx, rows)
    const now = ctx.clock.now()
    const seen: PrinterId[] = []
    for (const row of rows) {
      const sight = sights.get(row.id) ?? { agent: null, status: null }
      const bed = bedOf(row)
      if (row.currentPrintId !== null || isToBeWithdrawn(bed, sight, now)) {
        await soilBedIf(ctx.db, row.id, row.bed)
        tell(ctx, row.id, 'changed')
      } else if (standingOf(sight) === 'idle') {
        if (now - (bed.seenAt ?? 0) > SEEN_EVERY_MS) seen.push(row.id)
        if (row.isWaitedFor) waiting.add(row.userId)
      }
    }
    await markSeen(ctx.db, seen, new Date(now))
    if (rows.length < AT_ONCE) break
    after = rows.at(-1)?.id ?? after
  }
  for (const userId of waiting) await startNext(ctx, userId)
}
