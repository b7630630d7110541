import type { Ctx } from '../../../ctx.ts'
import type { Lease } from '../../../engines/live/port.ts'

/** A node that has not come back for so long is followed by another; of time that is made to pass faster, as long as a machine may stutter. */
const LEASE_MS = 15_000
const LEAST_LEASE_MS = 3_000

const key = (part: number) => `alarms:part:${part}`

/** The parts of the printers that this node looks after; each is looked after by one. */
export class Parts {
  readonly #ctx: Ctx
  readonly #owner: string
  readonly #held = new Map<number, Lease>()

  constructor(ctx: Ctx, owner: string) {
    this.#ctx = ctx
    this.#owner = owner
  }

  /** Keeps what it has and takes what nobody has: where there may be other nodes one at a time, so that all get some. */
  async hold(count: number): Promise<number[]> {
    for (const [part, lease] of this.#held) if (!(await lease.renew())) this.#held.delete(part)
    const { live, config } = this.#ctx
    const leaseMs = Math.max(LEAST_LEASE_MS, LEASE_MS / config.DETECTION_TIME_SCALE)
    for (let part = 0; part < count; part++) {
      if (this.#held.has(part) || (await live.get(key(part))) !== null) continue
      this.#held.set(part, await live.claim(key(part), this.#owner, leaseMs))
      if (config.REDIS_URL !== undefined) break
    }
    return [...this.#held.keys()]
  }

  /** Another node need not wait for the leases to end. */
  async release(): Promise<void> {
    await Promise.allSettled([...this.#held.values()].map((lease) => lease.release()))
    this.#held.clear()
  }
}
