import type { Id, PrinterId, PrintId, UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { storableText } from '../../../lib/tolerant-json.ts'
import { accompany, spreadEvents } from './events.jobs.ts'
import { insertAudit, insertEvents } from './events.queries.ts'
import type { EventParams, NewEvent } from './events.rules.ts'

type Inside = Pick<Ctx, 'db' | 'jobs' | 'clock' | 'config'>

/**
 * Writes an event, counts it for the owner, and enqueues what spreads it: all in the caller's transaction
 * (`{...ctx, db: tx}`), so that none is without the others (docs/wire/rest.md 2).
 */
export const writeEvent = async (ctx: Inside, event: NewEvent): Promise<void> =>
  void (await writeEvents(ctx, [event]))

/** The same for many events at once, by as many statements as for one. Returns their ids, in their order. */
export async function writeEvents(
  ctx: Inside,
  events: readonly NewEvent[],
): Promise<readonly Id<'printerEvents'>[]> {
  if (events.length === 0) return []
  const createdAt = new Date(ctx.clock.now())
  const ids = await insertEvents(
    ctx.db,
    events.map((event) => ({
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
    })),
  )
  const written = ids.flatMap((id, at) => {
    const event = events[at]
    return event === undefined ? [] : [{ ...event, createdAt, id }]
  })
  await spreadEvents(ctx, written)
  await accompany(ctx, written)
  return ids
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
  /** Absent, as the print: it is about neither. */
  readonly printerId?: PrinterId | null
  readonly printId?: PrintId | null
  readonly action: string
  /** What came of it; `done` unless said. */
  readonly outcome?: string
  readonly detail?: Readonly<Record<string, unknown>>
}

/** Writes an audit row. */
export async function writeAudit(ctx: Pick<Ctx, 'db' | 'clock'>, entry: AuditEntry): Promise<void> {
  const { detail, ...row } = entry
  await insertAudit(ctx.db, {
    printerId: null,
    printId: null,
    outcome: 'done',
    ...row,
    detail: JSON.stringify(detail ?? {}),
    createdAt: new Date(ctx.clock.now()),
  })
}
