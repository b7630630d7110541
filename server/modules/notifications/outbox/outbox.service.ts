import { z } from 'zod'
import type { Ctx } from '../../../ctx.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import type { JobKind } from '../../../engines/jobs/port.ts'
import type { NoticeKind } from '@vigil/contract/notifications.ts'
import { CHANNELS, featuresOfChannel, isSetUp } from '../channels/index.ts'
import {
  featuresOf,
  ignoresMasterSwitch,
  KINDS,
  kindOf,
  type Notice,
  orientationOf,
  severityOf,
} from '../messages/index.ts'
import { findNamed, insertDeliveries } from './deliveries.queries.ts'

/** Rings at who delivers, once the transaction that owes something is committed. */
export const DELIVER: JobKind<{ key: string }> = {
  name: 'deliver',
  schema: z.object({ key: z.string() }),
  retries: 0,
}

/** Something of which a printer's owner may want to hear. */
export interface News {
  /** The same when it is told twice: then it is owed once. */
  readonly key: string
  readonly kind: NoticeKind
  readonly code: string | null
  readonly printerId: number
  readonly printId: number | null
  readonly picture: MediaRef | null
  readonly heater?: Notice['heater']
}

const time = (date: Date | null) => date?.getTime() ?? null

/**
 * Writes what is owed to the owner's channels, in the caller's transaction (`{...ctx, db: tx}`): the event, its
 * messages, and what has them sent commit together.
 */
export async function owe(ctx: Pick<Ctx, 'db' | 'jobs' | 'clock' | 'config'>, news: News): Promise<void> {
  const { key, kind, code, printerId, printId, picture, heater = null } = news
  const features = featuresOf(news)
  const channels = [...CHANNELS.values()]
    .filter((one) => isSetUp(one, ctx.config))
    .filter((one) => features.some((feature) => featuresOfChannel(one).includes(feature)))
    .map(({ name }) => name)
  if (channels.length === 0) return
  const named = await findNamed(ctx.db, printerId, printId)
  if (named === undefined) return
  const notice: Notice = {
    kind,
    code,
    printer: {
      id: printerId,
      name: named.name,
      pauseOnFailure: named.actionOnFailure === 'PAUSE',
      watchingEnabled: named.watchingEnabled,
    },
    print: {
      id: printId ?? 0,
      filename: named.filename ?? '',
      startedAt: time(named.startedAt),
      endedAt: time(named.cancelledAt ?? named.finishedAt),
      alertedAt: time(named.alertedAt),
      alertOverwrite: named.alertOverwrite,
    },
    picture,
    orientation: orientationOf(named.agentSettings),
    ...severityOf(code),
    heater,
  }
  const now = ctx.clock.now()
  const written = await insertDeliveries(ctx.db, {
    userId: named.userId,
    key,
    notice,
    features,
    channels,
    ignoresMasterSwitch: ignoresMasterSwitch(kind),
    now: new Date(now),
    expiresAt: new Date(now + KINDS[kind].worthMs),
  })
  if (written > 0) await ctx.jobs.enqueue(ctx.db, DELIVER, { key })
}

/** An event that was just written, as the events have it. */
interface WrittenEvent {
  readonly id: number
  readonly type: string
  readonly code: string | null
  readonly printerId: number
  readonly printId: number | null
  readonly params?: Readonly<Record<string, unknown>>
  readonly image?: MediaRef | null
  readonly isToBeTold?: boolean
}

/** Owes what an event is told as, if it is. */
export async function oweEvent(
  ctx: Pick<Ctx, 'db' | 'jobs' | 'clock' | 'config'>,
  event: WrittenEvent,
): Promise<void> {
  const kind = event.isToBeTold === false ? null : kindOf(event)
  if (kind === null) return
  const { printerId, printId, image = null } = event
  const code = kind === 'NotWatching' ? String(event.params?.['why']) : event.code
  await owe(ctx, { key: `event:${event.id}`, kind, code, printerId, printId, picture: image })
}
