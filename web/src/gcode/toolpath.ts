import { JUMP, TRAVEL } from '@vigil/contract/gcode/features.ts'

/** All that is drawn of a file. Move `i` goes from point `i` to point `i + 1`, so each point is kept once. Lengths in mm. */
export interface Toolpath {
  /** x, y, z of `count + 1` points; the array may be longer. */
  readonly points: Float32Array<ArrayBuffer>
  /** Four bytes for each move: feature and tool, width, speed (high, low); see {@link moveAt}. */
  readonly marks: Uint8Array<ArrayBuffer>
  /** How many moves there are. */
  readonly count: number
  /** The first move of each layer; none where nothing is laid down. */
  readonly starts: Uint32Array<ArrayBuffer>
  /** How high each layer lies. */
  readonly heights: Float32Array<ArrayBuffer>
  /** Which features there are: a bit for each. */
  readonly features: number
  /** How many tools lay something down. */
  readonly tools: number
  /** Slowest and fastest at which something is laid down, in mm/s; likewise its width in mm. */
  readonly speeds: Span
  readonly widths: Span
  /** What is laid down lies in here; null where nothing is. */
  readonly box: Box | null
  /** False: the file is longer than what is kept of it, and ends earlier here. */
  readonly isWhole: boolean
}

export type Span = readonly [least: number, most: number]
export interface Box {
  readonly x: Span
  readonly y: Span
  readonly z: Span
}

/** One move, as bytes of {@link Toolpath.marks}. */
export const TOOLS = 8
export const SPEED_STEPS = 16
export const WIDTH_STEPS = 100

/** What is kept of a move. Speed in mm/s, width in mm. */
export function moveAt({ marks }: Pick<Toolpath, 'marks'>, at: number) {
  const [kind = 0, width = 0, high = 0, low = 0] = marks.subarray(4 * at, 4 * at + 4)
  return {
    feature: kind & 31,
    tool: kind >> 5,
    width: width / WIDTH_STEPS,
    speed: (high * 256 + low) / SPEED_STEPS,
  }
}

/** Where the moves of a layer end: the first that is not of it. */
export const endOf = ({ starts, count }: Pick<Toolpath, 'starts' | 'count'>, layer: number): number =>
  starts[layer + 1] ?? count

const FIRST_ROOM = 1 << 15

class Bounds {
  least = Number.POSITIVE_INFINITY
  most = Number.NEGATIVE_INFINITY

  add(value: number): void {
    if (value < this.least) this.least = value
    if (value > this.most) this.most = value
  }

  get span(): Span {
    return this.least <= this.most ? [this.least, this.most] : [0, 0]
  }
}

/** Gathers moves up to `most`; what it takes grows with what there is, to 16 bytes a move. */
export class PathBuilder {
  readonly #most: number
  #points: Float32Array<ArrayBuffer>
  #marks: Uint8Array<ArrayBuffer>
  #count = 0
  #features = 0
  #tools = 0
  readonly #speeds = new Bounds()
  readonly #widths = new Bounds()
  readonly #x = new Bounds()
  readonly #y = new Bounds()
  readonly #z = new Bounds()

  constructor(most: number) {
    this.#most = most
    const room = Math.min(FIRST_ROOM, most + 2)
    this.#points = new Float32Array(3 * room)
    this.#marks = new Uint8Array(4 * room)
  }

  get count(): number {
    return this.#count
  }

  get isFull(): boolean {
    return this.#count >= this.#most
  }

  /** A move to this place, from where the last one ended. */
  add(x: number, y: number, z: number, { feature, tool, width, speed }: ReturnType<typeof moveAt>): void {
    if (this.isFull) return
    const at = this.#count++
    if (3 * at + 6 > this.#points.length) this.#grow()
    const point = 3 * at + 3
    this.#points[point] = x
    this.#points[point + 1] = y
    this.#points[point + 2] = z
    const mark = 4 * at
    const steps = Math.min(65_535, Math.round(speed * SPEED_STEPS))
    this.#marks[mark] = feature | ((tool % TOOLS) << 5)
    this.#marks[mark + 1] = Math.min(255, Math.round(width * WIDTH_STEPS))
    this.#marks[mark + 2] = steps >> 8
    this.#marks[mark + 3] = steps & 255
    this.#features |= 1 << feature
    if (feature !== TRAVEL && feature !== JUMP) this.#laidDown(at, steps, tool)
  }

  #laidDown(at: number, steps: number, tool: number): void {
    this.#tools |= 1 << (tool % TOOLS)
    if (steps > 0) this.#speeds.add(steps / SPEED_STEPS)
    this.#widths.add((this.#marks[4 * at + 1] ?? 0) / WIDTH_STEPS)
    for (const point of [3 * at, 3 * at + 3]) {
      this.#x.add(this.#points[point] ?? 0)
      this.#y.add(this.#points[point + 1] ?? 0)
      this.#z.add(this.#points[point + 2] ?? 0)
    }
  }

  #grow(): void {
    const [points, marks] = [this.#points, this.#marks]
    const room = Math.min(this.#most + 2, (points.length / 3) * 2)
    this.#points = new Float32Array(3 * room)
    this.#points.set(points)
    this.#marks = new Uint8Array(4 * room)
    this.#marks.set(marks)
  }

  /** What was gathered. */
  path(starts: readonly number[], heights: readonly number[], isWhole: boolean): Toolpath {
    const hasSome = this.#x.least <= this.#x.most
    return {
      points: this.#points,
      marks: this.#marks,
      count: this.#count,
      starts: Uint32Array.from(starts),
      heights: Float32Array.from(heights),
      features: this.#features,
      tools: this.#tools.toString(2).replaceAll('0', '').length,
      speeds: this.#speeds.span,
      widths: this.#widths.span,
      box: hasSome ? { x: this.#x.span, y: this.#y.span, z: this.#z.span } : null,
      isWhole,
    }
  }
}
