import { z } from 'zod'
import { type Id, NO_ID, type PrinterId, type PrintId, type UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import type { JobKind } from '../../../engines/jobs/port.ts'
import type { NoticeKind } from '@vigil/contract/tell/notifications.ts'
import { lockList } from '../../../engines/db/transaction.ts'
import { CHANNELS, featuresOfChannel, isSetUp, PROGRAMS } from '../channels/index.ts'
import {
  featuresOf,
  gatheredMs,
  holdOf,
  ignoresMasterSwitch,
  KINDS,
  kindOf,
  type Notice,
  orientationOf,
  severityOf,
} from '../messages/index.ts'
import { findNamed, insertDeliveries, isWanted } from '../deliveries/deliveries.queries.ts'
import { hasSeveralPrints, joinOwed } from '../deliveries/gathered.queries.ts'
import { expectsFilm } from '../deliveries/held.queries.ts'
import { keepAlertLink, newLinkId } from './links.service.ts'
import { findRules, tellingRulesOf } from '../deliveries/rules.queries.ts'

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
  readonly printerId: PrinterId
  readonly printId: PrintId | null
  readonly picture: MediaRef | null
  readonly heater?: Notice['heater']
  readonly firstLayer?: Notice['firstLayer']
  readonly away?: Notice['away']
  readonly over?: Notice['over']
}

/** What is owed for longer, and not sent yet, is another matter. */
const JOINED_MS = 60_000

/** A print that is done is told with its time-lapse, unless that takes longer. */
const FILM_WAIT_MS = 10 * 60_000

const time = (date: Date | null) => date?.getTime() ?? null

/** A printer and a print as a notice names them. */
export type Named = Omit<NonNullable<Awaited<ReturnType<typeof findNamed>>>, 'userId'>

/** What somebody is told of news. */
export function noticeOf(news: Omit<News, 'key'>, named: Named): Notice {
  const { kind, code, printerId, printId, picture, heater = null, firstLayer, away, over } = news
  return {
    kind,
    code,
    printer: {
      id: printerId,
      name: named.name,
      pauseOnFailure: named.actionOnFailure === 'PAUSE',
      watchingEnabled: named.watchingEnabled,
    },
    print: {
      id: printId ?? NO_ID,
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
    ...(firstLayer && { firstLayer }),
    ...(away && { away }),
    ...(over && { over }),
  }
}

/**
 * Writes what is owed to the owner's channels, in the caller's transaction (`{...ctx, db: tx}`): the event, its
 * messages, and what has them sent commit together.
 */
export async function owe(ctx: Pick<Ctx, 'db' | 'jobs' | 'clock' | 'config'>, news: News): Promise<void> {
  const { key, kind, printerId, printId } = news
  const features = featuresOf(news)
  const channels = [...CHANNELS.values()]
    .filter((one) => isSetUp(one, ctx.config))
    .filter((one) => features.some((feature) => featuresOfChannel(one).includes(feature)))
    .map(({ name }) => name)
  const wanted = { channels, features, ignoresMasterSwitch: ignoresMasterSwitch(kind) }
  if (channels.length === 0 || !(await isWanted(ctx.db, printerId, wanted))) return
  const named = await findNamed(ctx.db, printerId, printId)
  if (named === undefined) return
  const now = ctx.clock.now()
  const isAlert = KINDS[kind].urgency === 'alert'
  const notice: Notice = { ...noticeOf(news, named), ...(isAlert && { linkId: newLinkId() }) }
  const { userId } = named
  const rules = await findRules(ctx.db, userId)
  const wait = holdOf(kind, tellingRulesOf(rules), now) ?? (await filmWait(ctx.db, news, now))
  const gatherMs = await gathering(ctx.db, userId, notice)
  const joined = gatherMs === 0 ? [] : await join(ctx.db, userId, notice, now)
  const written = await insertDeliveries(ctx.db, {
    userId,
    key,
    notice,
    ...wanted,
    channels: channels.filter((name) => !joined.includes(name)),
    gatherMs,
    programs: PROGRAMS,
    now: new Date(now),
    worthMs: KINDS[kind].worthMs,
    wait: wait && { why: wait.why, until: new Date(wait.until) },
    stepMs: isAlert && wait === null && rules.escalateAfter !== null ? rules.escalateAfter * 60_000 : null,
  })
  if (written === 0) return
  if (notice.linkId !== undefined) await keepAlertLink(ctx, { id: notice.linkId, key, userId, notice })
  await ctx.jobs.enqueue(ctx.db, DELIVER, { key })
}

/** For how long prints are gathered of which the same is told; 0 where there is one. */
async function gathering(db: Ctx['db'], userId: UserId, notice: Notice): Promise<number> {
  const ms = gatheredMs(notice)
  return ms > 0 && (await hasSeveralPrints(db, userId)) ? ms : 0
}

/** Names its print in what is owed of the same already; the channels by which that is told. */
async function join(db: Ctx['db'], userId: UserId, notice: Notice, now: number): Promise<string[]> {
  // Two at once would each find nothing.
  await lockList(db, 'told', userId)
  return await joinOwed(db, notice, { userId, since: new Date(now - JOINED_MS), programs: PROGRAMS })
}

async function filmWait(db: Ctx['db'], { kind, printId }: News, now: number) {
  if (kind !== 'PrintDone' || printId === null || !(await expectsFilm(db, printId))) return null
  return { why: 'film', until: now + FILM_WAIT_MS } as const
}

/** An event that was just written, as the events have it. */
interface WrittenEvent {
  readonly id: Id<'printerEvents'>
  readonly type: string
  readonly code: string | null
  readonly printerId: PrinterId
  readonly printId: PrintId | null
  readonly params?: Readonly<Record<string, unknown>>
  readonly image?: MediaRef | null
  readonly isToBeTold?: boolean
}

/** Under which key an event is owed. */
export const keyOfEvent = (id: Id<'printerEvents'>): string => `event:${id}`

/** Owes what an event is told as, if it is. */
export async function oweEvent(
  ctx: Pick<Ctx, 'db' | 'jobs' | 'clock' | 'config'>,
  event: WrittenEvent,
): Promise<void> {
  const kind = event.isToBeTold === false ? null : kindOf(event)
  if (kind === null) return
  const { printerId, printId, image = null } = event
  const { params } = event
  const code = kind === 'NotWatching' ? String(params?.['why']) : event.code
  const text = (name: string) => (typeof params?.[name] === 'string' ? String(params[name]) : null)
  const away = event.code === 'print_interrupted' ? { klipper: text('klipper'), said: text('said') } : null
  const key = keyOfEvent(event.id)
  const over = overOf(event)
  await owe(ctx, {
    key,
    kind,
    code,
    printerId,
    printId,
    picture: image,
    ...(away && { away }),
    ...(over && { over }),
  })
}

/** How long a print took that is over, and how much of that was watched, as its event says. */
function overOf({ type, params }: WrittenEvent): Notice['over'] | null {
  const { seconds, watched, unseen } = params ?? {}
  if (type !== 'ENDED' || typeof seconds !== 'number' || typeof watched !== 'number') return null
  return {
    seconds,
    watched,
    unseen: String(unseen ?? '')
      .split(' ')
      .filter(Boolean),
  }
}
