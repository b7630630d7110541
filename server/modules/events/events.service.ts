import type { Ctx } from '../../ctx.ts'
import type { MediaRef } from '../../engines/files/port.ts'
import { storableText } from '../../lib/tolerant-json.ts'
import { spreadEvent } from './events.jobs.ts'
import { insertAudit, insertEvent } from './events.queries.ts'
import type { EventClass, EventParams, EventType } from './events.rules.ts'

/** What happened to a printer: a code with parameters, or an agent's own title and text. */
export interface NewEvent {
  readonly userId: number
  readonly printerId: number
  readonly printId: number | null
  readonly type: EventType
  readonly class: EventClass
  readonly code: string | null
  readonly params?: EventParams
  readonly image?: MediaRef | null
  readonly infoUrl?: string | null
  readonly title?: string | null
  readonly text?: string | null
}

/**
 * Writes an event, counts it for the owner, and enqueues what spreads it: all in the caller's transaction
 * (`{...ctx, db: tx}`), so that none is without the others (docs/wire/rest.md 2).
 */
export async function writeEvent(ctx: Pick<Ctx, 'db' | 'jobs' | 'clock'>, event: NewEvent): Promise<void> {
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
  await spreadEvent(ctx, { id, createdAt })
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
  readonly userId: number | null
  readonly printerId: number | null
  readonly printId: number | null
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
