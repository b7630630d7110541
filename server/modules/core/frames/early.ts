import type { Message } from './decode.ts'

const MOST = 200
const MOST_BYTES = 4 * 1_048_576

/** What an agent says while its session begins; it begins late where the database is away. */
export class EarlyMessages {
  readonly #messages: Message[] = []
  #bytes = 0

  /** Keeps a message while there is room. */
  keep(message: Message): void {
    const { length } = message.data
    if (this.#messages.length === MOST || this.#bytes + length > MOST_BYTES) return
    this.#bytes += length
    this.#messages.push(message)
  }

  /** In the order in which they came. */
  get all(): readonly Message[] {
    return this.#messages
  }
}
