import { z } from 'zod'
import { type Id, NO_ID, type PrinterId, type PrintId, type UserId } from '../../../lib/id.ts'
import { newLinkId } from '../../../lib/keyring.ts'
import type { Ctx } from '../../../ctx.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import type { JobKind } from '../../../engines/jobs/port.ts'
import type { NoticeKind } from '@vigil/contract/tell/notifications.ts'
import { lockLists } from '../../../engines/db/transaction.ts'
import { CHANNELS, featuresOfChannel, isSetUp, PROGRAMS } from '../channels/index.ts'
import {
  featuresOf,
  gatheredMs,
  holdOf,
  ignoresMasterSwitch,
  KINDS,
  kindOf,
  type NamedPrint,
  type Notice,
  orientationOf,
  severityOf,
} from '../messages/index.ts'
import { findNamed, type NamedRow } from '../deliveries/deliveries.queries.ts'
import { insertDeliveries, keyOf, onlyWanted, type Owed } from '../deliveries/owed.queries.ts'
import { inMessages, joinOwed, withSeveralPrints } from '../deliveries/gathered.queries.ts'
import { expectsFilm } from '../deliveries/held.queries.ts'
import { keepAlertLinks } from './links.service.ts'
import { findHearing } from '../deliveries/hearing.queries.ts'
import { findRulesOf, tellingRulesOf } from '../deliveries/rules.queries.ts'

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
export type Named = Omit<NamedRow, 'userId' | 'at'>

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

type Inside = Pick<Ctx, 'db' | 'jobs' | 'clock' | 'config'>

/**
 * Writes what is owed to the owner's channels, in the caller's transaction (`{...ctx, db: tx}`): the event, its
 * messages, and what has them sent commit together.
 */
export const owe = async (ctx: Inside, news: News): Promise<void> => await oweAll(ctx, [news])

/** The same for many at once, by as many statements as for one. */
async function oweAll(ctx: Inside, all: readonly News[]): Promise<void> {
  const alike = Map.groupBy(all, (news) => [news.kind, ...featuresOf(news)].join(' '))
  for (const [first, ...others] of alike.values()) if (first) await oweAlike(ctx, first, others)
}

/** All are of one kind, and wanted by the same switches. */
async function oweAlike(ctx: Inside, first: News, others: readonly News[]): Promise<void> {
  const { kind, key } = first
  const features = featuresOf(first)
  const channels = [...CHANNELS.values()]
    .filter((one) => isSetUp(one, ctx.config))
    .filter((one) => features.some((feature) => featuresOfChannel(one).includes(feature)))
    .map(({ name }) => name)
  const how = { features, channels, ignoresMasterSwitch: ignoresMasterSwitch(kind) }
  const wanted = channels.length === 0 ? [] : await onlyWanted(ctx.db, [first, ...others], how)
  if (wanted.length === 0) return
  const now = ctx.clock.now()
  const owed = await gather(ctx.db, await messagesOf(ctx, wanted, { channels, now }), now)
  const { worthMs } = KINDS[kind]
  const written = await insertDeliveries(
    ctx.db,
    { ...how, programs: PROGRAMS, now: new Date(now), worthMs },
    owed,
  )
  if (written.size === 0) return
  // What programs are told has the key of what people are, who are told first.
  const told = new Map(owed.toReversed().map((one) => [keyOf(one), one]))
  await keepAlertLinks(
    ctx,
    [...told.values()].filter((one) => written.has(keyOf(one))),
  )
  await ctx.jobs.enqueue(ctx.db, DELIVER, { key })
}

/** A message to somebody about a printer of this account: their own, or one that has let them in. */
interface Addressed extends Owed {
  readonly ownerId: UserId
}

/** What is told of news by these channels, to the printer's owner and whom they have let in; nothing where the printer is gone. */
async function messagesOf(
  { db, config }: Pick<Ctx, 'db' | 'config'>,
  news: readonly News[],
  { channels, now }: { readonly channels: readonly string[]; readonly now: number },
): Promise<Addressed[]> {
  const rows = new Map((await findNamed(db, news)).map((row) => [row.at, row]))
  const members = Map.groupBy(await findHearing(db, news), ({ printerId }) => printerId)
  const people = [...rows.values(), ...[...members.values()].flat()]
  const rulesOf = await findRulesOf(db, [...new Set(people.map(({ userId }) => userId))])
  const messages: Addressed[] = []
  for (const [at, one] of news.entries()) {
    const named = rows.get(at)
    if (named === undefined) continue
    const film = await filmWait(db, one, now)
    const plain = noticeOf(one, named)
    const isAlert = KINDS[one.kind].urgency === 'alert'
    const owner = rulesOf(named.userId)
    for (const reader of [{ ...named, mayAct: true, turn: null }, ...(members.get(one.printerId) ?? [])]) {
      const { userId, mayAct, turn } = reader
      const rules = rulesOf(userId)
      // Who may only look has no buttons.
      const notice: Notice = { ...plain, ...(isAlert && mayAct && { linkId: newLinkId(config) }) }
      const later = isAlert && turn !== null ? turnOf(turn, owner.escalateAfter, now) : null
      const wait = holdOf(one.kind, tellingRulesOf(rules), now) ?? film ?? later
      const { escalateAfter } = rules
      const stepMs = isAlert && wait === null && escalateAfter !== null ? escalateAfter * 60_000 : null
      messages.push({ userId, ownerId: named.userId, key: one.key, notice, channels, wait, stepMs })
    }
  }
  return messages
}

