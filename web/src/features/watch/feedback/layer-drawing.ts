import type { LayerLabel } from '@vigil/contract/watch/first-layer.ts'

/** One line of plastic: where, how wide, and its way as a path. */
export interface Bead {
  readonly y: number
  readonly width: number
  readonly d: string
  readonly isBad: boolean
}

/** Something on the lines. */
export interface Mark {
  readonly kind: 'bubble' | 'bump' | 'string'
  readonly x: number
  readonly y: number
  readonly r: number
}

const [WIDTH, HEIGHT, PITCH] = [240, 180, 18]

/** The same numbers for the same drawing: 0 to 1, from the place of each in it. */
const chance = (seed: number) => {
  const wild = Math.sin(seed * 12.9898 + 4.1414) * 43_758.5453
  return wild - Math.floor(wild)
}

const rounded = (value: number) => Math.round(value * 10) / 10

/** A wave from left to right at this height. */
export function bead(from: number, y: number, height: number, waves = 3): string {
  const steps = 24
  const points = Array.from({ length: steps + 1 }, (_, step) => {
    const x = from + ((WIDTH + 20 - from) * step) / steps
    return `${rounded(x)} ${rounded(y + height * Math.sin((step / steps) * waves * 2 * Math.PI))}`
  })
  return `M${points.join('L')}`
}

const straight = (y: number) => `M-10 ${y}H${WIDTH + 10}`

/** The lines of a layer with this label. */
export function beadsOf(label: LayerLabel, example: 0 | 1): Bead[] {
  const rows = Array.from({ length: HEIGHT / PITCH }, (_, row) => ({ row, y: row * PITCH + PITCH / 2 }))
  return rows.map(({ row, y }) => {
    const sound = { y, width: PITCH - 1, d: straight(y), isBad: false }
    const isHere = example === 0 ? row >= 3 && row <= 6 : row % 3 === 1
    if (label === 'gaps') return { ...sound, width: isHere || example === 1 ? 9 : 16, isBad: isHere }
    if (label === 'raisedRipples')
      return { ...sound, d: bead(-10, y, isHere ? 6 : 2, example === 0 ? 6 : 10), isBad: isHere }
    if (label === 'detached' && isHere) return { ...sound, d: lifted(y, example), isBad: true }
    return sound
  })
}

/** A line that has come off the bed: it ends, or is dragged away. */
const lifted = (y: number, example: 0 | 1) =>
  example === 0
    ? `M-10 ${y}H90C130 ${y} 150 ${y - 34} 176 ${y - 22}S160 ${y + 26} 132 ${y + 8}`
    : `M-10 ${y}H70M130 ${y + 5}C160 ${y + 16} 180 ${y - 12} ${WIDTH + 10} ${y + 12}`

/** How many of what. */
const MARKS: Partial<
  Record<LayerLabel, { kind: Mark['kind']; count: [number, number]; r: [number, number] }>
> = {
  bubbling: { kind: 'bubble', count: [16, 34], r: [4, 3] },
  bumpsAndRoughSurface: { kind: 'bump', count: [14, 40], r: [8, 4] },
  other: { kind: 'string', count: [2, 5], r: [14, 6] },
}

/** What lies on the lines, or is in them. */
export function marksOf(label: LayerLabel, example: 0 | 1): Mark[] {
  const meant = MARKS[label]
  if (meant === undefined) return []
  const { kind, count, r } = meant
  return Array.from({ length: count[example] }, (_, at) => {
    const seed = at * 7 + example * 131 + kind.length
    const size = r[example] * (0.6 + 0.8 * chance(seed + 2))
    const place = { x: chance(seed) * WIDTH * (kind === 'string' ? 0.4 : 1), y: chance(seed + 1) * HEIGHT }
    return { kind, x: rounded(place.x), y: rounded(place.y), r: rounded(size) }
  })
}
