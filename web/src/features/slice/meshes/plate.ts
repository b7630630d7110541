import { useCallback, useState } from 'react'

export type Vector = readonly [x: number, y: number, z: number]

/** How a piece stands: `translate` where its middle is, in mm; degrees. */
export interface Placing {
  readonly translate: Vector
  readonly rotate: Vector
  readonly scale: Vector
}

/** A mesh on the plate. `size` of the mesh as it came, in mm. */
export interface Piece extends Placing {
  readonly key: string
  readonly url: string
  readonly name: string
  readonly size: Vector | null
}

const MOST_STEPS = 100
let made = 0

/** A mesh as it comes, in the middle of the bed. */
export const pieceOf = (
  url: string,
  name: string,
  size: Vector | null,
  [x, y]: readonly [number, number],
): Piece => ({
  key: `piece-${++made}`,
  url,
  name,
  size,
  translate: [x, y, 0],
  rotate: [0, 0, 0],
  scale: [1, 1, 1],
})

/** The corners of a bed as profiles say them, `220x0`; as large as most where nothing is said. */
export function cornersOf(area: readonly string[] | undefined): readonly (readonly [number, number])[] {
  const corners = (area ?? []).flatMap((corner): [number, number][] => {
    const [x = Number.NaN, y = Number.NaN] = corner.split('x').map(Number)
    return Number.isFinite(x) && Number.isFinite(y) ? [[x, y]] : []
  })
  return corners.length >= 3
    ? corners
    : [
        [0, 0],
        [220, 0],
        [220, 220],
        [0, 220],
      ]
}

export function middleOf(corners: readonly (readonly [number, number])[]): readonly [number, number] {
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)]
  const middle = (all: number[]) => (Math.min(...all) + Math.max(...all)) / 2
  return [middle(xs), middle(ys)]
}

/** What stands on the plate, and how much of it that takes. */
interface Taken {
  readonly at: readonly [number, number]
  readonly size: Vector
}

/** Between what stands beside another. */
export const GAP_MM = 5
const STEP_MM = 10
const MOST_RINGS = 30

/** Where something of this size stands beside all others, as near to the middle as it fits; the middle where there is no room. */
export function freeSpot(
  size: Vector,
  taken: readonly Taken[],
  [x, y]: readonly [number, number],
): readonly [number, number] {
  const isFree = ([ax, ay]: readonly [number, number]) =>
    taken.every(
      ({ at, size: other }) =>
        Math.abs(ax - at[0]) >= (size[0] + other[0]) / 2 + GAP_MM ||
        Math.abs(ay - at[1]) >= (size[1] + other[1]) / 2 + GAP_MM,
    )
  for (let ring = 0; ring <= MOST_RINGS; ring++)
    for (let at = 0; at < Math.max(1, 8 * ring); at++) {
      const angle = (at / Math.max(1, 8 * ring)) * 2 * Math.PI
      const spot = [x + ring * STEP_MM * Math.cos(angle), y + ring * STEP_MM * Math.sin(angle)] as const
      if (isFree(spot)) return [Math.round(spot[0]), Math.round(spot[1])]
    }
  return [x, y]
}

/** What is on the plate, with what was on it before, so that a hundred steps can be taken back and forth. */
export function usePlate(first: () => readonly Piece[]) {
  const [{ steps, at }, set] = useState(() => ({ steps: [first()], at: 0 }))
  const pieces = steps[at] ?? []
  const change = useCallback((next: (pieces: readonly Piece[]) => readonly Piece[]) => {
    set(({ steps: all, at: now }) => {
      const steps = [...all.slice(0, now + 1), next(all[now] ?? [])].slice(-MOST_STEPS - 1)
      return { steps, at: steps.length - 1 }
    })
  }, [])
  /** What comes by itself is no step. */
  const settle = useCallback((next: (pieces: readonly Piece[]) => readonly Piece[]) => {
    set(({ steps, at: now }) => ({ steps: steps.with(now, next(steps[now] ?? [])), at: now }))
  }, [])
  const step = (by: number) =>
    set((held) => ({ ...held, at: Math.max(0, Math.min(held.steps.length - 1, held.at + by)) }))
  return {
    pieces,
    change,
    settle,
    undo: at > 0 ? () => step(-1) : null,
    redo: at < steps.length - 1 ? () => step(1) : null,
  }
}

export const AXES = ['X', 'Y', 'Z'] as const

/** A vector with another number at one axis. */
export const withAxis = (vector: Vector, axis: number, value: number): Vector => {
  const [x, y, z] = vector.map((one, i) => (i === axis ? value : one))
  return [x ?? 0, y ?? 0, z ?? 0]
}

/** A size as people write it, in mm. */
export const sizeText = (sides: readonly number[]) =>
  `${sides.map((side) => Number(side.toFixed(1))).join(' × ')}\u00A0mm`
