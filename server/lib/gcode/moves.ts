import { FEATURES, OTHER } from '@vigil/contract/gcode/features.ts'
import { type Follower, Motion } from '@vigil/contract/gcode/motion.ts'
import { remarkOf } from '@vigil/contract/gcode/remarks.ts'
import { letter, type Words } from '@vigil/contract/gcode/words.ts'

/** How many moves a printer looks ahead: it has to be able to stop at the last of them. */
const AHEAD = 64
const ROOM = 2 * AHEAD
/** Where the file says nothing of it; as a usual printer has it. */
const ACCELERATION = 1000
/** So much faster or slower along an axis a printer goes at once, in mm/s. */
const JERK = 8
/** Only filament is moved: faster than the axes. */
const FILAMENT_ACCELERATION = 3000

/**
 * How long moves take on a usual printer: each speeds up and slows down, and goes round corners as fast as these allow. It looks
 * ahead as far as firmware does, so what it holds does not grow with the file.
 */
class Pace {
  seconds = 0
  acceleration = ACCELERATION
  #count = 0
  readonly #length = new Float64Array(ROOM)
  readonly #most = new Float64Array(ROOM)
  readonly #rate = new Float64Array(ROOM)
  /** How fast a move may begin, and with all that follow in mind. */
  readonly #corner = new Float64Array(ROOM + 1)
  readonly #entry = new Float64Array(ROOM + 1)
  #way: readonly [number, number, number] = [0, 0, 0]
  #speed = 0

