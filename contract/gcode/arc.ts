type Point = readonly [x: number, y: number, z: number]

interface Arc {
  readonly from: Point
  readonly to: Point
  /** From `from` to the middle (I, J); null where a radius (R) is given instead. */
  readonly middle: readonly [x: number, y: number] | null
  readonly radius: number
  readonly isClockwise: boolean
}

/** A chord leaves the arc by so much at most, and no arc has more of them. */
const SLACK_MM = 0.02
const MOST_CHORDS = 256
const LARGEST = 100_000

/** The ends of the chords of an arc (G2, G3), up the axis evenly. One that has no circle is its own chord. */
export function arcPoints({ from, to, middle, radius, isClockwise }: Arc): readonly Point[] {
  const offset = middle ?? middleOf(from, to, radius, isClockwise)
  const r = offset === null ? Number.NaN : Math.hypot(...offset)
  if (offset === null || !(r > 1e-4 && r < LARGEST)) return [to]
  const [x, y] = [from[0] + offset[0], from[1] + offset[1]]
  const begin = Math.atan2(from[1] - y, from[0] - x)
  const sweep = sweepOf(begin, Math.atan2(to[1] - y, to[0] - x), isClockwise)
  const chord = 2 * Math.acos(Math.max(0, 1 - SLACK_MM / r))
  const chords = Math.min(MOST_CHORDS, Math.max(1, Math.ceil(Math.abs(sweep) / chord)))
  const points: Point[] = []
  for (let at = 1; at < chords; at++) {
    const part = at / chords
    const angle = begin + sweep * part
    points.push([x + r * Math.cos(angle), y + r * Math.sin(angle), from[2] + (to[2] - from[2]) * part])
  }
  points.push(to)
  return points
}

/** Where it ends where it begins it goes round once. */
function sweepOf(begin: number, end: number, isClockwise: boolean): number {
  const turn = 2 * Math.PI
  const sweep = (((isClockwise ? begin - end : end - begin) % turn) + turn) % turn
  const whole = sweep < 1e-6 ? turn : sweep
  return isClockwise ? -whole : whole
}

/** The middle of the circle of this radius through both, from the first; a negative radius is the longer way round. */
function middleOf(
  [x, y]: Point,
  [toX, toY]: Point,
  radius: number,
  isClockwise: boolean,
): readonly [number, number] | null {
  const [dx, dy] = [toX - x, toY - y]
  const chord = Math.hypot(dx, dy)
  if (radius === 0 || chord < 1e-6) return null
  const height = Math.sqrt(Math.max(0, radius ** 2 - (chord / 2) ** 2))
  const side = isClockwise === radius > 0 ? -1 : 1
  return [dx / 2 - (side * height * dy) / chord, dy / 2 + (side * height * dx) / chord]
}
