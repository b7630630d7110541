import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { NoticeKind } from '@vigil/contract/tell/notifications.ts'
import type { Id, UserId } from '../../../lib/id.ts'
import { TRY_MS } from '../../../lib/tries.ts'
import type { Ctx } from '../../../ctx.ts'
import { inLane } from '../../../engines/db/lane.ts'
import { notifications } from '../../../engines/metrics/index.ts'
import {
  type BrowserRow,
  type DeviceRow,
  findBrowsers,
  findDevices,
  type PushKeys,
  pushKeys,
} from '../../people/devices/index.ts'
import { mailAddressesOf } from '../../people/emails/index.ts'
import { letterTo } from '../../people/mail/index.ts'
import {
  type Channel,
  CHANNELS,
  featuresOfChannel,
  isSetUp,
  type Message,
  NotAccepted,
} from '../channels/index.ts'
import { holdOf, KINDS, type Notice, type TellingRules } from '../messages/index.ts'
import { backOff } from '../sending/breaker.rules.ts'
import { ANSWER_MS, sendBy } from '../sending/deliver.service.ts'
import { messageOf, post } from '../sending/message.service.ts'
import { keyOfEvent, type Named, type News, noticeOf } from '../sending/outbox.service.ts'
import { findRulesOf, tellingRulesOf } from '../deliveries/rules.queries.ts'
import { endAccepted, findWays, type Way } from './standby.queries.ts'

/** What is known of somebody's channels is read again after so long. */
const FRESH_MS = 2 * 60_000
/** So many people are read at a time; who is not known yet goes first. */
const READ_MOST = 100
/** So many people are known at once. */
const KNOWN_MOST = 20_000
/** Of each channel, so many at once. */
const AT_ONCE = 16
/** A channel is tried so often; then its message waits for the database. */
const TRIES_MOST = 5

/** What has somebody told without the database. */
interface Known {
  readonly readAt: number
  readonly rules: TellingRules
  readonly ways: readonly Way[]
  readonly mailAddresses: string[]
  readonly browsers: BrowserRow[]
  readonly phones: DeviceRow[]
  readonly keys: PushKeys | null
}

/** One message by one channel. */
interface One {
  readonly known: Known
  readonly way: Way
  readonly notice: Notice
  readonly key: string
  /** A try has failed. */
  readonly onFailure: () => void
}

/** The channels that accepted something, and when, by their setting. */
export type Accepted = ReadonlyMap<Id<'notificationSettings'>, Date>

/**
 * Tells people of one kind of notice while the database is away, by what was kept in memory of their channels while it was
 * there (docs/decisions/0013). What was accepted is written down later: `writeDown`.
 */
export class Standby {
  readonly #ctx: Ctx
  readonly #kind: NoticeKind
  readonly #known = new LRUCache<UserId, Known>({ max: KNOWN_MOST })

  constructor(ctx: Ctx, kind: NoticeKind) {
    this.#ctx = ctx
    this.#kind = kind
  }

