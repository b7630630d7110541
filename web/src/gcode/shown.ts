import type { Paint } from './paint.ts'
import { endOf, type Toolpath } from './toolpath.ts'

/** What of a file is shown, and how. */
export interface Shown {
  /** From this layer, from 0, to that one, with it. */
  readonly layers: readonly [from: number, to: number]
  /** How many moves of the last layer; null: all. */
  readonly moves: number | null
  readonly paint: Paint
  readonly withTravels: boolean
}

/** The first move that is shown, and the first behind the last. */
export function movesShown(
  path: Toolpath,
  { layers: [from, to], moves }: Shown,
): [first: number, end: number] {
  const end = endOf(path, to)
  const begin = path.starts[to] ?? 0
  const last = moves === null ? end : Math.min(end, begin + moves)
  return [Math.min(from === 0 ? 0 : (path.starts[from] ?? 0), last), last]
}

/** All of a file, its travels only where there is nothing else. */
export const whole = (path: Toolpath): Shown => ({
  layers: [0, Math.max(0, path.starts.length - 1)],
  moves: null,
  paint: 'feature',
  withTravels: path.starts.length === 0,
})

/** The same within what there is; all moves of a layer are none that are gone through. */
export function clamped(path: Toolpath, { layers: [from, to], moves, ...rest }: Shown): Shown {
  const last = Math.max(0, path.starts.length - 1)
  const top = Math.min(last, Math.max(0, to))
  const all = endOf(path, top) - (path.starts[top] ?? 0)
  const some = moves === null || moves >= all ? null : Math.max(1, moves)
  return { ...rest, layers: [Math.min(top, Math.max(0, from)), top], moves: some }
}
