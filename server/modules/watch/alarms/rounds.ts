import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { isDatabaseDown } from '../../../engines/db/postgres.ts'
import { printsLookedAt, printsWatched } from '../../../engines/metrics/index.ts'
import { noteDatabase, noteGap, noteUnwatched, type WatchChange } from '../detection/index.ts'
import {
  ask,
  endOthers,
  findRounds,
  findRunning,
  noteRound,
  PARTS,
  type RunningRow,
} from './alarms.queries.ts'
import { type Gap, TWO_INTERVALS_MS } from './alarms.rules.ts'
import { lookAfter, type Memory, raisedOf, type Tally } from './alarms.service.ts'
import { Away } from './away.service.ts'
import { carryOut } from './carry.service.ts'
import { Parts } from './parts.ts'

/** A database that has said nothing for so long is away; one that is only busy answers sooner. */
const PATIENCE_MS = 8_000

/** Nobody looked since then, in milliseconds. */
interface Missed {
  readonly why: Gap
  readonly since: number
}

/** One round after the other over the prints that this node looks after. */
export class Rounds {
  readonly #ctx: Ctx
  readonly #parts: Parts
  readonly #away: Away
  readonly #memory: Memory = new Map()
  /** When each part was looked after last by this node, on the clock that nobody sets. */
  readonly #lastAt = new Map<number, number>()
  #isDown = false
  #asked: Promise<boolean> | null = null

  constructor(ctx: Ctx) {
    this.#ctx = ctx
    this.#parts = new Parts(ctx, randomUUID())
    this.#away = new Away(ctx)
  }

  /** Looks once at every print; while the database is away, by what is known. */
  async next(): Promise<void> {
    const at = this.#ctx.clock.now()
    const parts = await this.#parts.hold(PARTS)
    for (const part of this.#lastAt.keys()) if (!parts.includes(part)) this.#lastAt.delete(part)
    if (parts.length === 0) return
    try {
      if (await this.#answers()) return show(await this.#look(parts), at)
    } catch (error) {
      if (!isDatabaseDown(error)) throw error
    }
    this.#isDown = true
    noteDatabase(this.#ctx, true)
    show(await this.#away.look(this.#memory), at)
  }

  async end(): Promise<void> {
    this.#away.end()
    await this.#parts.release()
  }

  /** Whether the database answers soon: one that vanishes without a word keeps who asks for a minute. One question at a time. */
  async #answers(): Promise<boolean> {
    this.#asked ??= askDatabase(this.#ctx).finally(() => (this.#asked = null))
    return await Promise.race([this.#asked, sleep(PATIENCE_MS, false, { ref: false })])
  }

  async #look(parts: readonly number[]): Promise<Tally> {
    const ctx = this.#ctx
    const gaps = await this.#gaps(parts)
    await this.#away.settle()
    this.#isDown = false
    noteDatabase(ctx, false)
    const now = new Date(ctx.clock.now())
    await endOthers(ctx.db, parts, now)
    const rows: RunningRow[] = []
    const pages = collected(findRunning(ctx.db, parts), rows)
    const gapOf = (printerId: PrinterId) => gaps.get(printerId % PARTS)?.why ?? null
    const changes: WatchChange[] = []
    const tally = await lookAfter(ctx, this.#memory, {
      pages,
      gapOf,
      raisedOf,
      carryOut: (doings) => carryOut(ctx, doings),
      changed: (change) => changes.push(change),
    })
    for (const [part, { why, since }] of gaps) {
      const missed = rows.filter(({ id }) => id % PARTS === part).map(({ printId }) => printId)
      await noteGap(ctx.db, missed, { since: new Date(since), until: now, code: why })
    }
    await noteUnwatched(ctx.db, changes, now)
    await this.#away.keep(rows)
    await noteRound(ctx.db, parts, now)
    for (const part of parts) this.#lastAt.set(part, ctx.clock.monotonic())
    return tally
  }

  /** Parts that nobody looked after for two intervals, with the reason, and since when. */
  async #gaps(parts: readonly number[]): Promise<ReadonlyMap<number, Missed>> {
    const { db, clock } = this.#ctx
    const others = await findRounds(db, parts)
    const gapOf = (part: number): Missed | null => {
      const own = this.#lastAt.get(part)
      const before = others.get(part)?.getTime() ?? Infinity
      const passed = own === undefined ? clock.now() - before : clock.monotonic() - own
      if (passed <= TWO_INTERVALS_MS || (own !== undefined && !this.#isDown)) return null
      return { why: own === undefined ? 'server_down' : 'database_down', since: clock.now() - passed }
    }
    return new Map(
      parts.flatMap((part) => {
        const gap = gapOf(part)
        return gap === null ? [] : [[part, gap] as const]
      }),
    )
  }
}

async function askDatabase({ db }: Pick<Ctx, 'db'>): Promise<boolean> {
  try {
    await ask(db)
    return true
  } catch (error) {
    if (isDatabaseDown(error)) return false
    throw error
  }
}

/** The same pages; what was in them is in `all` afterwards. */
async function* collected(
  pages: AsyncIterable<readonly RunningRow[]>,
  all: RunningRow[],
): AsyncGenerator<readonly RunningRow[]> {
  for await (const rows of pages) {
    all.push(...rows)
    yield rows
  }
}

/** How many prints are watched, and why the others are not, as of a time in milliseconds. */
function show(tally: Tally, at: number): void {
  printsWatched.reset()
  for (const [watch, count] of tally) printsWatched.set({ watch }, count)
  printsLookedAt.set(at / 1000)
}
