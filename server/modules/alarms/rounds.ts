import { randomUUID } from 'node:crypto'
import type { Ctx } from '../../ctx.ts'
import { isDatabaseDown } from '../../engines/db/postgres.ts'
import { printsWatched } from '../../engines/metrics/index.ts'
import { noteDatabase } from '../detection/index.ts'
import { endOthers, findRounds, noteRound, PARTS } from './alarms.queries.ts'
import { type Gap, TWO_INTERVALS_MS } from './alarms.rules.ts'
import { lookAfter, type Memory, type Tally } from './alarms.service.ts'
import { Parts } from './parts.ts'

/** One round after the other over the prints that this node looks after. */
export class Rounds {
  readonly #ctx: Ctx
  readonly #parts: Parts
  readonly #memory: Memory = new Map()
  /** When each part was looked after last by this node, on the clock that nobody sets. */
  readonly #lastAt = new Map<number, number>()
  #isDown = false

  constructor(ctx: Ctx) {
    this.#ctx = ctx
    this.#parts = new Parts(ctx, randomUUID())
  }

  /** Looks once at every print. A database that is away is noted, and asked again the next time. */
  async next(): Promise<void> {
    try {
      const parts = await this.#parts.hold(PARTS)
      for (const part of this.#lastAt.keys()) if (!parts.includes(part)) this.#lastAt.delete(part)
      if (parts.length > 0) await this.#look(parts)
    } catch (error) {
      if (!isDatabaseDown(error)) throw error
      this.#isDown = true
      noteDatabase(this.#ctx, true)
    }
  }

  async end(): Promise<void> {
    await this.#parts.release()
  }

  async #look(parts: readonly number[]): Promise<void> {
    const ctx = this.#ctx
    const gaps = await this.#gaps(parts)
    this.#isDown = false
    noteDatabase(ctx, false)
    const now = new Date(ctx.clock.now())
    await endOthers(ctx.db, parts, now)
    const gapOf = (printerId: number) => gaps.get(printerId % PARTS) ?? null
    show(await lookAfter(ctx, this.#memory, { parts, gapOf }))
    await noteRound(ctx.db, parts, now)
    for (const part of parts) this.#lastAt.set(part, ctx.clock.monotonic())
  }

  /** Parts that nobody looked after for two intervals, with the reason. */
  async #gaps(parts: readonly number[]): Promise<ReadonlyMap<number, Gap>> {
    const { db, clock } = this.#ctx
    const others = await findRounds(db, parts)
    const gapOf = (part: number): Gap | null => {
      const own = this.#lastAt.get(part)
      if (own !== undefined)
        return this.#isDown && clock.monotonic() - own > TWO_INTERVALS_MS ? 'database_down' : null
      const before = others.get(part)?.getTime() ?? Infinity
      return clock.now() - before > TWO_INTERVALS_MS ? 'server_down' : null
    }
    return new Map(
      parts.flatMap((part) => {
        const gap = gapOf(part)
        return gap === null ? [] : [[part, gap] as const]
      }),
    )
  }
}

/** How many prints are watched, and why the others are not. */
function show(tally: Tally): void {
  printsWatched.reset()
  for (const [watch, count] of tally) printsWatched.set({ watch }, count)
}
