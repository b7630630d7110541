import { z } from 'zod'
import { type Id, idOf, type UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { JobKind, Jobs } from '../../../engines/jobs/port.ts'
import { type EventRow, findEvent } from './events.queries.ts'
import { eventTexts } from './events.texts.ts'
import type { NewEvent } from './events.rules.ts'
import { expireFrames } from './partitions.service.ts'
import { keptBy } from '../../../lib/of-server.ts'

const toldEvent = z.object({ id: idOf<'printerEvents'>(), createdAt: z.iso.datetime() })

/** An event with its words in the owner's language. */
export type ToldEvent = EventRow & ReturnType<typeof eventTexts>

/** A way to tell an event: browsers, phones, mail. It decides itself which events to tell. */
export interface EventChannel {
  /** Names its jobs, which outlive a restart. */
  readonly name: string
  /** It tells the owner of all events at once: while one of theirs waits to be told, others add nothing. */
  readonly isOfOwner?: boolean
  /** Told again from the start when it fails; no other channel is. */
  tell(ctx: Ctx, event: ToldEvent): Promise<void>
}

/** A job of one event and one channel. */
interface Telling {
  readonly kind: JobKind<z.infer<typeof toldEvent>>
  readonly isOfOwner: boolean
}

/** The channels of a node, by its `jobs`. */
const channelsOf = keptBy<Jobs, Telling[]>(() => [])

/** Adds a way to tell events. Call while the features register: on every node that writes events, too. */
export function registerChannel(ctx: Ctx, { name, isOfOwner = false, tell }: EventChannel): void {
  const kind = { name: `event-${name}`, schema: toldEvent }
  channelsOf(ctx.jobs).push({ kind, isOfOwner })
  ctx.jobs.handle(kind, async ({ id, createdAt }) => {
    const event = await findEvent(ctx.db, id, new Date(createdAt))
    if (event !== undefined) await tell(ctx, { ...event, ...eventTexts(event, event.language) })
  })
}

/** Has every channel tell an event, by a job for each in the transaction that writes the event. */
export async function spreadEvent(
  ctx: Pick<Ctx, 'db' | 'jobs'>,
  { id, createdAt, userId }: { id: Id<'printerEvents'>; createdAt: Date; userId: UserId },
): Promise<void> {
  const data = { id, createdAt: createdAt.toISOString() }
  for (const { kind, isOfOwner } of channelsOf(ctx.jobs))
    await ctx.jobs.enqueue(ctx.db, kind, data, isOfOwner ? { singletonKey: `user:${userId}` } : {})
}

/** An event in the transaction that writes it. */
export interface WrittenEvent extends NewEvent {
  readonly id: Id<'printerEvents'>
}

/** Writes more rows for an event, in the transaction that writes it. */
export type Companion = (
  ctx: Pick<Ctx, 'db' | 'jobs' | 'clock' | 'config'>,
  event: WrittenEvent,
) => Promise<void>

/** Who writes more rows for each event of a node, by its `jobs`. */
const companionsOf = keptBy<Jobs, Companion[]>(() => [])

/** Has rows written with every event, in its transaction. Call while the features register, on every node that writes events. */
export function registerCompanion(ctx: Ctx, companion: Companion): void {
  companionsOf(ctx.jobs).push(companion)
}

/** Has everything written that goes with an event. */
export async function accompany(
  ctx: Pick<Ctx, 'db' | 'jobs' | 'clock' | 'config'>,
  event: WrittenEvent,
): Promise<void> {
  for (const companion of companionsOf(ctx.jobs)) await companion(ctx, event)
}

/** Handles the other jobs of this module. */
export function handleEventJobs(ctx: Ctx): void {
  ctx.jobs.schedule('partitions', '17 3 * * *', (signal) => expireFrames(ctx, signal))
}
