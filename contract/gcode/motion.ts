import { arcPoints } from './arc.ts'
import { letter, Words } from './words.ts'

/** Printers take 256 bytes at most; slicers write longer comments. What is longer still is passed over. */
const LONGEST = 4096
const NEWLINE = 10
const RETURN = 13

/** Cuts a stream of bytes into lines and gives each to `take`, without copying any but those that lie in two parts. */
class Lines {
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

const [E, F, R] = [letter('e'), letter('f'), letter('r')]
const [I, J] = [letter('i'), letter('j')]
const AXES = [letter('x'), letter('y'), letter('z')]
const [SEMICOLON, SPACE, TAB, ZERO, NINE] = [59, 32, 9, 48, 57]
const [LETTER_G, LETTER_M, LETTER_N, LETTER_T] = [103, 109, 110, 116]
const INCH = 25.4
/** Farther away than any printer reaches; sums of relative moves could get there. */
const FARTHEST = 100_000

/** Who follows what a printer is told. */
export interface Follower {
  /** To this place from where {@link Motion.at} is, with so much filament in mm (drawn back: less than 0). Each chord of an arc is one. */
  move(x: number, y: number, z: number, filament: number): void
  /** To the switches; `at` is 0 there from now on. */
  home?(): void
  /** A line that is a comment; `from` is its semicolon. */
  remark(bytes: Uint8Array, from: number, to: number): void
  /** Another command: its letter in lower case, and its parameters. */
  command?(kind: 'g' | 'm', code: number, words: Words): void
}

/**
 * Reads G-code as it comes and says where it leads: absolute and relative, in inches, with places called otherwise, in arcs. It
 * believes nothing: what is no number is not said.
 */
export class Motion {
  readonly #follower: Follower
  readonly #lines = new Lines((bytes, from, to) => this.#line(bytes, from, to))
  readonly #words = new Words()
  /** Where the nozzle is. */
  readonly at = [0, 0, 0]
  /** In mm/s; 0: never said. */
  speed = 0
  tool = 0
  /** What is to be added to what the file calls so. */
  readonly #shift = [0, 0, 0]
  readonly #isKnown = [false, false, false]
  #e = 0
  #isRelative = false
  /** Null: never said, so it follows the axes. */
  #isRelativeE: boolean | null = null
  #unit = 1

  constructor(follower: Follower) {
    this.#follower = follower
  }

  feed(bytes: Uint8Array): void {
    this.#lines.feed(bytes)
  }

  end(): void {
    this.#lines.end()
  }

  /** Whether the file itself has said where the nozzle is along an axis; nobody knows where the switches are. */
  isKnown(axis: 0 | 1 | 2): boolean {
    return this.#isKnown[axis] ?? false
  }

  #line(bytes: Uint8Array, from: number, to: number): void {
    let at = skipBlank(bytes, from, to)
    if (((bytes[at] ?? 0) | 32) === LETTER_N && isDigit(bytes[at + 1])) at = skipNumber(bytes, at + 1, to)
    const first = bytes[at] ?? 0
    if (first === SEMICOLON) return this.#follower.remark(bytes, at, to)
    const kind = first | 32
    if (!isDigit(bytes[at + 1]) || (kind !== LETTER_G && kind !== LETTER_M && kind !== LETTER_T)) return
    let code = 0
    for (at++; isDigit(bytes[at]); at++) code = Math.min(9999, code * 10 + (bytes[at] ?? ZERO) - ZERO)
    if (kind === LETTER_T) this.tool = code < 256 ? code : this.tool
    else if (kind === LETTER_M && (code === 82 || code === 83)) this.#isRelativeE = code === 83
    else if (kind === LETTER_G || this.#follower.command) {
      this.#words.read(bytes, at, to)
      if (kind === LETTER_G) this.#motion(code)
      this.#follower.command?.(kind === LETTER_G ? 'g' : 'm', code, this.#words)
    }
  }

