import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Ctx } from '../../../ctx.ts'
import { keys } from '../../core/presence/names.ts'
import { Node } from '../../core/commands/cluster-simulation.fixture.ts'
import {
  begin,
  extIdOf,
  type Gate,
  PRINTER,
  type Sent,
  takeTime,
  world,
} from '../../core/commands/simulated-world.fixture.ts'
import { announceFailure } from './announce.service.ts'
import type { Watched } from '../watching/watched.queries.ts'
import { followPause } from './pause.service.ts'
import { inSuite } from '../../../../scripts/suites.ts'
import { asId } from '../../../test/ids.ts'

/**
 * A print that fails for good, on two nodes whose processes are killed between any two steps, while the agent comes
 * and goes and the store delays, repeats, reorders and loses. Its printer obeys. In the end it stands still, was told
 * to once, and the row says so; it never said so before.
 */
const LIVES = inSuite(500, 3_000)
const TROUBLE_MS = 60_000
const LIFE_MS = 200_000

vi.mock('../../printers/reports/facts.service.ts', () => ({
  awaitFacts: () => world.readFacts(),
}))
vi.mock('../../core/agents/agents.queries.ts', () => ({ setSeen: async () => undefined }))
// The rows below, with PostgreSQL's lock and its all or nothing.
vi.mock('../watching/watched.queries.ts', () => ({ findWatched: (db: Rows) => db.watched() }))
vi.mock('./alerts.queries.ts', () => ({
  lockCurrentPrint: (db: Transaction, _printerId: number, printId: number) =>
    db.lock((row) => row.id === printId && printId === world.print),
  lockIntent: (db: Transaction, printId: number, pauseId: string) =>
    db.lock((row) => row.id === printId && row.pauseId === pauseId),
  updatePrint: (db: Transaction, printId: number, values: object) => db.update(printId, values),
  markPauseSeen: (db: Rows, printId: number, at: Date) =>
    db.transaction().execute(async (tx) => {
      const row = await tx.lock(({ id }) => id === printId)
      if (row !== null) await tx.update(printId, { pauseSeenAt: at })
      return row
    }),
}))
vi.mock('../../core/events/index.ts', async (original) => ({
  ...(await original<object>()),
  writeEvent: ({ db }: { db: Transaction }, { code }: { code: string }) => db.tell(code),
  writeAudit: ({ db }: { db: Transaction }, { outcome }: { outcome: string }) => db.tell(`audit ${outcome}`),
}))

interface Row {
  readonly id: number
  pausedAt: Date | null
  pauseId: string | null
  pauseUntil: Date | null
  pauseSeenAt: Date | null
}

const rowOf = (id: number): Row => ({
  id,
  pausedAt: null,
  pauseId: null,
  pauseUntil: null,
  pauseSeenAt: null,
})

/** What all nodes share. */
class Table {
  readonly rows = new Map<number, Row>()
  readonly told: string[] = []
  #last: Promise<void> = Promise.resolve()

  row(id: number): Row {
    const row = this.rows.get(id) ?? rowOf(id)
    this.rows.set(id, row)
    return row
  }

  /** Waits for its turn; returns what ends it. */
  async lock(): Promise<() => void> {
    const before = this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = promise
    await before
    return resolve
  }
}

class Transaction {
  readonly #table: Table
  readonly #gate: Gate
  #unlock: (() => void) | null = null
  #isOver = false
  readonly #changes: (() => void)[] = []

  constructor(table: Table, gate: Gate) {
    this.#table = table
    this.#gate = gate
  }

  async hop(): Promise<void> {
    await this.#gate.pass(world.random() * 20)
  }

