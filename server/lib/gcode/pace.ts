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
export class Pace {
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
