import type { Point, Zone } from '@vigil/contract/printers/zones.ts'
import type { Orientation } from '../../../ui/Snapshot.tsx'

/** Limits of contract/printers/zones.ts. */
export const MOST_ZONES = 16
export const MOST_POINTS = 64
export const FEWEST_POINTS = 3
const MIN_AREA = 1e-6

/** A new zone, ready made, for whoever draws without a pointer. */
export const BOX: Zone = [
  { x: 0.35, y: 0.35 },
  { x: 0.65, y: 0.35 },
  { x: 0.65, y: 0.65 },
  { x: 0.35, y: 0.65 },
]

const within = (value: number) => Math.min(1, Math.max(0, Math.round(value * 10_000) / 10_000))

export function clamp({ x, y }: Point): Point {
  return { x: within(x), y: within(y) }
}

export function movePoint(zone: Zone, at: number, to: Point): Zone {
  return zone.map((point, each) => (each === at ? clamp(to) : point))
}

/** The whole zone, as far as it goes without leaving the picture. */
export function moveZone(zone: Zone, dx: number, dy: number): Zone {
  const xs = zone.map(({ x }) => x)
  const ys = zone.map(({ y }) => y)
  const right = Math.min(1 - Math.max(...xs), Math.max(-Math.min(...xs), dx))
  const down = Math.min(1 - Math.max(...ys), Math.max(-Math.min(...ys), dy))
  return zone.map(({ x, y }) => clamp({ x: x + right, y: y + down }))
}

/** Between a point and the next one. */
export function middle(zone: Zone, after: number): Point {
  const from = zone[after] as Point
  const to = zone[(after + 1) % zone.length] as Point
  return clamp({ x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 })
}

export function insertPoint(zone: Zone, after: number, point: Point): Zone {
  return zone.length >= MOST_POINTS ? zone : zone.toSpliced(after + 1, 0, clamp(point))
}

/** Null when too few would stay: then the zone goes. */
export function dropPoint(zone: Zone, at: number): Zone | null {
  return zone.length <= FEWEST_POINTS ? null : zone.toSpliced(at, 1)
}

/** Of the whole picture, 0 to 1; by the shoelace formula. */
export function area(zone: Zone): number {
  let twice = 0
  for (const [at, { x, y }] of zone.entries()) {
    const next = zone[(at + 1) % zone.length] as Point
    twice += x * next.y - next.x * y
  }
  return Math.abs(twice) / 2
}

/** A zone that the server takes. */
export function isWhole(zone: Zone): boolean {
  return zone.length >= FEWEST_POINTS && area(zone) > MIN_AREA
}

type Turned = Pick<Orientation, 'flipH' | 'flipV' | 'rotation'>

const QUARTERS: Record<Orientation['rotation'], (point: Point) => Point> = {
  0: (point) => point,
  90: ({ x, y }) => ({ x: 1 - y, y: x }),
  180: ({ x, y }) => ({ x: 1 - x, y: 1 - y }),
  270: ({ x, y }) => ({ x: y, y: 1 - x }),
}

const flip = ({ x, y }: Point, { flipH, flipV }: Turned): Point => ({
  x: flipH ? 1 - x : x,
  y: flipV ? 1 - y : y,
})

/** Where a zone of the unrotated picture lies on the picture as it is shown: flips first, then clockwise. */
export const asShown = (zone: Zone, turned: Turned): Zone =>
  zone.map((point) => clamp(QUARTERS[turned.rotation](flip(point, turned))))

/** The way back from {@link asShown}. */
export const asStored = (zone: Zone, turned: Turned): Zone =>
  zone.map((point) =>
    clamp(flip(QUARTERS[((360 - turned.rotation) % 360) as Orientation['rotation']](point), turned)),
  )
