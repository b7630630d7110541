import type { ReplayCurve } from '@vigil/contract/replay.ts'

type Line = Pick<ReplayCurve, 't' | 'gauge'>

/** A curve as the path of an SVG that is 1000 wide and 100 high, over so many seconds. */
export function pathOf({ t, gauge }: Line, seconds: number): string {
  const x = (at: number) => ((1000 * Math.max(0, at)) / Math.max(1, seconds)).toFixed(1)
  return t.map((at, n) => `${n === 0 ? 'M' : 'L'}${x(at)} ${(100 - (gauge[n] ?? 0)).toFixed(1)}`).join('')
}

/** What a curve says at a moment: its last point before it; null before the first. */
export function gaugeAt({ t, gauge }: Line, seconds: number): number | null {
  let [low, high] = [0, t.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((t[middle] ?? 0) <= seconds) low = middle + 1
    else high = middle
  }
  return low === 0 ? null : (gauge[low - 1] ?? null)
}

export const highest = ({ gauge }: Line): number | null => (gauge.length === 0 ? null : Math.max(...gauge))
