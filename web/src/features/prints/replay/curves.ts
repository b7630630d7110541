import type { ReplayCurve } from '@vigil/contract/prints/replay.ts'

type Line = Pick<ReplayCurve, 't' | 'gauge'>

/** A look counts for so long; where points stand for several looks, for as many of their steps. */
const KNOWN_S = 50
const KNOWN_STEPS = 4

/** How far apart two points may be for the time between them to have been looked at, in seconds. */
function reachOf({ t }: Pick<Line, 't'>): number {
  const steps = t.slice(1).map((at, n) => at - (t[n] ?? 0))
  const usual = steps.toSorted((a, b) => a - b)[steps.length >> 1] ?? 0
  return Math.max(KNOWN_S, KNOWN_STEPS * usual)
}

/** A curve as the path of an SVG that is 1000 wide and 100 high, over so many seconds; nothing is drawn where nobody looked. */
export function pathOf({ t, gauge }: Line, seconds: number): string {
  const reach = reachOf({ t })
  const x = (at: number) => ((1000 * Math.max(0, at)) / Math.max(1, seconds)).toFixed(1)
  const isNext = (n: number) => n > 0 && (t[n] ?? 0) - (t[n - 1] ?? 0) <= reach
  return t.map((at, n) => `${isNext(n) ? 'L' : 'M'}${x(at)} ${(100 - (gauge[n] ?? 0)).toFixed(1)}`).join('')
}

/** What a curve says at a moment: its last point before it; null before the first, and where nobody looked. */
export function gaugeAt({ t, gauge }: Line, seconds: number): number | null {
  let [low, high] = [0, t.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((t[middle] ?? 0) <= seconds) low = middle + 1
    else high = middle
  }
  const last = t[low - 1]
  return last === undefined || seconds - last > reachOf({ t }) ? null : (gauge[low - 1] ?? null)
}

export const highest = ({ gauge }: Line): number | null => (gauge.length === 0 ? null : Math.max(...gauge))
