/**
 * Judges the picture before what is on it: dark, blown out, blurred, covered, frozen, moved (issue 4 part 4).
 * Pure functions over a 64x48 grey thumbnail. Thresholds are conservative: a name given here means that the
 * printer is not being watched, so an ordinary night-time webcam must pass.
 */

export const THUMB_WIDTH = 64
export const THUMB_HEIGHT = 48
const CELLS = THUMB_WIDTH * THUMB_HEIGHT

/** Why a picture can't be relied on. */
export type Condition = 'dark' | 'blown_out' | 'blurred' | 'same_picture' | 'moved' | 'covered'

/** What the worker says about the picture itself. */
export interface Quality {
  /** Seen in this picture alone; `same_picture` and `moved` need {@link followPicture}. */
  condition: Condition | null
  /** Hex digest of the encoded bytes. */
  hash: string
  /** 64x48 grey levels, row by row. */
  thumbnail: Uint8Array
}

/** What is remembered of one camera between pictures; kept in memory by whoever owns the camera. */
export interface PictureHistory {
  hash: string
  thumbnail: Uint8Array
  /** Pictures in a row with the very same bytes, and with (nearly) the same thumbnail. */
  sameBytes: number
  sameLook: number
  /** Time of the first picture of the current run of equal ones, epoch milliseconds. */
  sameSince: number
  /** Slow mean of good pictures, grey levels. */
  reference: Float32Array
  referenceFrames: number
  /** Pictures in a row that do not fit the reference. */
  strange: number
}

/** Grey thumbnail (64x48) of interleaved RGB bytes, each cell the mean of up to 16 pixels. */
export function thumbnailOf(rgb: Uint8Array, width: number, height: number): Uint8Array {
  const out = new Uint8Array(CELLS)
  for (let ty = 0; ty < THUMB_HEIGHT; ty++) {
    for (let tx = 0; tx < THUMB_WIDTH; tx++) {
      let sum = 0
      for (let i = 0; i < 4; i++) {
        const y = Math.min(height - 1, Math.floor(((ty + (i + 0.5) / 4) * height) / THUMB_HEIGHT))
        for (let j = 0; j < 4; j++) {
          const x = Math.min(width - 1, Math.floor(((tx + (j + 0.5) / 4) * width) / THUMB_WIDTH))
          const at = (y * width + x) * 3
          sum += 0.299 * rgb[at]! + 0.587 * rgb[at + 1]! + 0.114 * rgb[at + 2]!
        }
      }
      out[ty * THUMB_WIDTH + tx] = Math.round(sum / 16)
    }
  }
  return out
}

/** What one picture alone shows: `dark`, `blown_out`, `covered` (a flat field), `blurred`, or null. */
export function conditionOf(thumbnail: Uint8Array): Condition | null {
  const sorted = Uint8Array.from(thumbnail).sort()
  const at = (share: number) => sorted[Math.min(CELLS - 1, Math.floor(share * CELLS))]!
  if (at(0.5) < 20 && at(0.98) < 40) return 'dark'
  if (at(0.15) >= 250) return 'blown_out'
  const contrast = at(0.98) - at(0.02)
  if (contrast < 12) return 'covered'
  return sharpness(thumbnail) < 0.035 * contrast ? 'blurred' : null
}

/** The 99th percentile of the absolute Laplacian, in grey levels: small when nothing has an edge. */
function sharpness(thumbnail: Uint8Array): number {
  const edges: number[] = []
  for (let y = 1; y < THUMB_HEIGHT - 1; y++) {
    for (let x = 1; x < THUMB_WIDTH - 1; x++) {
      const i = y * THUMB_WIDTH + x
      const around =
        thumbnail[i - 1]! + thumbnail[i + 1]! + thumbnail[i - THUMB_WIDTH]! + thumbnail[i + THUMB_WIDTH]!
      edges.push(Math.abs(thumbnail[i]! - around / 4))
    }
  }
  edges.sort((a, b) => a - b)
  return edges[Math.floor(edges.length * 0.99)]!
}

/** Mean absolute difference of two thumbnails in grey levels. */
function difference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < CELLS; i++) sum += Math.abs(a[i]! - b[i]!)
  return sum / CELLS
}

/** Pearson correlation (-1..1) of `a` with `b` moved by (dx, dy) cells, over the part both have. */
function correlation(a: ArrayLike<number>, b: ArrayLike<number>, dx = 0, dy = 0): number {
  let n = 0
  let [sa, sb, saa, sbb, sab] = [0, 0, 0, 0, 0]
  for (let y = Math.max(0, dy); y < Math.min(THUMB_HEIGHT, THUMB_HEIGHT + dy); y++) {
    for (let x = Math.max(0, dx); x < Math.min(THUMB_WIDTH, THUMB_WIDTH + dx); x++) {
      const va = a[y * THUMB_WIDTH + x]!
      const vb = b[(y - dy) * THUMB_WIDTH + x - dx]!
      n++
      sa += va
      sb += vb
      saa += va * va
      sbb += vb * vb
      sab += va * vb
    }
  }
  const spread = Math.sqrt(Math.max(0, saa - (sa * sa) / n) * Math.max(0, sbb - (sb * sb) / n))
  return spread < 1 ? 0 : (sab - (sa * sb) / n) / spread
}

