import type { Id, PrinterId, PrintId, UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { storableText } from '../../../lib/tolerant-json.ts'
import { accompany, spreadEvent } from './events.jobs.ts'
import { insertAudit, insertEvent } from './events.queries.ts'
import type { EventParams, NewEvent } from './events.rules.ts'

/**
 * Writes an event, counts it for the owner, and enqueues what spreads it: all in the caller's transaction
 * (`{...ctx, db: tx}`), so that none is without the others (docs/wire/rest.md 2). Returns its id.
 */
export async function writeEvent(
  ctx: Pick<Ctx, 'db' | 'jobs' | 'clock' | 'config'>,
  event: NewEvent,
): Promise<Id<'printerEvents'>> {
  const createdAt = new Date(ctx.clock.now())
  const id = await insertEvent(ctx.db, {
    createdAt,
    userId: event.userId,
    printerId: event.printerId,
    printId: event.printId,
    eventType: event.type,
    eventClass: event.class,
    code: event.code,
    params: JSON.stringify(cleanParams(event.params ?? {})),
    image: event.image ? JSON.stringify(event.image) : null,
    infoUrl: event.infoUrl ?? null,
    eventTitle: event.title ?? null,
    eventText: event.text ?? null,
  })
  await spreadEvent(ctx, { id, createdAt, userId: event.userId })
  await accompany(ctx, { ...event, id })
  return id
}

const cleanParams = (params: EventParams) =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' ? storableText(value, 1000) : value,
    ]),
  )

/** Who did what to a printer, and what came of it. */
export interface AuditEntry {
  readonly actor: string
  readonly userId: UserId | null
  readonly printerId: PrinterId | null
  readonly printId: PrintId | null
  readonly action: string
  readonly outcome: string
  readonly detail?: Readonly<Record<string, unknown>>
}

/** Writes an audit row. */
export async function writeAudit(ctx: Pick<Ctx, 'db' | 'clock'>, entry: AuditEntry): Promise<void> {
  const { detail, ...row } = entry
  await insertAudit(ctx.db, {
    ...row,
    detail: JSON.stringify(detail ?? {}),
    createdAt: new Date(ctx.clock.now()),
  })
}
