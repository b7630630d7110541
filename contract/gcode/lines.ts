/** Printers take 256 bytes at most; slicers write longer comments. What is longer still is passed over. */
const LONGEST = 4096
const NEWLINE = 10
const RETURN = 13

/** Cuts a stream of bytes into lines and gives each to `take`, without copying any but those that lie in two parts. */
export class Lines {
  readonly #take: (bytes: Uint8Array, from: number, to: number) => void
  readonly #rest = new Uint8Array(LONGEST)
  #kept = 0
  #isTooLong = false

  constructor(take: (bytes: Uint8Array, from: number, to: number) => void) {
    this.#take = take
  }

  feed(bytes: Uint8Array): void {
    let from = 0
    for (;;) {
      const end = bytes.indexOf(NEWLINE, from)
      if (end === -1) break
      if (this.#kept > 0 || this.#isTooLong) this.#finish(bytes, from, end)
      else if (end - from <= LONGEST) this.#say(bytes, from, end)
      from = end + 1
    }
    this.#keep(bytes, from, bytes.length)
  }

  /** The last line needs no end. */
  end(): void {
    if (this.#kept > 0) this.#finish(this.#rest, 0, 0)
  }

  #keep(bytes: Uint8Array, from: number, to: number): void {
    if (this.#kept + to - from > LONGEST) this.#isTooLong = true
    if (this.#isTooLong || from === to) return
    this.#rest.set(bytes.subarray(from, to), this.#kept)
    this.#kept += to - from
  }

  #finish(bytes: Uint8Array, from: number, to: number): void {
    this.#keep(bytes, from, to)
    if (!this.#isTooLong) this.#say(this.#rest, 0, this.#kept)
    this.#kept = 0
    this.#isTooLong = false
  }

  #say(bytes: Uint8Array, from: number, to: number): void {
    const end = to > from && bytes[to - 1] === RETURN ? to - 1 : to
    if (end > from) this.#take(bytes, from, end)
  }
}
