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

/** The curve as a path in 1000 x 100: of frames that share a pixel the highest is drawn, unseen ones break the line. */
export function curveOf(scores: readonly (number | null)[]): string {
  const each = Math.max(1, Math.ceil(scores.length / MOST_POINTS))
  let path = ''
  let pen = false
  for (let at = 0; at < scores.length; at += each) {
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

/** Runs of frames that nobody looked at, as shares of the whole: `[from, to]`. */
export function gapsOf(scores: readonly (number | null)[]): [number, number][] {
  const gaps: [number, number][] = []
  let from: number | null = null
  for (let at = 0; at <= scores.length; at++) {
    const unseen = at < scores.length && scores[at] === null
    if (unseen && from === null) from = at
    if (!unseen && from !== null) {
      gaps.push([from / scores.length, at / scores.length])
      from = null
    }
  }
  return gaps
}
