import { z } from 'zod'
import { type Id, idOf, type UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { JobKind, Jobs } from '../../../engines/jobs/port.ts'
import { type EventRow, findEvents } from './events.queries.ts'
import { eventTexts } from './events.texts.ts'
import type { NewEvent } from './events.rules.ts'
import { expireFrames } from './partitions.service.ts'
import { keptBy } from '../../../lib/of-server.ts'
import { inPieces } from '../../../lib/pieces.ts'

const toldEvent = z.object({ id: idOf<'printerEvents'>(), createdAt: z.iso.datetime() })
/** One event, and others that were written with it. */
const toldEvents = toldEvent.extend({ others: z.array(toldEvent).optional() })

/** What was written at once is told by jobs of so many. */
const TOLD_MOST = 100

/** An event with its words in the owner's language. */
export type ToldEvent = EventRow & ReturnType<typeof eventTexts>

/** A way to tell an event: browsers, phones, mail. It decides itself which events to tell. */
export interface EventChannel {
  /** Names its jobs, which outlive a restart. */
  readonly name: string
  /** It tells the owner of all events at once: while one of theirs waits to be told, others add nothing. */
  readonly isOfOwner?: boolean
  /** Told again from the start when it fails, with the events that were written with it; no other channel is. */
  tell(ctx: Ctx, event: ToldEvent): Promise<void>
}

/** A job of one channel. */
interface Telling {
  readonly kind: JobKind<z.infer<typeof toldEvents>>
  readonly isOfOwner: boolean
}

/** The channels of a node, by its `jobs`. */
const channelsOf = keptBy<Jobs, Telling[]>(() => [])

/** Adds a way to tell events. Call while the features register: on every node that writes events, too. */
export function registerChannel(ctx: Ctx, { name, isOfOwner = false, tell }: EventChannel): void {
  const kind = { name: `event-${name}`, schema: toldEvents }
  channelsOf(ctx.jobs).push({ kind, isOfOwner })
  ctx.jobs.handle(kind, async ({ others = [], ...first }) => {
    const told = [first, ...others].map(({ id, createdAt }) => ({ id, createdAt: new Date(createdAt) }))
    for (const event of await findEvents(ctx.db, told))
      await tell(ctx, { ...event, ...eventTexts(event, event.language) })
  })
}

/** Has every channel tell these events, by jobs in the transaction that writes them. */
export async function spreadEvents(
  ctx: Pick<Ctx, 'db' | 'jobs'>,
  events: readonly { id: Id<'printerEvents'>; createdAt: Date; userId: UserId }[],
): Promise<void> {
  const all = events.map(({ id, createdAt, userId }) => ({
    data: { id, createdAt: createdAt.toISOString() },
    singletonKey: `user:${userId}`,
  }))
  const ofOwners = [...new Map(all.map((one) => [one.singletonKey, one])).values()]
  const ofAll = inPieces(
    all.map(({ data }) => data),
    TOLD_MOST,
  ).map(([first, ...others]) => ({ data: others.length === 0 ? first : { ...first, others } }))
  for (const { kind, isOfOwner } of channelsOf(ctx.jobs))
    await ctx.jobs.enqueueAll(ctx.db, kind, isOfOwner ? ofOwners : ofAll)
}

/** An event in the transaction that writes it. */
export interface WrittenEvent extends NewEvent {
  readonly id: Id<'printerEvents'>
}

/** Writes more rows for events, in the transaction that writes them. */
export type Companion = (
  ctx: Pick<Ctx, 'db' | 'jobs' | 'clock' | 'config'>,
  events: readonly WrittenEvent[],
) => Promise<void>

/** Who writes more rows for the events of a node, by its `jobs`. */
const companionsOf = keptBy<Jobs, Companion[]>(() => [])

/** Has rows written with every event, in its transaction. Call while the features register, on every node that writes events. */
export function registerCompanion(ctx: Ctx, companion: Companion): void {
  companionsOf(ctx.jobs).push(companion)
}

/** Has everything written that goes with these events. */
export async function accompany(
  ctx: Pick<Ctx, 'db' | 'jobs' | 'clock' | 'config'>,
  events: readonly WrittenEvent[],
): Promise<void> {
  for (const companion of companionsOf(ctx.jobs)) await companion(ctx, events)
}

/** Handles the other jobs of this module. */
export function handleEventJobs(ctx: Ctx): void {
  ctx.jobs.schedule('partitions', '17 3 * * *', (signal) => expireFrames(ctx, signal))
}
