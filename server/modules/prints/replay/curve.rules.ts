import type { ReplayCurve } from '@vigil/contract/prints/replay.ts'

/** More points than pixels draw the same line. */
const MOST_POINTS = 1_000

/** One look on a curve. */
export interface Point {
  /** Epoch milliseconds. */
  readonly at: number
  /** 0 to 1. */
  readonly gauge: number
  readonly decision: 'none' | 'warn' | 'pause'
  readonly isBlind: boolean
  readonly model: string | null
}

const tenth = (value: number) => Math.round(value * 10) / 10

/** A curve of looks in their order, from `start` (epoch milliseconds) on. */
export function curveOf(points: readonly Point[], start: number): ReplayCurve {
  const seconds = ({ at }: Point) => tenth((at - start) / 1000)
  const each = Math.max(1, Math.ceil(points.length / MOST_POINTS))
  const drawn: Point[] = []
  for (let from = 0; from < points.length; from += each) {
    // A picture that showed nothing has no place on it.
    const seen = points.slice(from, from + each).filter(({ isBlind }) => !isBlind)
    if (seen.length > 0) drawn.push(seen.reduce((a, b) => (b.gauge > a.gauge ? b : a)))
  }
  const warned = points.find(({ decision }) => decision !== 'none')
  const paused = points.find(({ decision }) => decision === 'pause')
  return {
    t: drawn.map(seconds),
    gauge: drawn.map(({ gauge }) => tenth(Math.min(1, Math.max(0, gauge)) * 100)),
    warned: warned ? seconds(warned) : null,
    paused: paused ? seconds(paused) : null,
    looks: points.length,
    blind: points.filter(({ isBlind }) => isBlind).length,
    models: [...new Set(points.flatMap(({ model }) => model ?? []))],
  }
}
