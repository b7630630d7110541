const [ZERO, NINE, DOT, MINUS, PLUS] = [48, 57, 46, 45, 43]
const [SEMICOLON, STAR, OPEN, CLOSE] = [59, 42, 40, 41]
const LETTER_A = 97
/** Nothing that a printer is told is larger; what is counts as not said. */
const MOST = 1_000_000
const MOST_DIGITS = 15

/** The place of a letter in {@link Words.values}. */
export const letter = (name: string): number => name.toLowerCase().charCodeAt(0) - LETTER_A

/** The parameters of one command: letters with numbers. One object for all lines, so that a long file leaves nothing behind. */
export class Words {
  readonly values = new Float64Array(26)
  #given = 0
  #named = 0
  #end = 0

  has(at: number): boolean {
    return (this.#given & (1 << at)) !== 0
  }

  /** Whether a letter stands there, with a number or without: `G28 X`. */
  names(at: number): boolean {
    return (this.#named & (1 << at)) !== 0
  }

  /** What is said under a letter, or `instead`. Always a finite number. */
  get(at: number, instead: number): number {
    return this.has(at) ? (this.values[at] ?? instead) : instead
  }

  /** Reads from `from` until the line's end, its checksum or a comment. What is no number is not said. */
  read(bytes: Uint8Array, from: number, to: number): void {
    this.#given = 0
    this.#named = 0
    let at = from
    while (at < to) {
      const byte = bytes[at] ?? 0
      if (byte === SEMICOLON || byte === STAR) return
      at++
      if (byte === OPEN) {
        while (at < to && bytes[at] !== CLOSE) at++
        continue
      }
      const name = (byte | 32) - LETTER_A
      if (name < 0 || name > 25) continue
      this.#named |= 1 << name
      const value = this.#number(bytes, at, to)
      if (this.#end === at) continue
      at = this.#end
      if (!(Math.abs(value) <= MOST)) continue
      this.values[name] = value
      this.#given |= 1 << name
    }
  }

  /** The number at `from`; `#end` is behind it, or stays at `from` where there is none. */
  #number(bytes: Uint8Array, from: number, to: number): number {
    let at = from
    const sign = bytes[at]
    if (sign === MINUS || sign === PLUS) at++
    let [value, digits, scale] = [0, 0, 0]
    for (; at < to; at++) {
      const byte = bytes[at] ?? 0
      if (byte === DOT && scale === 0) scale = 1
      else if (byte < ZERO || byte > NINE) break
      else {
        digits++
        if (digits > MOST_DIGITS && scale > 0) continue
        value = value * 10 + (byte - ZERO)
        if (scale > 0) scale *= 10
      }
    }
    this.#end = digits === 0 ? from : at
    return (sign === MINUS ? -value : value) / (scale || 1)
  }
}
