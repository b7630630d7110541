import { arcPoints } from './arc.ts'
import { JUMP, OTHER, TRAVEL } from './features.ts'
import { Layers } from './layers.ts'
import { Lines } from './lines.ts'
import { remarkOf } from './remarks.ts'
import { PathBuilder, type Toolpath } from './toolpath.ts'
import { letter, Words } from './words.ts'

const [E, F, R] = [letter('e'), letter('f'), letter('r')]
const [I, J] = [letter('i'), letter('j')]
const [X, Y, Z] = [letter('x'), letter('y'), letter('z')]
const AXES = [X, Y, Z]
const [SEMICOLON, SPACE, TAB, ZERO, NINE] = [59, 32, 9, 48, 57]
const [LETTER_G, LETTER_M, LETTER_N, LETTER_T] = [103, 109, 110, 116]

const INCH = 25.4
/** Cross-section of 1.75 mm filament, in mm². */
const FILAMENT = Math.PI * 0.875 ** 2
/** Farther away than any printer reaches; sums of relative moves could get there. */
const FARTHEST = 100_000
const THICKEST = 2
const SAME = 1e-5

/**
 * Reads G-code as it comes and makes of it what is drawn. It believes nothing: what is no number is not said, and what it gathers is
 * bounded by `most` moves, whatever the file says.
 */
export class Scanner {
  readonly #path: PathBuilder
  readonly #layers = new Layers()
  readonly #lines = new Lines((bytes, from, to) => this.#line(bytes, from, to))
  readonly #words = new Words()
  /** Where the nozzle is, and what is to be added to what the file calls so. */
  readonly #at = [0, 0, 0]
  readonly #shift = [0, 0, 0]
  #e = 0
  #isRelative = false
  /** Null: never said, so it follows the axes. */
  #isRelativeE: boolean | null = null
  #unit = 1
  #speed = 0
  #tool = 0
  #feature = OTHER
  #width: number | null = null
  #height: number | null = null

  constructor(most: number) {
    this.#path = new PathBuilder(most)
  }

  /** There is no room for more: the rest need not be read. */
  get isFull(): boolean {
    return this.#path.isFull
  }

  feed(bytes: Uint8Array): void {
    if (!this.isFull) this.#lines.feed(bytes)
  }

  end(): Toolpath {
    const isWhole = !this.isFull
    this.#lines.end()
    return this.#path.path(this.#layers.starts, this.#layers.heights, isWhole)
  }

  #line(bytes: Uint8Array, from: number, to: number): void {
    let at = skipBlank(bytes, from, to)
    if (((bytes[at] ?? 0) | 32) === LETTER_N && isDigit(bytes[at + 1])) at = skipNumber(bytes, at + 1, to)
    const first = bytes[at] ?? 0
    if (first === SEMICOLON) return this.#remark(bytes, at, to)
    const kind = first | 32
    if (!isDigit(bytes[at + 1]) || (kind !== LETTER_G && kind !== LETTER_M && kind !== LETTER_T)) return
    let code = 0
    for (at++; isDigit(bytes[at]); at++) code = Math.min(9999, code * 10 + (bytes[at] ?? ZERO) - ZERO)
    if (kind === LETTER_T) this.#tool = code < 256 ? code : this.#tool
    else if (kind === LETTER_M) this.#mode(code)
    else {
      this.#words.read(bytes, at, to)
      this.#motion(code)
    }
  }

  #remark(bytes: Uint8Array, from: number, to: number): void {
    const remark = remarkOf(bytes, from, to)
    if (remark === null) return
    if (remark.says === 'layer') this.#layers.announce(this.#path.count)
    else if (remark.says === 'feature') this.#feature = remark.feature
    else if (remark.says === 'width') this.#width = remark.mm > 0 ? remark.mm : null
    else this.#height = remark.mm > 0 && remark.mm < THICKEST ? remark.mm : null
  }

  #mode(code: number): void {
    if (code === 82) this.#isRelativeE = false
    else if (code === 83) this.#isRelativeE = true
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
    const here = this.#at[axis] ?? 0
    const name = AXES[axis] ?? X
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
    if (this.#words.has(F)) this.#speed = Math.max(0, (this.#words.get(F, 0) * this.#unit) / 60)
  }

  #move(): void {
    this.#setSpeed()
    const filament = this.#filament()
    this.#to(this.#target(0), this.#target(1), this.#target(2), filament)
  }

  #to(x: number, y: number, z: number, filament: number): void {
    const [fromX = 0, fromY = 0, fromZ = 0] = this.#at
    const length = Math.hypot(x - fromX, y - fromY, z - fromZ)
    if (length < SAME) return
    this.#at[0] = x
    this.#at[1] = y
    this.#at[2] = z
    const isLaid = filament > 0 && Math.hypot(x - fromX, y - fromY) > SAME
    if (isLaid && !this.isFull) this.#layers.lay(this.#path.count, z)
    this.#path.add(x, y, z, {
      feature: isLaid ? this.#feature : TRAVEL,
      tool: this.#tool,
      width: isLaid ? this.#widthOf(filament / length, z) : 0,
      speed: this.#speed,
    })
  }

  /** As the slicer says, or as wide as so much filament for each mm gets at the height of this layer. */
  #widthOf(filament: number, z: number): number {
    if (this.#width !== null) return Math.min(this.#width, 2.5)
    const step = z - this.#layers.below(z)
    const height = this.#height ?? (step > 0.01 && step < THICKEST ? step : 0.2)
    return Math.min(2.5, Math.max(0.05, (filament * FILAMENT) / height + height * (1 - Math.PI / 4)))
  }

  #arc(isClockwise: boolean): void {
    this.#setSpeed()
    const filament = this.#filament()
    const words = this.#words
    const points = arcPoints({
      from: [this.#at[0] ?? 0, this.#at[1] ?? 0, this.#at[2] ?? 0],
      to: [this.#target(0), this.#target(1), this.#target(2)],
      middle:
        words.has(I) || words.has(J) ? [words.get(I, 0) * this.#unit, words.get(J, 0) * this.#unit] : null,
      radius: words.get(R, 0) * this.#unit,
      isClockwise,
    })
    for (const [x, y, z] of points) this.#to(x, y, z, filament / points.length)
  }

  /** To the switches: nobody knows where those are, so it is drawn from there on. */
  #home(): void {
    const isNamed = AXES.some((name) => this.#words.names(name))
    for (const [axis, name] of AXES.entries()) {
      if (isNamed && !this.#words.names(name)) continue
      this.#at[axis] = 0
      this.#shift[axis] = 0
    }
    const [x = 0, y = 0, z = 0] = this.#at
    this.#path.add(x, y, z, { feature: JUMP, tool: this.#tool, width: 0, speed: 0 })
  }

  /** The place where it is is called otherwise from here on. */
  #call(): void {
    const isAll = ![E, ...AXES].some((name) => this.#words.has(name))
    for (const [axis, name] of AXES.entries()) {
      if (!isAll && !this.#words.has(name)) continue
      const shift = (this.#at[axis] ?? 0) - this.#words.get(name, 0) * this.#unit
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