  /** Reads what is not known of these people, or not fresh, some of it at a time. Call while the database is there. */
  async keep(userIds: ReadonlySet<UserId>): Promise<void> {
    const before = this.#ctx.clock.monotonic() - FRESH_MS
    const ageOf = (id: UserId) => this.#known.peek(id)?.readAt ?? -Infinity
    const due = [...userIds]
      .filter((id) => ageOf(id) < before)
      .toSorted((a, b) => Math.sign(ageOf(a) - ageOf(b)))
      .slice(0, READ_MOST)
    for (const id of this.#known.keys()) if (!userIds.has(id)) this.#known.delete(id)
    if (due.length > 0) await this.#read(due)
  }

  /**
   * Tells somebody, who is known, at once; tries again until `until`. Resolves with what was accepted, when nothing is under
   * way any more; raises nothing.
   */
  async tell(
    {
      userId,
      named,
      others,
      ...told
    }: { userId: UserId; named: Named } & Omit<News, 'kind'> & Pick<Notice, 'others'>,
    until: AbortSignal,
  ): Promise<Accepted> {
    const known = this.#known.get(userId)
    const accepted = new Map<Id<'notificationSettings'>, Date>()
    if (known === undefined) return accepted
    const notice = { ...noticeOf({ ...told, kind: this.#kind }, named), ...(others && { others }) }
    const tell = (way: Way) => {
      const { promise: tried, resolve } = Promise.withResolvers<void>()
      const one = { known, way, notice, key: told.key, onFailure: resolve }
      const ended = this.#try(one, until).then((isAccepted) => {
        if (isAccepted) accepted.set(way.settingId, new Date(this.#ctx.clock.now()))
        resolve()
      })
      return { tried, ended }
    }
    const isProgram = ({ channel }: Way) => CHANNELS.get(channel)?.isForPrograms === true
    const readers = known.ways.filter((way) => !isProgram(way))
    const isHeld = holdOf(this.#kind, known.rules, this.#ctx.clock.now()) !== null
    /** Each step when nobody of those before took its first try, or soon; those go on being tried beside it. */
    const inTurn = async () => {
      const steps = [...new Set(readers.map(({ step }) => step))].toSorted((a, b) => a - b)
      const told: Promise<void>[] = []
      for (const step of isHeld ? [] : steps) {
        const ways = readers.filter((way) => way.step === step)
        const tries = ways.map((way) => tell(way))
        told.push(...tries.map(({ ended }) => ended))
        await Promise.race([
          Promise.all(tries.map(({ tried }) => tried)),
          sleep(ANSWER_MS, null, { ref: false }),
        ])
        if (ways.some(({ settingId }) => accepted.has(settingId))) break
      }
      await Promise.all(told)
    }
    await Promise.all([...known.ways.filter(isProgram).map((way) => tell(way).ended), inTurn()])
    return accepted
  }

  /** Writes what was accepted into what events owe, in their transaction, so that nobody is told twice. */
  async writeDown(
    tx: Ctx['db'],
    eventIds: readonly Id<'printerEvents'>[],
    accepted: Accepted,
  ): Promise<void> {
    await endAccepted(tx, eventIds.map(keyOfEvent), accepted)
  }

  async #read(userIds: readonly UserId[]): Promise<void> {
    const { db, config, clock } = this.#ctx
    const { feature } = KINDS[this.#kind]
    const channels = [...CHANNELS.values()]
      .filter((one) => isSetUp(one, config) && featuresOfChannel(one).includes(feature))
      .map(({ name }) => name)
    const found = channels.length === 0 ? [] : await findWays(db, { userIds, feature, channels })
    const rulesOf = await findRulesOf(db, userIds)
    for (const userId of userIds) {
      const ways = found.filter(({ id }) => id === userId)
      const has = (name: string) => ways.some(({ channel }) => channel === name)
      this.#known.set(userId, {
        readAt: clock.monotonic(),
        rules: tellingRulesOf(rulesOf(userId)),
        ways,
        mailAddresses: has('email') ? await mailAddressesOf(this.#ctx, userId) : [],
        browsers: has('webpush') ? await findBrowsers(db, userId) : [],
        phones: has('mobile') ? await findDevices(db, userId) : [],
        keys: has('webpush') ? await pushKeys(this.#ctx) : null,
      })
    }
  }

  /** Whether a channel accepted it, after a few tries. */
  async #try(one: One, until: AbortSignal): Promise<boolean> {
    const channel = CHANNELS.get(one.way.channel)
    if (channel === undefined) return false
    for (let attempt = 1; !until.aborted; attempt++) {
      const outcome = await inLane(this.#ctx.db, `standby ${channel.name}`, AT_ONCE, () =>
        this.#send(channel, this.#message(one)),
      )
      notifications.inc({ channel: channel.name, outcome })
      if (outcome !== 'again') return outcome === 'accepted'
      one.onFailure()
      if (attempt === TRIES_MOST) return false
      await sleep(backOff(attempt), undefined, { signal: until, ref: false }).catch(() => null)
    }
    return false
  }

  async #send(channel: Channel, message: Message): Promise<'accepted' | 'refused' | 'again'> {
    try {
      await sendBy(channel, message)
      return 'accepted'
    } catch (error) {
      const { log } = this.#ctx
      log.warn(
        { err: error, channel: channel.name },
        'a channel did not take what is told without the database',
      )
      return error instanceof NotAccepted && error.isFinal ? 'refused' : 'again'
    }
  }

  /** The message, of which nothing asks the database. */
  #message({ known, way, notice, key }: One): Message {
    const ctx = this.#ctx
    const signal = AbortSignal.timeout(TRY_MS)
    const ofWay = `${key}:${way.settingId}`
    const message = messageOf(ctx, way, { notice, key: ofWay, signal })
    return {
      ...message,
      devices: {
        keys: async () => known.keys ?? (await pushKeys(ctx)),
        browsers: async () => known.browsers,
        phones: async () => known.phones,
        // Who is gone is found out again when it can be written down.
        forgetBrowser: async () => undefined,
        forgetPhone: async () => undefined,
      },
      mailAddresses: async () => known.mailAddresses,
      async mail(letter, attachments) {
        await post(ctx, letterTo(ctx, way, { ...letter, key: ofWay }, attachments), signal)
      },
    }
  }
}
