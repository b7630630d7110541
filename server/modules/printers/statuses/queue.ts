import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../../../ctx.ts'
import { isConflict, isDatabaseDown, isDiskFull } from '../../../engines/db/postgres.ts'
import { saysNoLess } from './report.rules.ts'
import { changesNothing, type Facts, type Received, type Taken, takeStatus } from './statuses.service.ts'

/** Statuses that wait while the database is away; then those without an event are let go. */
const MAX_PENDING = 200
const MAX_PENDING_BYTES = 4 * 1_048_576
const RETRY_MS = 1_000
const MAX_RETRY_MS = 5_000
/** How long statuses of a closed socket wait for the database. */
const PATIENCE_MS = 10 * 60_000

/** What is being worked off, of all agents of this process. */
const underway = new Set<Promise<void>>()

/** Resolves when the rows know all that agents have said so far. */
export async function allStatusesTaken(): Promise<void> {
  await Promise.all(underway)
}

/**
 * Statuses in the order in which they came, one at a time. Those that change no row pass at once; while the
 * database is away or full the others wait, so that nothing is lost and nothing happens twice.
 */
export class StatusQueue {
  readonly #ctx: Ctx
  readonly #facts: Facts
  readonly #onTaken: (taken: Taken) => void
  readonly #pending: Received[] = []
  #bytes = 0
  readonly #isReplaced: () => Promise<boolean>
  #isRunning = false
  #run: Promise<void> = Promise.resolve()

  /** `isReplaced`: another socket speaks for this printer by now. */
  constructor(
    ctx: Ctx,
    facts: Facts,
    { onTaken, isReplaced }: { onTaken: (taken: Taken) => void; isReplaced: () => Promise<boolean> },
  ) {
    this.#ctx = ctx
    this.#facts = facts
    this.#onTaken = onTaken
    this.#isReplaced = isReplaced
  }

  /** Resolves when nothing waits any more. */
  get settled(): Promise<void> {
    return this.#run
  }

  add(received: Received): void {
    if (!this.#isRunning && changesNothing(this.#ctx, this.#facts, received)) return
    this.#letGoOf(received)
    while (this.#isFullFor(received)) this.#makeRoom()
    this.#pending.push(received)
    this.#bytes += received.bytes
    if (this.#isRunning) return
    const run = this.#workOff()
    this.#run = run
    underway.add(run)
    void run.finally(() => underway.delete(run))
  }

  /** Of those that wait the last, when the next one says the same and later: a busy database piles up none of them. */
  #letGoOf(next: Received): void {
    const last = this.#pending.at(-1)
    if (last === undefined || last.isStale || next.isStale || !saysNoLess(next.message, last.message)) return
    this.#pending.pop()
    this.#bytes -= last.bytes
  }

  #isFullFor({ bytes }: Received): boolean {
    const count = this.#pending.length
    return count >= MAX_PENDING || (count > 0 && this.#bytes + bytes > MAX_PENDING_BYTES)
  }

  /** Lets a status go that says nothing but how things were; the next one says how they are. */
  #makeRoom(): void {
    const idle = this.#pending.findIndex(({ message }) => message.event === null && message.settings === null)
    for (const { bytes } of this.#pending.splice(Math.max(0, idle), 1)) this.#bytes -= bytes
  }

  async #workOff(): Promise<void> {
    this.#isRunning = true
    for (let received = this.#pending.shift(); received !== undefined; received = this.#pending.shift()) {
      this.#bytes -= received.bytes
      // Its turn to write is for those that write: the others would wait behind those of all printers.
      if (!changesNothing(this.#ctx, this.#facts, received)) await this.#take(received)
    }
    this.#isRunning = false
  }

  async #take(received: Received): Promise<void> {
    const { log, stopping, clock } = this.#ctx
    const { printerId } = this.#facts
    const since = clock.monotonic()
    for (let wait = RETRY_MS; ; wait = Math.min(wait * 2, MAX_RETRY_MS)) {
      try {
        return this.#onTaken(await takeStatus(this.#ctx, this.#facts, received))
      } catch (error) {
        const isAway = isDatabaseDown(error) || isDiskFull(error) || isConflict(error)
        if (!isAway || stopping.aborted || clock.monotonic() - since > PATIENCE_MS) {
          // The edge of a socket loop: one message that cannot be processed never closes the socket.
          return log.error({ err: error, printerId }, 'a status could not be processed')
        }
        log.warn({ printerId }, 'the database cannot take a status now: it waits')
      }
      await sleep(wait, undefined, { ref: false })
      // What is late would undo what the newer socket has said since.
      if (await this.#isReplaced())
        return log.warn({ printerId }, 'a status came too late: a newer socket speaks')
    }
  }
}
