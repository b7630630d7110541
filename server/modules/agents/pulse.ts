import type { Ctx } from '../../ctx.ts'
import type { Line } from './frames.ts'
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
  heardAt: number
  hasReported = false
  /** When the status that browsers are shown came; null: on an earlier socket. */
  shownAt: number | null = null

  constructor(clock: Ctx['clock']) {
    this.#clock = clock
    this.#openedAt = this.heardAt = this.#pingedAt = this.#reportedAt = clock.monotonic()
  }

  /** A frame or a pong came. */
  feel(): void {
    this.heardAt = this.#clock.monotonic()
    for (const finish of this.#waiters) finish(true)
  }

  /** True when it is the first status of this socket. */
  noteReport(what: Parameters<Line['noteReport']>[0]): boolean {
    if (what !== 'earlier') this.#reportedAt = this.#clock.monotonic()
    if (what === 'status') this.shownAt = this.#reportedAt
    const isFirst = what !== 'empty' && !this.hasReported
    if (isFirst) this.hasReported = true
    return isFirst && what !== 'earlier'
  }

  /** What is to be done now; a ping that is due counts as sent. */
  diagnose(record: Standing | null, now: number): Diagnosis {
    const { heardAt, hasReported } = this
    const openedAt = this.#openedAt
    const diagnosis = diagnose(
      { openedAt, heardAt, hasReported, reportedAt: this.#reportedAt, pingedAt: this.#pingedAt, record },
      now,
    )
    if (diagnosis.isPingDue) this.#pingedAt = now
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
