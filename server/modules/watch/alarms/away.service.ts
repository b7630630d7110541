import type { Ctx } from '../../../ctx.ts'
import { isDatabaseDown } from '../../../engines/db/postgres.ts'
import { watchAlarms } from '../../../engines/metrics/index.ts'
import { type Accepted, gatheredMs, Standby } from '../../tell/notifications/index.ts'
import type { RunningRow } from './alarms.queries.ts'
import { TWO_INTERVALS_MS } from './alarms.rules.ts'
import { lookAfter, type Memory, raisedOf, type Tally } from './alarms.service.ts'
import { lostWords, raiseAlarms, type Raising } from './carry.service.ts'

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
    const tally = await lookAfter(this.#ctx, memory, {
      pages: [this.#rows],
      raisedOf: (row) =>
        this.#told.get(row.id)?.row.printId === row.printId ? { recurred: 0 } : raisedOf(row),
      isWatchedElsewhere: ({ picture }) => this.#isJudged(picture?.checkedAt ?? null, since),
      carryOut: async (doings) => {
        const all = doings.flatMap(({ row, presence, act }): Raising[] =>
          act.do === 'raise' ? [{ row, presence, code: act.code }] : [],
        )
        for (const [first, ...others] of Map.groupBy(all, causeOf).values())
          if (first) this.#tell(first, others)
      },
    })
    return tally
  }

  /** The database is back: what was told is written down as it was, with what accepted it. */
  async settle(): Promise<void> {
    this.#now?.over.abort()
    this.#now = null
    for (const [first, ...others] of Map.groupBy(this.#told.values(), ({ accepted }) => accepted).values())
      if (first) await this.#writeDown(first, others)
  }

  /** What was one message. The events have the time at which it was told. */
  async #writeDown(first: Told, others: readonly Told[]): Promise<void> {
    const accepted = await first.accepted
    const then = { ...this.#ctx, clock: { ...this.#ctx.clock, now: () => first.at } }
    try {
      await raiseAlarms(then, [first, ...others], (tx, eventIds) =>
        this.#standby.writeDown(tx, eventIds, accepted),
      )
    } catch (error) {
      if (isDatabaseDown(error)) throw error
      if (others.length > 0) {
        for (const one of [first, ...others]) await this.#writeDown(one, [])
        return
      }
      // Its printer is gone, with all that there is to say of it.
      const { id: printerId } = first.row
      this.#ctx.log.error({ err: error, printerId }, 'what an owner was told could not be written down')
    }
    for (const { row } of [first, ...others]) this.#told.delete(row.id)
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

/** What is told of several prints of an owner is told of all at once. */
function causeOf({ row, code }: Raising): string {
  const isGathered = gatheredMs({ kind: 'NotWatching', code }) > 0
  return isGathered ? `${row.userId} ${code}` : `printer ${row.id}`
}
