import type { PrintId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { PrinterAway } from '../presence/index.ts'
import type { Line } from '../frames/frames.ts'
import { type Diagnosis, diagnose, type Standing } from './vitals.rules.ts'

/** How long the old socket has to show that it lives, when a second one comes. */
const PROBE_MS = 4_000

/** One socket's signs of life; times are milliseconds on the monotonic clock. */
export class Pulse {
  readonly #clock: Ctx['clock']
  readonly #openedAt: number
  readonly #waiters = new Set<(isAlive: boolean) => void>()
  #pingedAt: number
  #reportedAt: number
  #unanswered = 0
  #beckonedAt: number | null = null
  /** The last report was a whole one. */
  #wasWhole = false
  heardAt: number
  hasReported = false
  /** The agent says that it has lost its printer. */
  away: PrinterAway | null = null
  /** When the status that browsers are shown came; null: on an earlier socket. */
  shownAt: number | null = null

  constructor(clock: Ctx['clock']) {
    this.#clock = clock
    this.#openedAt = this.heardAt = this.#pingedAt = this.#reportedAt = clock.monotonic()
  }

  /** A frame or a pong came. */
  feel(): void {
    this.heardAt = this.#clock.monotonic()
    this.#unanswered = 0
    for (const finish of this.#waiters) finish(true)
  }

  /** True when it is the first status of this socket. */
  noteReport(what: Parameters<Line['noteReport']>[0]): boolean {
    if (what !== 'earlier') {
      this.#reportedAt = this.#clock.monotonic()
      this.#beckonedAt = null
      this.#wasWhole = what === 'status'
    }
    // Who has never reported may be about to.
    if (what === 'empty' && this.hasReported) this.away ??= this.#awayAs({ state: null, message: null })
    if (what === 'status') this.away = null
    if (what === 'status') this.shownAt = this.#reportedAt
    const isFirst = what !== 'empty' && !this.hasReported
    if (isFirst) this.hasReported = true
    return isFirst && what !== 'earlier'
  }

  /** Why the printer is away; the same again changes nothing. */
  noteAway({ state, message }: Omit<PrinterAway, 'since'>): void {
    const { away } = this
    if (away === null || away.state !== state || away.message !== message)
      this.away = this.#awayAs({ state, message })
  }

  #awayAs(why: Omit<PrinterAway, 'since'>): PrinterAway {
    return { since: this.away?.since ?? this.#clock.now(), ...why }
  }

  /** What is to be done now; a ping that is due counts as sent, and so does a beckon. `printId`: of the print that is open. */
  diagnose(record: Standing | null, printId: PrintId | null, now: number): Diagnosis {
    const { heardAt, hasReported, away } = this
    const diagnosis = diagnose(
      {
        openedAt: this.#openedAt,
        heardAt,
        hasReported,
        reportedAt: this.#reportedAt,
        isInPrint: printId !== null,
        wasWhole: this.#wasWhole,
        pingedAt: this.#pingedAt,
        unanswered: this.#unanswered,
        beckonedAt: this.#beckonedAt,
        away,
        record,
      },
      now,
    )
    if (diagnosis.isPingDue) {
      this.#pingedAt = now
      this.#unanswered++
    }
    if (diagnosis.isBeckonDue) this.#beckonedAt = now
    return diagnosis
  }

  /** Whether any sign of life comes within a few seconds after `ask`. */
  async probe(ask: () => void): Promise<boolean> {
    return await new Promise((resolve) => {
      const finish = (isAlive: boolean) => {
        clearTimeout(timer)
        this.#waiters.delete(finish)
        resolve(isAlive)
      }
      const timer = setTimeout(() => finish(false), PROBE_MS)
      this.#waiters.add(finish)
      ask()
    })
  }

  /** No sign will come any more. */
  end(): void {
    for (const finish of this.#waiters) finish(false)
  }
}
