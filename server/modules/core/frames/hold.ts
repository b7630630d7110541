import { randomUUID } from 'node:crypto'
import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Lease } from '../../../engines/live/port.ts'
import { claimLine, lineOwner } from '../presence/index.ts'

const RENEW_EVERY_MS = 20_000

/** One socket's hold of its printer's line: the lease, and whether somebody else has it by now. */
export class Hold {
  readonly #ctx: Ctx
  readonly #printerId: PrinterId
  /** Of the owner of the lease. */
  readonly #name = randomUUID()
  #lease: Lease | null = null
  #renewedAt: number

  constructor(ctx: Ctx, printerId: PrinterId) {
    this.#ctx = ctx
    this.#printerId = printerId
    this.#renewedAt = ctx.clock.monotonic()
  }

  /** Of the lease; null while it is not held. */
  get epoch(): number | null {
    return this.#lease?.epoch ?? null
  }

  async claim(): Promise<void> {
    this.#lease = await claimLine(this.#ctx, this.#printerId, this.#name)
  }

  isDue(now: number): boolean {
    return now - this.#renewedAt >= RENEW_EVERY_MS
  }

  /** Renews what is due; false when somebody else has taken it: this socket is a stale one. */
  async keep(now: number): Promise<boolean> {
    this.#renewedAt = now
    return (await this.#lease?.renew().catch(() => true)) !== false
  }

  /** True while nobody has taken it, asked now. */
  async isMine(): Promise<boolean> {
    return (await this.#lease?.renew()) === true
  }

  /** A released lease has no owner: then this socket was the last one. */
  async isReplaced(): Promise<boolean> {
    const owner = await lineOwner(this.#ctx, this.#printerId).catch(() => null)
    return owner !== null && owner !== this.#name
  }

  /** Gives it up, once; true when it was still ours. */
  async release(): Promise<boolean> {
    const lease = this.#lease
    this.#lease = null
    if (lease === null || !(await lease.renew())) return false
    await lease.release()
    return true
  }
}
