import type { UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { findFeedState, onUnseen } from '../../core/events/index.ts'

/** What an account's socket tells of its events: how many are unseen, and which came last. */
export class AccountFeed {
  readonly #ctx: Ctx
  readonly #userId: UserId
  readonly #onDirty: () => void
  #stop: (() => void) | null = null
  #isClosed = false
  #told = ''
  isDirty = true

  constructor(ctx: Ctx, userId: UserId, onDirty: () => void) {
    this.#ctx = ctx
    this.#userId = userId
    this.#onDirty = onDirty
  }

  async listen(): Promise<void> {
    const stop = await onUnseen(this.#ctx, this.#userId, () => {
      this.isDirty = true
      this.#onDirty()
    })
    if (this.#isClosed) stop()
    else this.#stop = stop
    this.#onDirty()
  }

  close(): void {
    this.#isClosed = true
    this.#stop?.()
  }

  /** As the inside of a frame; '' when the browser knows. */
  async news(): Promise<string> {
    if (!this.isDirty) return ''
    this.isDirty = false
    try {
      const { unseen, newest } = await findFeedState(this.#ctx.db, this.#userId)
      const said = `"feed":{"unseen":${unseen},"newest":${newest}}`
      if (said === this.#told) return ''
      this.#told = said
      return said
    } catch (error) {
      this.isDirty = true
      throw error
    }
  }
}
