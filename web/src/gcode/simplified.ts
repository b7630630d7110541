import { FEATURES, INSIDE, JUMP, TRAVEL } from '@vigil/contract/gcode/features.ts'
import { endOf, moveAt, PathBuilder, type Toolpath } from './toolpath.ts'

/** Fewer lines that look like a toolpath from outside. */
export interface Simplified {
  readonly path: Toolpath
  /** Which layers of the whole it has, from the lowest. */
  readonly layers: readonly number[]
}

/** Each of so many layers, and how far a line may leave what it stands for, in mm; the first with few enough moves is taken. */
const STEPS = [
  [1, 0.05],
  [1, 0.2],
  [2, 0.2],
  [3, 0.3],
  [4, 0.5],
  [6, 0.5],
  [8, 0.8],
  [12, 1],
  [16, 1],
  [24, 2],
  [48, 2],
] as const
/** So many points are left out in a row. */
const MOST_LEFT_OUT = 64
const WIDEST = 2.5
const UNSEEN = new Set([TRAVEL, JUMP, ...INSIDE.map((feature) => FEATURES.indexOf(feature))])

/** What is seen of a toolpath in `most` moves or fewer, as far as that can be. */
export function simplified(path: Toolpath, most: number): Simplified {
  let made: Simplified | null = null
  for (const [every, slack] of STEPS) {
    made = build(path, most, every, slack)
    if (made.path.isWhole) break
  }
  return made ?? { path, layers: [] }
}

function build(path: Toolpath, most: number, every: number, slack: number): Simplified {
  const lines = new Outline(path, most, slack)
  const layers: number[] = []
  const starts: number[] = []
  const heights: number[] = []
  const last = path.starts.length - 1
  for (let layer = 0; layer <= last && !lines.isFull; layer += every) {
    layers.push(layer)
    starts.push(lines.count)
    heights.push(path.heights[layer] ?? 0)
    const step = (path.heights[layer] ?? 0) - (path.heights[layer - every] ?? 0)
    lines.add(path.starts[layer] ?? 0, endOf(path, layer), every > 1 ? Math.min(WIDEST, step * 1.2) : 0)
  }
  const { features, tools, speeds, widths, box } = path
  const built = lines.path(starts, heights)
  return { path: { ...built, features, tools, speeds, widths, box }, layers }
}

/** Gathers outlines: moves that are seen, those of a line as one. */
class Outline {
  readonly #from: Toolpath
  readonly #slack: number
  readonly #builder: PathBuilder
  #end = -1

  constructor(from: Toolpath, most: number, slack: number) {
    this.#from = from
    this.#slack = slack
    this.#builder = new PathBuilder(most)
  }

  get isFull(): boolean {
    return this.#builder.isFull
  }

  get count(): number {
    return this.#builder.count
  }

  path(starts: readonly number[], heights: readonly number[]): Toolpath {
    return this.#builder.path(starts, heights, !this.isFull)
  }

  /** The moves from `first` to `end`, at least so wide. */
  add(first: number, end: number, width: number): void {
    for (let at = first; at < end;) {
      const move = moveAt(this.#from, at)
      if (UNSEEN.has(move.feature)) {
        at++
        continue
      }
      // Points are one farther than moves: a move goes from its own to the next.
      let to = at + 1
      while (to < end && to - at < MOST_LEFT_OUT && this.#isSame(at, to) && this.#isLine(at, to + 1)) to++
      if (this.#end !== at) this.#to(at, { feature: JUMP, tool: 0, width: 0, speed: 0 })
      this.#to(to, { ...move, width: Math.max(move.width, width) })
      this.#end = to
      at = to
    }
  }

  #to(point: number, move: ReturnType<typeof moveAt>): void {
    const [x = 0, y = 0, z = 0] = this.#from.points.subarray(3 * point, 3 * point + 3)
    this.#builder.add(x, y, z, move)
  }

  #isSame = (one: number, other: number) => this.#from.marks[4 * one] === this.#from.marks[4 * other]

  /** Whether the points between lie near enough to the line from one to the other. */
  #isLine(from: number, to: number): boolean {
    const { points } = this.#from
    const [x = 0, y = 0] = points.subarray(3 * from, 3 * from + 2)
    const [dx, dy] = [(points[3 * to] ?? 0) - x, (points[3 * to + 1] ?? 0) - y]
    const length = Math.hypot(dx, dy)
    for (let at = from + 1; at < to; at++) {
      const [px, py] = [(points[3 * at] ?? 0) - x, (points[3 * at + 1] ?? 0) - y]
      const off = length < 1e-6 ? Math.hypot(px, py) : Math.abs(px * dy - py * dx) / length
      if (off > this.#slack) return false
    }
    return true
  }
}
