import { KIND, type Packet } from './stream-packets.ts'

/** What has arrived on one side of a stream and is not read yet; the other side sends no more than this side's window. */
export class Inbox {
  readonly #tellRead: () => void
  readonly #frames: Buffer[] = []
  #wake: () => void = () => undefined
  #arrived = 0
  #isClosed = false
  #isTelling = false
  #hasHeard = false
  bytesRead = 0

  /** `tellRead`: the other side is to hear how much was read. */
  constructor(tellRead: () => void) {
    this.#tellRead = tellRead
  }

  /** Takes what was said; false when something before it was lost. */
  take({ kind, frames, body }: Packet): boolean {
    this.#hasHeard = true
    if (kind === KIND.data) {
      this.#arrived = (this.#arrived + 1) % 2 ** 32
      if (body !== undefined && frames === this.#arrived) this.#frames.push(body)
      this.#wake()
    }
    return frames === this.#arrived
  }

  /** Whether anything was heard since this was asked last. */
  hasHeard(): boolean {
    const hasHeard = this.#hasHeard
    this.#hasHeard = false
    return hasHeard
  }

  /** The next frame; null when there will be none. */
  async next(): Promise<Buffer | null> {
    while (this.#frames.length === 0 && !this.#isClosed)
      await new Promise<void>((wake) => (this.#wake = wake))
    const frame = this.#frames.shift() ?? null
    if (frame === null) return null
    this.bytesRead += frame.length
    this.#tellSoon()
    return frame
  }

  /** What has arrived can still be read. */
  close(): void {
    this.#isClosed = true
    this.#wake()
  }

  /** Once for all that are read in one go: small frames cost no packet each. */
  #tellSoon(): void {
    if (this.#isTelling || this.#isClosed) return
    this.#isTelling = true
    setImmediate(() => {
      this.#isTelling = false
      this.#tellRead()
    })
  }
}
