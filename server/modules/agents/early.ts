import type { Frame } from './decode.ts'

const MOST = 200
const MOST_BYTES = 4 * 1_048_576

/** What an agent says while its session begins; it begins late where the database is away. */
export class EarlyFrames {
  readonly #frames: Frame[] = []
  #bytes = 0

  /** Keeps a frame that came in so many bytes, while there is room. */
  keep(frame: Frame, bytes: number): void {
    if (this.#frames.length === MOST || this.#bytes + bytes > MOST_BYTES) return
    this.#bytes += bytes
    this.#frames.push(frame)
  }

  /** In the order in which they came. */
  get all(): readonly Frame[] {
    return this.#frames
  }
}
