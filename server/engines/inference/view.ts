/**
 * Whether a camera still shows what it showed before (docs/detector.md), from 64x48 grey thumbnails. Edges that stand
 * still (frame, bed, background) tell: they keep their place when the light changes, goes grey or infrared, and when
 * bed and head move. Pure.
 */

export const THUMB_WIDTH = 64
export const THUMB_HEIGHT = 48
export const CELLS = THUMB_WIDTH * THUMB_HEIGHT

/** Grey levels of a thumbnail, row by row. */
export type Grey = Uint8Array | Float32Array

/** Brightness gradients of a thumbnail, 0 at its rim. */
interface Edges {
  x: Float32Array
  y: Float32Array
}

function edgesOf(grey: Grey): Edges {
  const edges = { x: new Float32Array(CELLS), y: new Float32Array(CELLS) }
  for (let row = 1; row < THUMB_HEIGHT - 1; row++) {
    for (let i = row * THUMB_WIDTH + 1; i < (row + 1) * THUMB_WIDTH - 1; i++) {
      edges.x[i] = grey[i + 1]! - grey[i - 1]!
      edges.y[i] = grey[i + THUMB_WIDTH]! - grey[i - THUMB_WIDTH]!
    }
  }
  return edges
}

const squared = ({ x, y }: Edges, i: number) => x[i]! ** 2 + y[i]! ** 2

/** What is known of a camera's view. */
export interface View {
  /** Slow mean of its good pictures, grey levels. */
  reference: Float32Array
  /** How steadily each cell's edge has kept its direction, -1..1: bed, head and print move, the rest does not. */
  stability: Float32Array
}

/** Fewer edges that stand still than this tell nothing. */
const FEWEST = 40

/** The cells of the strongest edges that stand still, a fifth at most; none where there are too few. */
function stillCells(edges: Edges, stability: Float32Array): number[] {
  const strength = Float32Array.from({ length: CELLS }, (_, i) => squared(edges, i))
  const least = Math.max(1, Float32Array.from(strength).sort()[Math.floor(CELLS * 0.8)]!)
  const cells: number[] = []
  for (let i = 0; i < CELLS; i++) if (strength[i]! >= least && stability[i]! > 0.75) cells.push(i)
  return cells.length < FEWEST ? [] : cells
}

/** The view after one more good picture, which counts a `share` (0..1). */
export function learnView({ reference, stability }: View, picture: Grey, share: number): View {
  const [now, before] = [edgesOf(picture), edgesOf(reference)]
  const agreement = (i: number) =>
    along(now, before, i, i) / (Math.sqrt(squared(now, i) * squared(before, i)) || 1)
  return {
    reference: reference.map((level, i) => level + (picture[i]! - level) * share),
    stability: stability.map((value, i) => value + (agreement(i) - value) * share),
  }
}

/** How a picture compares with the mean of the pictures before. */
interface Comparison {
  /** Agreement of the edges that stand still, -1..1; brightness and contrast play no part. */
  fit: number
  /** Share of those edges of which nothing is left, 0..1: something flat stands before them. */
  lost: number
}

/** Compares a picture with the view of its camera; it fits where the view tells nothing. */
export function compareViews(picture: Grey, { reference, stability }: View): Comparison {
  const [now, before] = [edgesOf(picture), edgesOf(reference)]
  const cells = stillCells(before, stability)
  if (cells.length === 0) return { fit: 1, lost: 0 }
  const kept = Float32Array.from(cells, (i) => along(now, before, i, i) / squared(before, i)).sort()
  // The light may have changed: an edge is lost when it is weak beside those that have kept best.
  const gain = Math.min(1, Math.max(0.05, kept[Math.floor(kept.length * 0.9)]!))
  const flat = cells.filter((i) => squared(now, i) < (0.25 * gain) ** 2 * squared(before, i))
  return { fit: fitOf(now, before, cells), lost: flat.length / cells.length }
}

const along = (a: Edges, b: Edges, i: number, j: number) => a.x[i]! * b.x[j]! + a.y[i]! * b.y[j]!

/** Agreement of the picture's edges with those of the reference at some cells. */
function fitOf(now: Edges, before: Edges, cells: readonly number[]): number {
  let [both, ours, theirs] = [0, 0, 0]
  for (const i of cells) {
    both += along(now, before, i, i)
    ours += squared(now, i)
    theirs += squared(before, i)
  }
  const size = Math.sqrt(ours * theirs)
  return size < 1 ? 0 : both / size
}

/** Why a picture does not fit its reference: the camera was moved, something stands before it, or the light changed. */
export function whyStrange(picture: Grey, view: View): 'moved' | 'covered' | 'lit' {
  const { fit, lost } = compareViews(picture, view)
  if (lost > LOST && detail(picture) < 0.7 * detail(view.reference)) return 'covered'
  return fit > 0.25 && isInPlace(picture, view.reference) ? 'lit' : 'moved'
}

/** Whether edges, bright to dark or dark to bright, lie where they lay rather than beside it. */
function isInPlace(picture: Grey, reference: Grey): boolean {
  const [now, before] = [magnitudes(edgesOf(picture)), magnitudes(edgesOf(reference))]
  const here = correlation(now, before)
  for (let dy = -9; dy <= 9; dy += 3) {
    for (let dx = -12; dx <= 12; dx += 3) {
      if ((dx !== 0 || dy !== 0) && correlation(shifted(now, dx, dy), before) > here) return false
    }
  }
  return here > 0.3
}

/** A picture moved by (dx, dy) cells; what comes in from outside is 0. */
function shifted(picture: Grey, dx: number, dy: number): Float32Array {
  return Float32Array.from({ length: CELLS }, (_, i) => {
    const [x, y] = [(i % THUMB_WIDTH) + dx, Math.floor(i / THUMB_WIDTH) + dy]
    return x >= 0 && y >= 0 && x < THUMB_WIDTH && y < THUMB_HEIGHT ? picture[y * THUMB_WIDTH + x]! : 0
  })
}

/** More of the still edges than this lost: the view is blocked. */
export const LOST = 0.55

const magnitudes = (edges: Edges) =>
  Float32Array.from({ length: CELLS }, (_, i) => Math.sqrt(squared(edges, i)))

/** Mean absolute difference of two thumbnails in grey levels. */
export function difference(a: Grey, b: Grey): number {
  let sum = 0
  for (let i = 0; i < CELLS; i++) sum += Math.abs(a[i]! - b[i]!)
  return sum / CELLS
}

/** Pearson correlation (-1..1) of two thumbnails. */
export function correlation(a: Grey, b: Grey): number {
  let [sa, sb, saa, sbb, sab] = [0, 0, 0, 0, 0]
  for (let i = 0; i < CELLS; i++) {
    const [va, vb] = [a[i]!, b[i]!]
    sa += va
    sb += vb
    saa += va * va
    sbb += vb * vb
    sab += va * vb
  }
  const spread = Math.sqrt(Math.max(0, saa - (sa * sa) / CELLS) * Math.max(0, sbb - (sb * sb) / CELLS))
  return spread < 1 ? 0 : (sab - (sa * sb) / CELLS) / spread
}

function detail(picture: Grey): number {
  let sum = 0
  for (let i = 1; i < CELLS; i++) if (i % THUMB_WIDTH) sum += Math.abs(picture[i]! - picture[i - 1]!)
  return sum / CELLS
}
