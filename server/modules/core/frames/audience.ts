import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { hasViewers } from '../presence/index.ts'

const LOOK_EVERY_MS = 30_000

/** Whether somebody looks at the printer, as its agent was told. */
export class Audience {
  readonly #ctx: Ctx
  readonly #printerId: PrinterId
  readonly #tell: (viewing: boolean) => void
  #lookedAt: number
  viewing = false

  constructor(ctx: Ctx, printerId: PrinterId, tell: (viewing: boolean) => void) {
    this.#ctx = ctx
    this.#printerId = printerId
    this.#tell = tell
    this.#lookedAt = ctx.clock.monotonic()
  }

  /** Finds out, and tells nobody. */
  async begin(): Promise<void> {
    this.viewing = await hasViewers(this.#ctx, this.#printerId)
  }

  /** The last one may have gone with its node, which told nobody. */
  isDue(now: number): boolean {
    return this.viewing && now - this.#lookedAt >= LOOK_EVERY_MS
  }

  /** Looks again and tells a change; a comer, too, as that refreshes the picture. */
  async look(hasComer: boolean): Promise<void> {
    this.#lookedAt = this.#ctx.clock.monotonic()
    const viewing = await hasViewers(this.#ctx, this.#printerId)
    if (viewing === this.viewing && !(hasComer && viewing)) return
    this.viewing = viewing
    this.#tell(viewing)
  }
}