/** The reference is trusted after this many good pictures in which something moved. */
const SETTLED = 20
/** A picture that correlates less than this with the reference is strange. */
const FITS = 0.25
/** Strange pictures count on only while each correlates at least this much with the one before. */
const STAYS = 0.6
/** Strange pictures in a row before `moved` or `covered` is said. */
const STRANGE_RUN = 6
/** After this many strange pictures in a row the new view becomes the reference (about 5 minutes). */
const ADOPT_RUN = 30

/**
 * Judges a picture against what the camera showed before and returns the new history with the condition.
 * `same_picture`: byte-identical three times, or equal in look six times, over at least two intervals
 * (a live webcam's noise always differs). `moved`: 6 pictures in a row that do not fit the slow reference.
 * `covered`: as moved, but most of the reference's detail is gone (a hand, a cloth, the nozzle in front).
 * @param at epoch milliseconds of the picture
 * @param intervalMs the time between pictures that was agreed with the agent
 */
export function followPicture(
  history: PictureHistory | null,
  quality: Quality,
  at: number,
  intervalMs: number,
): { history: PictureHistory; condition: Condition | null } {
  const { thumbnail, hash } = quality
  if (!history) return { history: firstPicture(quality, at), condition: quality.condition }
  const bytesEqual = hash === history.hash
  const lookEqual = bytesEqual || difference(thumbnail, history.thumbnail) < 0.004
  const next: PictureHistory = {
    ...history,
    hash,
    thumbnail,
    sameBytes: bytesEqual ? history.sameBytes + 1 : 1,
    sameLook: lookEqual ? history.sameLook + 1 : 1,
    sameSince: lookEqual ? history.sameSince : at,
  }
  const longEnough = at - next.sameSince >= 2 * intervalMs
  if (longEnough && (next.sameBytes >= 3 || next.sameLook >= 6)) {
    return { history: next, condition: 'same_picture' }
  }
  if (quality.condition) return { history: next, condition: quality.condition }
  return compareWithReference(next, history.thumbnail)
}

function firstPicture(quality: Quality, at: number): PictureHistory {
  return {
    hash: quality.hash,
    thumbnail: quality.thumbnail,
    sameBytes: 1,
    sameLook: 1,
    sameSince: at,
    reference: Float32Array.from(quality.thumbnail),
    referenceFrames: quality.condition ? 0 : 1,
    strange: 0,
  }
}

function compareWithReference(
  next: PictureHistory,
  before: Uint8Array,
): { history: PictureHistory; condition: Condition | null } {
  const { thumbnail } = next
  const settled = next.referenceFrames >= SETTLED
  if (!settled || correlation(thumbnail, next.reference) > FITS) {
    // A bed that only heats up stands where it will not stand while printing: a still scene is no reference.
    const isStill = next.referenceFrames > 0 && correlation(thumbnail, before) > 0.995
    return { history: { ...next, ...(!isStill && learn(next, thumbnail)), strange: 0 }, condition: null }
  }
  // A camera that was knocked shows a new view that stays; a machine that moves a lot shows many.
  const strange = correlation(thumbnail, before) > STAYS ? next.strange + 1 : 1
  if (strange >= ADOPT_RUN) {
    const reference = Float32Array.from(thumbnail)
    return { history: { ...next, strange: 0, reference, referenceFrames: 1 }, condition: 'moved' }
  }
  const history = { ...next, strange }
  return { history, condition: strange >= STRANGE_RUN ? strangeKind(next.reference, thumbnail) : null }
}

function learn(history: PictureHistory, thumbnail: Uint8Array) {
  const share = 1 / Math.min(30, history.referenceFrames + 1)
  const reference = history.referenceFrames === 0 ? Float32Array.from(thumbnail) : history.reference.slice()
  for (let i = 0; i < CELLS; i++) reference[i]! += (thumbnail[i]! - reference[i]!) * share
  return { reference, referenceFrames: history.referenceFrames + 1 }
}

function strangeKind(reference: Float32Array, thumbnail: Uint8Array): Condition {
  for (let dy = -12; dy <= 12; dy += 2) {
    for (let dx = -16; dx <= 16; dx += 2) {
      if (correlation(thumbnail, reference, dx, dy) > 0.8) return 'moved'
    }
  }
  return detail(thumbnail) < 0.5 * detail(reference) ? 'covered' : 'moved'
}

function detail(picture: ArrayLike<number>): number {
  let sum = 0
  for (let i = 1; i < CELLS; i++) if (i % THUMB_WIDTH) sum += Math.abs(picture[i]! - picture[i - 1]!)
  return sum / CELLS
}