  async lock(test: (row: Row) => boolean): Promise<Row | null> {
    await this.hop()
    if (this.#unlock === null) {
      const unlock = await this.#table.lock()
      // Its connection may have gone while it waited.
      if (this.#isOver) unlock()
      this.#unlock = unlock
    }
    await this.hop()
    const row = [...this.#table.rows.values()].find(test)
    return row === undefined ? null : { ...row }
  }

  async update(id: number, values: object): Promise<void> {
    await this.hop()
    this.#changes.push(() => void Object.assign(this.#table.row(id), values))
  }

  async tell(what: string): Promise<void> {
    await this.hop()
    this.afterwards(() => void this.#table.told.push(what))
  }

  afterwards(change: () => void): void {
    this.#changes.push(change)
  }

  end(isKept: boolean): void {
    if (this.#isOver) return
    this.#isOver = true
    if (isKept) for (const change of this.#changes) change()
    this.#unlock?.()
  }
}

/** One node's way to the table. */
class Rows {
  readonly #table: Table
  readonly #gate: Gate

  constructor(table: Table, gate: Gate) {
    this.#table = table
    this.#gate = gate
  }

  transaction() {
    return {
      execute: async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => {
        const tx = new Transaction(this.#table, this.#gate)
        const forget = this.#gate.onDeath(() => tx.end(false))
        try {
          await tx.hop()
          const result = await work(tx)
          await tx.hop()
          tx.end(true)
          // Committed, but this process may never hear of it.
          await tx.hop()
          return result
        } finally {
          tx.end(false)
          forget()
        }
      },
    }
  }

  async watched(): Promise<Watched & { printId: number }> {
    await this.#gate.pass(world.random() * 20)
    return watchedNow()
  }
}

let lastId = 0

/** The printer as a frame reads it; what a pause retracts names it. */
function watchedNow(): Watched & { printId: number } {
  const id = ++lastId
  world.sent.set(id, { expiresAt: 0, printId: asId(world.print), written: 0 } satisfies Sent)
  return {
    printerId: PRINTER,
    userId: 1,
    name: 'P',
    printId: world.print,
    watchingEnabled: true,
    actionOnFailure: 'PAUSE',
    watchHours: 0,
    brand: 'base',
    retractOnPause: id,
    liftZOnPause: 0,
    toolsOffOnPause: false,
    bedOffOnPause: false,
    alertMutedAt: null,
  } as Watched & { printId: number }
}

interface Life {
  readonly table: Table
  readonly violations: readonly string[]
  /** How often each print's printer was told to pause. */
  readonly received: ReadonlyMap<number, number>
  readonly kills: number
}

async function live(seed: number): Promise<Life> {
  const { random } = begin(seed)
  const table = new Table()
  const received = new Map<number, number>()
  const violations: string[] = []
  let kills = 0
  let text = 'Printing'
  table.row(world.print)

  const more = (gate: Gate): Partial<Ctx> => ({
    db: new Rows(table, gate) as never,
    config: { DETECTION_TIME_SCALE: 1, HEATER_TARGET_DELTA: 1 } as Ctx['config'],
    jobs: {
      enqueue: async (tx: unknown, _kind: unknown, data: unknown, { startAfterMs = 0 } = {}) => {
        await gate.pass(random() * 20)
        ;(tx as Transaction).afterwards(() => void world.in(startAfterMs, () => job(data)))
      },
    } as never,
  })
  const nodes = [new Node(more), new Node(more)]
  const any = () => nodes[random() < 0.5 ? 0 : 1] as Node
  const sockets = () => nodes.flatMap((node) => node.sockets)
  const open = () => sockets().filter(({ readyState }) => readyState === 1)
  const isOver = () => world.now > 1_000_000 + LIFE_MS
  const every = (ms: number, run: () => void) => {
    const again = () => {
      run()
      if (!isOver()) world.in(ms, again)
    }
    world.in(ms * random(), again)
  }

  /** At least once: tried again until it has run to its end. */
  const job = (data: unknown) => {
    let isDone = false
    followPause(any().ctx, data as Parameters<typeof followPause>[1]).then(
      () => (isDone = true),
      () => undefined,
    )
    world.in(15_000, () => isDone || isOver() || job(data))
  }
  const report = (event?: string) => {
    const print = extIdOf(world.print)
    const status = {
      _ts: world.now / 1000,
      state: { text, flags: { printing: text === 'Printing', paused: text === 'Paused' } },
    }
    const frame = { current_print_ts: print, status, ...(event && { event: { event_type: event } }) }
    for (const ws of open()) if (!ws.isStuck) ws.emit('message', Buffer.from(JSON.stringify(frame)), false)
  }
  const check = () => {
    for (const { id, pausedAt } of table.rows.values())
      if (pausedAt !== null && (received.get(id) ?? 0) === 0) violations.push('claimed, but not sent')
  }
  world.onReceived = ({ commands }) => {
    if (commands?.[0]?.cmd !== 'pause') return
    const { print } = world
    received.set(print, (received.get(print) ?? 0) + 1)
    world.in(random() * 800, () => {
      if (world.print !== print) return
      text = 'Paused'
      report(random() < 0.5 ? 'PrintPaused' : undefined)
    })
  }
  every(4_000, () => report())
  every(1_000, () => {
    for (const ws of open()) ws.session?.tick(world.now)
    check()
  })
  // The agent comes back, and gives up a connection that is dead.
  every(3_000, () => {
    for (const ws of open()) if (ws.isStuck && random() < 0.3) ws.terminate()
    const node = any()
    if (open().length === 0 && !node.isDown) node.connect()
  })
  every(10_000, () => void judge(any().ctx))
  const happenings: (() => void)[] = [
    () => any().connect(),
    () => {
      for (const ws of open()) if (random() < 0.5) ws.isStuck = true
    },
    () => {
      const node = any()
      node.isCut = true
      world.in(random() * 8_000, () => (node.isCut = false))
    },
    () => any().restart(),
    () => sockets().at(-1)?.terminate(),
    ...Array.from({ length: 4 }, () => () => {
      kills++
      any().kill()
    }),
  ]
  if (random() < 0.1)
    happenings.push(() => {
      text = 'Printing'
      world.startNext()
      table.row(world.print)
    })
  any().connect()
  const count = Math.floor(random() * 8)
  for (let i = 0; i < count; i++) {
    const at = random() < 0.5 ? 10_000 + random() * 400 : random() * TROUBLE_MS
    world.in(at, () => happenings[Math.floor(random() * happenings.length)]?.())
  }
  await world.run()
  check()
  violations.push(...world.violations)
  return { table, violations, received, kills }
}

/** A frame of what prints is looked at, and it always fails. */
async function judge(ctx: Ctx): Promise<void> {
  try {
    const stored = await ctx.live.get(keys.status(asId(PRINTER)))
    const status = JSON.parse(stored?.toString() ?? '{}') as { state?: { text?: string } }
    if (status.state?.text !== 'Printing') return
    await announceFailure(ctx, {
      watched: watchedNow(),
      decision: { shouldAlert: false, shouldPause: true },
      picture: Promise.resolve({ container: 'tsd-pics', path: 'raw/1/1/1.jpg' }),
    })
  } catch {
    // The store is away, or the row: the next frame decides again.
  }
}

beforeAll(takeTime)
afterAll(() => vi.unstubAllGlobals())

it(`pauses once, whatever is killed when, in ${LIVES.toLocaleString('en')} random lives`, async () => {
  const violations: string[] = []
  const outcomes: Record<string, number> = {}
  for (let seed = 1; seed <= LIVES; seed++) {
    const { table, received, kills, ...lived } = await live(seed * 2_654_435)
    for (const violation of lived.violations) violations.push(`${violation} (seed ${seed})`)
    for (const [print, times] of received)
      if (times > 1) violations.push(`print ${print} was told ${times} times (seed ${seed})`)
    const { pausedAt } = table.row(world.print)
    if (pausedAt === null) violations.push(`it prints on (seed ${seed})`)
    const paused = table.told.filter((what) => /^failure_(?:found_)?paused$/.test(what))
    if (table.rows.size === 1 && paused.length !== 1)
      violations.push(`told ${paused.length} times (seed ${seed})`)
    if (kills > 0) outcomes['killed'] = (outcomes['killed'] ?? 0) + 1
    for (const what of table.told) outcomes[what] = (outcomes[what] ?? 0) + 1
  }
  console.log(JSON.stringify(outcomes))
  expect(violations.slice(0, 10)).toEqual([])
  // Lives in which nothing happens would prove nothing.
  for (const outcome of [
    'killed',
    'failure_paused',
    'failure_found_paused',
    'failure_alerted',
    'audit sent',
    'audit unanswered',
    'audit found_paused',
    'audit found_printing',
  ])
    expect(outcomes[outcome], outcome).toBeGreaterThan(inSuite(0, 20))
}, 600_000)