/** Minutes until the next person is told, where the owner has not said how long. */
const USUAL_TURN_MIN = 5

/** When it is somebody's turn whom the owner wants told only while nobody answers: after all steps of the owner's own channels. */
const turnOf = (turn: number, escalateAfter: number | null, now: number) =>
  ({ why: 'escalation', until: now + turn * (escalateAfter ?? USUAL_TURN_MIN) * 60_000 }) as const

/** Prints of one owner of which the same is told become one message to each reader, or are named in one that is owed already; programs are told of each. */
async function gather(db: Ctx['db'], all: readonly Addressed[], now: number): Promise<Owed[]> {
  const isShared = ({ notice }: Owed) => gatheredMs(notice) > 0
  const owners = [...new Set(all.filter(isShared).map(({ ownerId }) => ownerId))]
  const crowded = owners.length === 0 ? new Set<UserId>() : await withSeveralPrints(db, owners)
  const isGathered = (one: Addressed) => isShared(one) && crowded.has(one.ownerId)
  const together = all.filter(isGathered)
  if (together.length === 0) return [...all]
  // Two at once would each find nothing.
  await lockLists(db, 'told', [...crowded])
  const alike = Map.groupBy(together, ({ userId, ownerId, notice }) => `${userId} ${ownerId} ${notice.code}`)
  const messages = [...alike.values()].map((some) => inMessages(some))
  const joined = await joinOwed(
    db,
    messages.flatMap(([prints = []]) =>
      prints
        .slice(0, 1)
        .map(({ userId, ownerId, notice }) => ({ ...notice, userId, ownerId, prints: prints.map(namedOf) })),
    ),
    { since: new Date(now - JOINED_MS), programs: PROGRAMS },
  )
  const gathered = messages.flatMap((pieces, at) =>
    pieces.flatMap((piece, nth) => asOne(piece, nth === 0 ? (joined[at] ?? []) : [])),
  )
  return [...all.filter((one) => !isGathered(one)), ...gathered]
}

const namedOf = ({ notice: { printer, print } }: Owed): NamedPrint => ({
  printer: { id: printer.id, name: printer.name },
  print: { id: print.id, filename: print.filename },
})

/** One message to people, but for the channels by which they are told already, and one of each print to programs. */
function asOne([first, ...others]: readonly [Owed, ...Owed[]], joined: readonly string[]): Owed[] {
  const gatherMs = gatheredMs(first.notice)
  const isProgram = (name: string) => PROGRAMS.includes(name)
  const people = first.channels.filter((name) => !isProgram(name) && !joined.includes(name))
  const notice = { ...first.notice, ...(others.length > 0 && { others: others.map(namedOf) }) }
  const programs = [first, ...others].map((one) => ({ ...one, channels: one.channels.filter(isProgram) }))
  return [{ ...first, notice, channels: people, gatherMs }, ...programs].filter(
    ({ channels }) => channels.length > 0,
  )
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

/** Owes what events are told as, if they are. */
export const oweEvents = async (ctx: Inside, events: readonly WrittenEvent[]): Promise<void> =>
  await oweAll(
    ctx,
    events.flatMap((event) => newsOf(event) ?? []),
  )

function newsOf(event: WrittenEvent): News | null {
  const kind = event.isToBeTold === false ? null : kindOf(event)
  if (kind === null) return null
  const { printerId, printId, image = null } = event
  const { params } = event
  const code = kind === 'NotWatching' ? String(params?.['why']) : event.code
  const text = (name: string) => (typeof params?.[name] === 'string' ? String(params[name]) : null)
  const away = event.code === 'print_interrupted' ? { klipper: text('klipper'), said: text('said') } : null
  const key = keyOfEvent(event.id)
  const over = overOf(event)
  return { key, kind, code, printerId, printId, picture: image, ...(away && { away }), ...(over && { over }) }
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