  /** One move by so much along each axis, at most at this speed in mm/s. */
  move(dx: number, dy: number, dz: number, filament: number, speed: number): void {
    const way = Math.hypot(dx, dy, dz)
    const length = way > 0 ? way : Math.abs(filament)
    if (length === 0 || speed === 0) return
    const next: [number, number, number] =
      way > 0 ? [(dx / way) * speed, (dy / way) * speed, (dz / way) * speed] : [0, 0, 0]
    const change = Math.max(...next.map((one, axis) => Math.abs(one - (this.#way[axis] ?? 0))))
    const share = change > JERK ? JERK / change : 1
    if (this.#count === ROOM) this.#settle(AHEAD)
    const at = this.#count++
    this.#length[at] = length
    this.#most[at] = speed
    this.#rate[at] = way > 0 ? this.acceleration : FILAMENT_ACCELERATION
    this.#corner[at] = Math.min(speed, this.#speed || speed) * share
    this.#way = next
    this.#speed = speed
  }

  wait(seconds: number): void {
    this.seconds += seconds
  }

  end(): number {
    this.#settle(this.#count)
    return this.seconds
  }

  /** Counts the first `done` of those that wait, and forgets them. */
  #settle(done: number): void {
    const [entry, count] = [this.#entry, this.#count]
    entry[count] = 0
    for (let at = count - 1; at > 0; at--)
      entry[at] = Math.min(this.#corner[at] ?? 0, this.#reach(at, entry[at + 1] ?? 0))
    for (let at = 0; at < done; at++) {
      const from = entry[at] ?? 0
      const to = Math.min(entry[at + 1] ?? 0, this.#reach(at, from))
      entry[at + 1] = to
      this.seconds += this.#secondsOf(at, from, to)
    }
    entry[0] = entry[done] ?? 0
    for (const each of [this.#length, this.#most, this.#rate, this.#corner]) each.copyWithin(0, done, count)
    this.#count = count - done
  }

  /** How fast a move can be at one end when it is so fast at the other. */
  #reach(at: number, speed: number): number {
    return Math.sqrt(speed ** 2 + 2 * (this.#rate[at] ?? 0) * (this.#length[at] ?? 0))
  }

  /** Speeding up from one speed, then at most as fast as it may, then slowing down to the other. */
  #secondsOf(at: number, from: number, to: number): number {
    const [rate, length] = [this.#rate[at] ?? 1, this.#length[at] ?? 0]
    const peak = Math.min(this.#most[at] ?? 1, Math.sqrt(rate * length + (from ** 2 + to ** 2) / 2))
    const top = Math.max(peak, from, to)
    const ramps = (2 * top ** 2 - from ** 2 - to ** 2) / (2 * rate)
    return (2 * top - from - to) / rate + Math.max(0, length - ramps) / top
  }
}

/** What the moves of a file come to, read from its first to its last. Lengths in mm; null is "cannot be said". */
export interface Moved {
  /** What is laid down lies in here: objects, supports and skirts, without what belongs to the printer's start and end. */
  readonly box: Area | null
  /** The same without skirt, brim and tower, as far as the slicer says which those are. */
  readonly object: Area | null
  /** The top of what is laid down, and of its first layer. */
  readonly top: number | null
  readonly firstLayer: number | null
  /** From layer to layer, as most of them are; null too where layers are not flat. */
  readonly layer: number | null
  readonly layers: number | null
  /** What runs through all nozzles. */
  readonly filament: number | null
  /** How long a usual printer takes for it, without heating; an estimate. */
  readonly seconds: number | null
}
export type Range = readonly [from: number, to: number]
export interface Area {
  readonly x: Range
  readonly y: Range
}

const CUSTOM = FEATURES.indexOf('custom')
/** Laid around the object, not of it. */
const AROUND: ReadonlySet<number> = new Set([FEATURES.indexOf('skirt'), FEATURES.indexOf('tower')])
const [D, P, S] = [letter('d'), letter('p'), letter('s')]
const SAME = 1e-5
/** Layers are told apart by so much; more of them than a print can have are not kept. */
const STEP_MM = 0.001
const MOST_LAYERS = 50_000
/** A spiral has no layers: more than this share of what is laid down climbs. */
const MOST_CLIMBING = 0.05
/** Nobody waits longer at a place. */
const LONGEST_WAIT = 3600
const MOST_TOOLS = 16

class Extent {
  readonly x: [number, number] = [Infinity, -Infinity]
  readonly y: [number, number] = [Infinity, -Infinity]

  /** Null where there is none: nothing, or a single line. */
  get area(): Area | null {
    return this.x[1] > this.x[0] && this.y[1] > this.y[0] ? { x: this.x, y: this.y } : null
  }
}

class Laid {
  readonly all = new Extent()
  readonly object = new Extent()
  /** Heights, in steps, and how often something is laid at them. */
  readonly heights = new Set<number>()
  lowest = Infinity
  top = -Infinity
  laid = 0
  climbing = 0
}

/** Reads all moves of a file as it comes. What it holds does not grow with it. */
export class Moves implements Follower {
  readonly #motion = new Motion(this)
  readonly #pace = new Pace()
  /** What is laid down before a layer was announced, as by the printer's start, and from then on. */
  readonly #before = new Laid()
  readonly #after = new Laid()
  #hasLayers = false
  #feature = OTHER
  /** What each tool has drawn in, and the most of it so far: what was drawn back and pushed again counts once. */
  readonly #drawn = new Float64Array(MOST_TOOLS)
  readonly #used = new Float64Array(MOST_TOOLS)
  /** Of a filament that is told in mm³. */
  #section = 1
  #isSpeedKnown = true

  feed(bytes: Uint8Array): void {
    this.#motion.feed(bytes)
  }

  end(): Moved {
    this.#motion.end()
    const box = this.#after.laid > 0 ? this.#after : this.#before
    const filament = this.#used.reduce((sum, one) => sum + one, 0)
    const seconds = this.#pace.end()
    const isEven = box.climbing <= box.laid * MOST_CLIMBING && box.heights.size < MOST_LAYERS
    const heights = isEven ? [...box.heights].toSorted((a, b) => a - b).map((step) => step * STEP_MM) : []
    return {
      box: box.all.area,
      object: box.object.area,
      top: box.top > 0 ? box.top : null,
      firstLayer: isEven && box.lowest > 0 && box.lowest < Infinity ? box.lowest : null,
      layer: usual(heights),
      layers: heights.length > 1 ? heights.length : null,
      filament: filament > 0 ? filament : null,
      seconds: this.#isSpeedKnown && box.laid > 0 && seconds > 0 ? seconds : null,
    }
  }

  remark(bytes: Uint8Array, from: number, to: number): void {
    const remark = remarkOf(bytes, from, to)
    if (remark?.says === 'layer') this.#hasLayers = true
    else if (remark?.says === 'feature') this.#feature = remark.feature
  }

  move(x: number, y: number, z: number, filament: number): void {
    const { at, speed, tool } = this.#motion
    const [fromX = 0, fromY = 0, fromZ = 0] = at
    const mm = filament / this.#section
    const [dx, dy, dz] = [x - fromX, y - fromY, z - fromZ]
    const isAcross = Math.hypot(dx, dy) > SAME
    this.#draw(tool % MOST_TOOLS, mm)
    if (speed === 0 && (isAcross || mm !== 0)) this.#isSpeedKnown = false
    this.#pace.move(dx, dy, dz, mm, speed)
    if (filament > 0 && isAcross && this.#feature !== CUSTOM) this.#lay(x, y, z)
  }

  command(kind: 'g' | 'm', code: number, words: Words): void {
    if (kind === 'g') {
      // P in ms, S in s.
      if (code === 4)
        this.#pace.wait(
          Math.min(LONGEST_WAIT, Math.max(0, words.has(S) ? words.get(S, 0) : words.get(P, 0) / 1000)),
        )
    } else if (code === 204) {
      const rate = words.has(P) ? words.get(P, 0) : words.get(S, 0)
      if (rate >= 10 && rate <= 100_000) this.#pace.acceleration = rate
    } else if (code === 200 && words.has(D)) {
      const diameter = words.get(D, 0)
      this.#section = diameter > 0.5 && diameter < 5 ? Math.PI * (diameter / 2) ** 2 : 1
    }
  }

  #draw(tool: number, mm: number): void {
    const drawn = (this.#drawn[tool] ?? 0) + mm
    if (drawn > 0) {
      this.#used[tool] = (this.#used[tool] ?? 0) + drawn
      this.#drawn[tool] = 0
    } else this.#drawn[tool] = drawn
  }

  #lay(x: number, y: number, z: number): void {
    const box = this.#hasLayers ? this.#after : this.#before
    const [, , fromZ = 0] = this.#motion.at
    box.laid++
    this.#stretch(box.all, x, y)
    if (!AROUND.has(this.#feature)) this.#stretch(box.object, x, y)
    if (Math.abs(z - fromZ) > SAME) box.climbing++
    else if (box.heights.size < MOST_LAYERS) box.heights.add(Math.round(z / STEP_MM))
    if (z > 0) box.lowest = Math.min(box.lowest, z)
    box.top = Math.max(box.top, z)
  }

  /** By both ends of a move, as far as the file has said where it begins. */
  #stretch({ x, y }: Extent, toX: number, toY: number): void {
    const [fromX = 0, fromY = 0] = this.#motion.at
    stretch(x, toX)
    stretch(y, toY)
    if (this.#motion.isKnown(0)) stretch(x, fromX)
    if (this.#motion.isKnown(1)) stretch(y, fromY)
  }
}

function stretch(range: [number, number], value: number): void {
  if (value < range[0]) range[0] = value
  if (value > range[1]) range[1] = value
}

/** The step that most have; null where there is none. */
function usual(heights: readonly number[]): number | null {
  const counts = new Map<number, number>()
  for (const [at, height] of heights.entries()) {
    const step = at === 0 ? 0 : Math.round((height - (heights[at - 1] ?? 0)) / STEP_MM)
    if (step > 0) counts.set(step, (counts.get(step) ?? 0) + 1)
  }
  const [most] = [...counts].toSorted((a, b) => b[1] - a[1])
  return most ? most[0] * STEP_MM : null
}
