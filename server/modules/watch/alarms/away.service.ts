import type { WatchCode } from '@vigil/contract/printers/printers.ts'
import type { Ctx } from '../../../ctx.ts'
import { isDatabaseDown } from '../../../engines/db/postgres.ts'
import { watchAlarms } from '../../../engines/metrics/index.ts'
import { type Accepted, gatheredMs, Standby } from '../../tell/notifications/index.ts'
import type { Presence } from '../../core/presence/index.ts'
import type { RunningRow } from './alarms.queries.ts'
import { TWO_INTERVALS_MS } from './alarms.rules.ts'
import { lookAfter, lostWords, type Memory, raisedOf, raiseAlarm, type Tally } from './alarms.service.ts'

/** An alarm of a print. */
interface Raising {
  readonly row: RunningRow
  readonly presence: Presence
  readonly code: WatchCode
}

/** An alarm that was told and is not written down. */
interface Told extends Raising {
  readonly at: number
  readonly accepted: Promise<Accepted>
}

/**
 * Prints are looked at while the database is away, too, by the rows of the last round, and their owners told by what is kept
 * of their channels; it is written down when the database is back (docs/decisions/0013).
 */
export class Away {
  readonly #ctx: Ctx
  readonly #standby: Standby
  readonly #told = new Map<number, Told>()
  #rows: readonly RunningRow[] = []
  /** Since when the database is away, on the clock of the day; ends what is tried meanwhile. */
  #now: { readonly since: number; readonly over: AbortController } | null = null

  constructor(ctx: Ctx) {
    this.#ctx = ctx
    this.#standby = new Standby(ctx, 'NotWatching')
  }

  /** What a round has found, while the database is there. */
  async keep(rows: readonly RunningRow[]): Promise<void> {
    this.#rows = rows
    await this.#standby.keep(new Set(rows.map(({ userId }) => userId)))
  }

  /** Looks at the prints as they are known, and tells what is to be told. */
  async look(memory: Memory): Promise<Tally> {
    const { since } = (this.#now ??= { since: this.#ctx.clock.now(), over: new AbortController() })
    const raised = new Map<string, Raising[]>()
    const tally = await lookAfter(this.#ctx, memory, {
      pages: [this.#rows],
      raisedOf: (row) =>
        this.#told.get(row.id)?.row.printId === row.printId ? { recurred: 0 } : raisedOf(row),
      isWatchedElsewhere: ({ picture }) => this.#isJudged(picture?.checkedAt ?? null, since),
      carryOut: async ({ row, presence, act }) => {
        if (act.do !== 'raise') return
        const { code } = act
        const isGathered = gatheredMs({ kind: 'NotWatching', code }) > 0
        const cause = isGathered ? `${row.userId} ${code}` : `printer ${row.id}`
        raised.set(cause, [...(raised.get(cause) ?? []), { row, presence, code }])
      },
    })
    for (const [first, ...others] of raised.values()) if (first) this.#tell(first, others)
    return tally
  }

  /** The database is back: what was told is written down as it was, with what accepted it. */
  async settle(): Promise<void> {
    this.#now?.over.abort()
    this.#now = null
    for (const [printerId, told] of this.#told) {
      try {
        await this.#writeDown(told)
      } catch (error) {
        if (isDatabaseDown(error)) throw error
        // Its printer is gone, with all that there is to say of it.
        this.#ctx.log.error({ err: error, printerId }, 'what an owner was told could not be written down')
      }
      this.#told.delete(printerId)
    }
  }

  /** The event has the time at which its owner was told. */
  async #writeDown(told: Told): Promise<void> {
    const accepted = await told.accepted
    const then = { ...this.#ctx, clock: { ...this.#ctx.clock, now: () => told.at } }
    await raiseAlarm(then, told, (tx, eventId) => this.#standby.writeDown(tx, eventId, accepted))
  }

  end(): void {
    this.#now?.over.abort()
  }

  /** Another node, whose database answers, has looked at its pictures since. */
  #isJudged(checkedAt: number | null, since: number): boolean {
    if (this.#ctx.config.REDIS_URL === undefined || checkedAt === null) return false
    return checkedAt > since && this.#ctx.clock.now() - checkedAt < TWO_INTERVALS_MS
  }

  /** One message for one cause, of all prints of an owner that it is of. */
  #tell(first: Raising, more: readonly Raising[]): void {
    const { clock, log } = this.#ctx
    const at = clock.now()
    const { row, presence, code } = first
    const { id: printerId, printId, userId } = row
    const key = `away:${printId}:${at}`
    const named = { ...row, agentSettings: null, finishedAt: null, cancelledAt: null, alertOverwrite: null }
    const away = code === 'printer_lost' ? lostWords(presence) : null
    const others = more.map((one) => ({
      printer: { id: one.row.id, name: one.row.name },
      print: { id: one.row.printId, filename: one.row.filename },
    }))
    const news = { key, code, printerId, printId, picture: null, ...(away && { away }) }
    const over = this.#now?.over ?? new AbortController()
    const accepted = this.#standby.tell(
      { userId, named, ...news, ...(others.length > 0 && { others }) },
      over.signal,
    )
    for (const one of [first, ...more]) {
      this.#told.set(one.row.id, { ...one, at, accepted })
      watchAlarms.inc({ why: code })
    }
    log.warn(
      { printerId, printId, code, others: others.length },
      'an owner is told, without the database, that a print is not watched',
    )
  }
}
