import { type HeaterKind, heaterKind } from '../../../printer/status.ts'
import { type History, nearest } from '../../printers/temperatures/index.ts'

export interface Line {
  readonly key: string
  readonly points: History[string]
}

const ORDER: readonly HeaterKind[] = ['nozzle', 'bed', 'chamber', 'other']
/** A table of more rows is read by nobody. */
const MOST_ROWS = 48

/** What was warm at any time of the print, nozzles first. A sensor that always says 0 is none. */
export function heatersOf(history: History): Line[] {
  return Object.entries(history)
    .filter(([, points]) => points.length > 1 && points.some(({ actual }) => actual !== null && actual !== 0))
    .map(([key, points]) => ({ key, points }))
    .toSorted(
      (a, b) =>
        ORDER.indexOf(heaterKind(a.key)) - ORDER.indexOf(heaterKind(b.key)) || a.key.localeCompare(b.key),
    )
}

/** From the first point of any line to the last. */
export function spanOf(lines: readonly Line[]): [number, number] {
  const firsts = lines.flatMap(({ points }) => points[0]?.at ?? [])
  const lasts = lines.flatMap(({ points }) => points.at(-1)?.at ?? [])
  const from = Math.min(...firsts)
  return [from, Math.max(from + 1, ...lasts)]
}

/** The place of a moment in the film, 0 to 1; null where its pictures have no times. */
export function placeOf(times: readonly number[], at: number): number | null {
  if (times.length === 0) return null
  const index = times.findIndex((time) => time >= at)
  return (index === -1 ? times.length - 1 : index) / times.length
}

/** The lines as rows, evenly taken. */
export function rowsOf(lines: readonly Line[]): { at: number; values: (number | null)[] }[] {
  const [from, to] = spanOf(lines)
  const longest = Math.max(...lines.map(({ points }) => points.length))
  const count = Math.min(MOST_ROWS, longest)
  return Array.from({ length: count }, (_, index) => {
    const at = from + ((to - from) * index) / Math.max(1, count - 1)
    return { at, values: lines.map(({ points }) => nearest(points, at)?.actual ?? null) }
  })
}