  #motion(code: number): void {
    if (code === 0 || code === 1 || code === 5) this.#move()
    else if (code === 2 || code === 3) this.#arc(code === 2)
    else if (code === 20) this.#unit = INCH
    else if (code === 21) this.#unit = 1
    else if (code === 28) this.#home()
    else if (code === 90 || code === 91) this.#isRelative = code === 91
    else if (code === 92) this.#call()
  }

  /** Where an axis is to go; where it is, when the command does not name it or leads nowhere. */
  #target(axis: number): number {
    const here = this.at[axis] ?? 0
    const name = AXES[axis] ?? 0
    if (!this.#words.has(name)) return here
    const said = this.#words.get(name, 0) * this.#unit
    const there = this.#isRelative ? here + said : said + (this.#shift[axis] ?? 0)
    return Math.abs(there) <= FARTHEST ? there : here
  }

  /** How much filament a command asks for, in mm; less than 0 where it is drawn back. */
  #filament(): number {
    if (!this.#words.has(E)) return 0
    const said = this.#words.get(E, 0) * this.#unit
    if (this.#isRelativeE ?? this.#isRelative) return said
    const change = said - this.#e
    this.#e = said
    return change
  }

  #setSpeed(): void {
    if (this.#words.has(F)) this.speed = Math.max(0, (this.#words.get(F, 0) * this.#unit) / 60)
  }

  #move(): void {
    this.#setSpeed()
    const filament = this.#filament()
    this.#to(this.#target(0), this.#target(1), this.#target(2), filament)
    this.#know()
  }

  #to(x: number, y: number, z: number, filament: number): void {
    this.#follower.move(x, y, z, filament)
    this.at[0] = x
    this.at[1] = y
    this.at[2] = z
  }

  #know(): void {
    if (this.#isRelative) return
    for (const [axis, name] of AXES.entries()) this.#isKnown[axis] ||= this.#words.has(name)
  }

  #arc(isClockwise: boolean): void {
    this.#setSpeed()
    const filament = this.#filament()
    const words = this.#words
    const points = arcPoints({
      from: [this.at[0] ?? 0, this.at[1] ?? 0, this.at[2] ?? 0],
      to: [this.#target(0), this.#target(1), this.#target(2)],
      middle:
        words.has(I) || words.has(J) ? [words.get(I, 0) * this.#unit, words.get(J, 0) * this.#unit] : null,
      radius: words.get(R, 0) * this.#unit,
      isClockwise,
    })
    for (const [x, y, z] of points) this.#to(x, y, z, filament / points.length)
    this.#know()
  }

  /** To the switches: nobody knows where those are, so it goes on from there. */
  #home(): void {
    const isNamed = AXES.some((name) => this.#words.names(name))
    for (const [axis, name] of AXES.entries()) {
      if (isNamed && !this.#words.names(name)) continue
      this.at[axis] = 0
      this.#shift[axis] = 0
      this.#isKnown[axis] = false
    }
    this.#follower.home?.()
  }

  /** The place where it is is called otherwise from here on. */
  #call(): void {
    const isAll = ![E, ...AXES].some((name) => this.#words.has(name))
    for (const [axis, name] of AXES.entries()) {
      if (!isAll && !this.#words.has(name)) continue
      const shift = (this.at[axis] ?? 0) - this.#words.get(name, 0) * this.#unit
      if (Math.abs(shift) <= FARTHEST) this.#shift[axis] = shift
    }
    if (isAll || this.#words.has(E)) this.#e = this.#words.get(E, 0) * this.#unit
  }
}

const isDigit = (byte: number | undefined) => byte !== undefined && byte >= ZERO && byte <= NINE

function skipBlank(bytes: Uint8Array, from: number, to: number): number {
  let at = from
  while (at < to && (bytes[at] === SPACE || bytes[at] === TAB)) at++
  return at
}

function skipNumber(bytes: Uint8Array, from: number, to: number): number {
  let at = from
  while (isDigit(bytes[at])) at++
  return skipBlank(bytes, at, to)
}
