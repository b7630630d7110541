/** One element of a prediction JSON: a print's own, a public one, or the placeholder of a frame that is missing. */
interface Element {
  fields?: { normalized_p?: unknown; updated_at?: unknown }
  p?: unknown
}

const elementOf = (given: unknown): Element => {
  const one: unknown = Array.isArray(given) ? given[0] : given
  return typeof one === 'object' && one !== null ? one : {}
}

/** The score of each frame, 0 to 1; null where it was not looked at. Takes both kinds of elements. */
export function scoresOf(predictions: readonly unknown[]): (number | null)[] {
  return predictions.map((given) => {
    const { fields, p } = elementOf(given)
    const score = fields?.normalized_p ?? p
    return typeof score === 'number' && Number.isFinite(score) ? Math.min(1, Math.max(0, score)) : null
  })
}

/** When each frame was taken, in ms; empty when that is not told, or the same for all. */
export function timesOf(predictions: readonly unknown[]): number[] {
  const times = predictions.map((given) => Date.parse(String(elementOf(given).fields?.updated_at)))
  const told = times.filter(Number.isFinite)
  if (told.length < 2 || told.at(0) === told.at(-1)) return []
  let last = told.at(0) ?? 0
  return times.map((at) => (last = Number.isFinite(at) ? at : last))
}

/** The frame that a position of the video shows: 0 to 1 of `length` frames. */
export function frameAt(length: number, position: number): number {
  return Math.min(length - 1, Math.max(0, Math.round(length * position)))
}

/** The score at a position, 0 to 1; null where nobody looked, or nothing is known. */
export function scoreAt(scores: readonly (number | null)[], position: number): number | null {
  return scores[frameAt(scores.length, position)] ?? null
}

/** Pixels of a curve: more points draw the same line. */
const MOST_POINTS = 1_000

/** The height of the drawing; its width is 1000. */
export const CURVE_HEIGHT = 100

/**
 * The curve as a path in 1000 x 100: of frames that share a pixel the highest is drawn, unseen ones break the line, and so does
 * a gap that has no frames at all.
 */
export function curveOf(scores: readonly (number | null)[], gaps: readonly Gap[] = []): string {
  const each = Math.max(1, Math.ceil(scores.length / MOST_POINTS))
  const breaks = gaps
    .filter(({ from, to }) => from === to)
    .map(({ from }) => Math.round(from * scores.length))
  let path = ''
  let pen = false
  for (let at = 0; at < scores.length; at += each) {
    if (breaks.some((place) => place >= at && place < at + each)) pen = false
    const seen = scores.slice(at, at + each).filter((score) => score !== null)
    if (seen.length === 0) {
      pen = false
      continue
    }
    const x = ((at / scores.length) * 1000).toFixed(1)
    const y = ((1 - Math.max(...seen)) * CURVE_HEIGHT).toFixed(1)
    // A frame alone between two gaps is a point.
    path += pen ? `L${x} ${y}` : `M${x} ${y}h0.5`
    pen = true
  }
  return path
}

/** A time in which nobody looked, in ms, and why, in the reader's words. */
export interface Unseen {
  readonly from: number
  readonly to: number
  readonly why: string
}

/** A part of the time axis that nobody looked at, as shares of the whole: of no width where there are no frames of it. */
export interface Gap {
  readonly from: number
  readonly to: number
  readonly why: readonly string[]
}

/** What is shorter is the time between two looks. */
const LEAST_MS = 20_000

/** Runs of frames that nobody looked at, and times without frames between them, with what is known of why. */
export function gapsOf(
  scores: readonly (number | null)[],
  times: readonly number[] = [],
  unseen: readonly Unseen[] = [],
): Gap[] {
  const left = new Set(times.length > 0 ? unseen : [])
  const runs = runsOf(scores).map(([from, to]) => {
    // Of a frame without a score no time is told: it lies between those beside it.
    const [since, until] = [times[from - 1] ?? -Infinity, times[to] ?? Infinity]
    const meant = [...left].filter((one) => one.to > since && one.from < until)
    for (const one of meant) left.delete(one)
    return { from: from / scores.length, to: to / scores.length, why: whyOf(meant) }
  })
  const bare = new Map<number, Unseen[]>()
  for (const one of left) {
    if (one.to - one.from < LEAST_MS) continue
    const next = times.findIndex((time) => time >= one.from)
    const place = next === -1 ? scores.length : next
    bare.set(place, [...(bare.get(place) ?? []), one])
  }
  const marks = [...bare].map(([place, meant]) => {
    const at = place / scores.length
    return { from: at, to: at, why: whyOf(meant) }
  })
  return [...runs, ...marks].toSorted((a, b) => a.from - b.from)
}

/** Each reason once, that of the longest time first. */
const whyOf = (meant: readonly Unseen[]) => [
  ...new Set(meant.toSorted((a, b) => b.to - b.from - (a.to - a.from)).map(({ why }) => why)),
]

/** Why nobody looked at a position; null where somebody did. */
export const gapAt = (gaps: readonly Gap[], length: number, position: number): Gap | null =>
  gaps.find(({ from, to }) => {
    const at = frameAt(length, position) / length
    return at >= from && at < to
  }) ?? null

function runsOf(scores: readonly (number | null)[]): [number, number][] {
  const runs: [number, number][] = []
  let from: number | null = null
  for (let at = 0; at <= scores.length; at++) {
    const isUnseen = at < scores.length && scores[at] === null
    if (isUnseen && from === null) from = at
    if (!isUnseen && from !== null) {
      runs.push([from, at])
      from = null
    }
  }
  return runs
}
