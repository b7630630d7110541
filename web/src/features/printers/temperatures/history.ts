import type { Heater } from '../../../printer/status.ts'

export const SPAN_MS = 30 * 60_000
/** Reports further apart than this are not joined: nothing is known of the time between. */
const GAP_MS = 150_000

export interface Point {
  at: number
  actual: number | null
  target: number | null
}
export type History = Record<string, Point[]>

const number = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null

/** Reads `{name: [[t, actual, target], …]}`, t in seconds since 1970. */
export function readHistory(heaters: Record<string, readonly (readonly unknown[])[]>): History {
  const history: History = {}
  for (const [key, rows] of Object.entries(heaters)) {
    history[key] = rows.flatMap(([t, actual, target]) => {
      const at = number(t)
      return at === null ? [] : [{ at: at * 1000, actual: number(actual), target: number(target) }]
    })
  }
  return history
}

/** Adds what is newer in `live` to what the server kept, and forgets what is too old. */
export function mergeHistory(kept: History, live: History, nowMs: number): History {
  const merged: History = {}
  for (const key of new Set([...Object.keys(kept), ...Object.keys(live)])) {
    const old = kept[key] ?? []
    const last = old.at(-1)?.at ?? -Infinity
    const points = [...old, ...(live[key] ?? []).filter(({ at }) => at > last)]
    const since = nowMs - SPAN_MS
    merged[key] = points.filter(({ at }) => at >= since)
  }
  return merged
}

/** A report, added to what is known; the same report twice is one. */
export function addReport(history: History, atMs: number, heaters: Heater[], nowMs: number): History {
  const live: History = {}
  for (const { key, actual, target } of heaters) live[key] = [{ at: atMs, actual, target }]
  return mergeHistory(history, live, nowMs)
}

export interface Frame {
  width: number
  height: number
  from: number
  to: number
  top: number
}

export const xOf = (at: number, { width, from, to }: Frame) => ((at - from) / (to - from)) * width
export const yOf = (value: number, { height, top }: Frame) => height - (value / top) * height

/** The line of one value through time, broken where nothing is known, or where it is off when `skipZero`. */
export function linePath(points: Point[], pick: 'actual' | 'target', frame: Frame): string {
  let path = ''
  let last: number | null = null
  for (const point of points) {
    const value = point[pick]
    if (value === null || (pick === 'target' && value <= 0)) {
      last = null
      continue
    }
    const x = xOf(point.at, frame).toFixed(1)
    const y = yOf(value, frame).toFixed(1)
    const joined = last !== null && point.at - last <= GAP_MS
    path += joined ? `L${x} ${y}` : `M${x} ${y}`
    last = point.at
  }
  return path
}

/** Round marks from 0 up, at most four of them above it, and room above the highest line. */
export function ticks(history: History): number[] {
  let highest = 50
  for (const points of Object.values(history))
    for (const { actual, target } of points) highest = Math.max(highest, actual ?? 0, target ?? 0)
  const step = [20, 25, 50, 100, 200].find((each) => each * 4 >= highest * 1.04) ?? 500
  const count = Math.ceil((highest * 1.04) / step)
  return Array.from({ length: count + 1 }, (_, at) => at * step)
}

/** The point of a line that is nearest in time, when there is one near enough. */
export function nearest(points: Point[], at: number): Point | null {
  let best: Point | null = null
  for (const point of points) if (!best || Math.abs(point.at - at) < Math.abs(best.at - at)) best = point
  return best && Math.abs(best.at - at) <= GAP_MS ? best : null
}
