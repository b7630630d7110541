/**
 * Judges the picture before what is on it: dark, blown out, blurred, covered, frozen, moved (docs/detector.md).
 * Pure functions over a 64x48 grey thumbnail. Thresholds are conservative: a name given here means that the
 * printer is not being watched, so an ordinary night-time webcam must pass, and a name that has been given stays
 * until the picture is clearly better. Infrared is not blind.
 */
import {
  CELLS,
  compareViews,
  correlation,
  difference,
  learnView,
  LOST,
  THUMB_HEIGHT,
  THUMB_WIDTH,
  type View,
  whyStrange,
} from './view.ts'

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
  /** How sharp the picture is at full size, see {@link sharpnessOf}. */
  sharpness?: number
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
  /** What its good pictures show, and how many they were. */
  view: View
  referenceFrames: number
  /** How well good pictures fit the reference, and how sharp they are: slow means. */
  usualFit: number
  usualSharpness: number | null
  /** Pictures in a row that do not fit the reference; and that are much less sharp than usual. */
  strange: number
  soft: number
  /** Mean change from picture to picture while they do not fit, grey levels: a cloth lies still. */
  stir: number
  /** What was said of the last picture. */
  said: Condition | null
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

/**
 * What one picture alone shows: `dark`, `blown_out`, `covered` (a flat field), `blurred`, or null. What was said of
 * the picture before (`said`) holds until it is clearly over, so that no name comes and goes with the noise.
 */
export function conditionOf(thumbnail: Uint8Array, said: Condition | null = null): Condition | null {
  const sorted = Uint8Array.from(thumbnail).sort()
  const at = (share: number) => sorted[Math.min(CELLS - 1, Math.floor(share * CELLS))]!
  const more = (condition: Condition) => (said === condition ? 1.3 : 1)
  const dark = more('dark')
  if (at(0.5) < 20 * dark && at(0.98) < 40 * dark) return 'dark'
  // A lamp or a display in an otherwise black picture shows nothing of the print.
  if (at(0.5) < 8 * dark && at(0.95) < 16 * dark) return 'dark'
  if (at(0.15) >= (said === 'blown_out' ? 244 : 250)) return 'blown_out'
  const contrast = at(0.98) - at(0.02)
  if (contrast < 12 * more('covered')) return 'covered'
  return edgeOf(thumbnail) < 0.035 * contrast * more('blurred') ? 'blurred' : null
}

/** The 99th percentile of the absolute Laplacian, in grey levels: small when nothing has an edge. */
function edgeOf(thumbnail: Uint8Array): number {
  const edges = new Float32Array((THUMB_WIDTH - 2) * (THUMB_HEIGHT - 2))
  let n = 0
  for (let y = 1; y < THUMB_HEIGHT - 1; y++) {
    for (let i = y * THUMB_WIDTH + 1; i < (y + 1) * THUMB_WIDTH - 1; i++) {
      const around =
        thumbnail[i - 1]! + thumbnail[i + 1]! + thumbnail[i - THUMB_WIDTH]! + thumbnail[i + THUMB_WIDTH]!
      edges[n++] = Math.abs(thumbnail[i]! - around / 4)
    }
  }
  return edges.sort()[Math.floor(edges.length * 0.99)]!
}

/** So many points of a picture are enough to tell how sharp it is. */
const SHARPNESS_POINTS = 25_000

/**
 * How sharp a picture is: the mean of the strongest edges (1 in 50) of its halved grey version, over its contrast.
 * It halves when the lens is out of focus by some pixels, which a thumbnail cannot show. Interleaved RGB bytes.
 */
export function sharpnessOf(rgb: Uint8Array, width: number, height: number): number {
  const [w, h] = [width >> 1, height >> 1]
  const [changes, levels] = [new Uint32Array(256), new Uint32Array(256)]
  const halved = (y: number) => {
    const row = new Uint8Array(w)
    // Green carries most of what is grey.
    for (let x = 0, i = 6 * y * width + 1; x < w; x++, i += 6) {
      row[x] = (rgb[i]! + rgb[i + 3]! + rgb[i + 3 * width]! + rgb[i + 3 * width + 3]!) >> 2
    }
    return row
  }
  const step = Math.max(2, Math.ceil((w * h) / SHARPNESS_POINTS))
  for (let y = 0; y + 1 < h; y += step) {
    const [above, row] = [halved(y), halved(y + 1)]
    for (let x = 1; x < w; x++) {
      const level = row[x]!
      levels[level]!++
      changes[Math.max(Math.abs(level - row[x - 1]!), Math.abs(level - above[x]!))]!++
    }
  }
  const contrast = quantile(levels, 0.98) - quantile(levels, 0.02)
  return topMean(changes, 0.02) / Math.max(12, contrast)
}

function quantile(counts: Uint32Array, share: number): number {
  let left = share * counts.reduce((sum, count) => sum + count, 0)
  for (let value = 0; value < counts.length; value++) {
    left -= counts[value]!
    if (left <= 0) return value
  }
  return counts.length - 1
}

function topMean(counts: Uint32Array, share: number): number {
  const wanted = Math.max(1, share * counts.reduce((sum, count) => sum + count, 0))
  let [taken, sum] = [0, 0]
  for (let value = counts.length - 1; value >= 0 && taken < wanted; value--) {
    const count = Math.min(counts[value]!, wanted - taken)
    taken += count
    sum += count * value
  }
  return sum / wanted
}

/** The reference is trusted after this many good pictures in which something moved. */
const SETTLED = 20
/** A picture that fits the reference less than this share of the usual is strange, until it fits by the second. */
const FITS = [0.5, 0.7] as const
/** Strange pictures count on only while each resembles the one before: a machine that moves a lot shows many. */
const STAYS = 0.4
/** Where so little of the usual fit is left, bed and head may move as they like: the camera stands elsewhere. */
const ELSEWHERE = 0.3
/** Strange pictures in a row before `moved` or `covered` is said, and soft ones before `blurred` is. */
const STRANGE_RUN = 6
/** After this many strange pictures in a row the new view becomes the reference (about 5 minutes). */
const ADOPT_RUN = 30
/** A covered camera is believed to show a new view only if so many grey levels change from picture to picture. */
const LIVELY = 1.5
/** A picture with less than this share of its camera's usual sharpness is soft, until it has more than the second. */
const SOFT = [0.5, 0.65] as const

type Followed = { history: PictureHistory; condition: Condition | null }

/**
 * Judges a picture against what the camera showed before and returns the new history with the condition.
 * `same_picture`: byte-identical three times, or equal in look six times, over at least two intervals
 * (a live webcam's noise always differs). `moved`: 6 pictures in a row whose edges are elsewhere. `covered`: as many
 * in which most of the edges are gone (a cloth, the nozzle in front); a head that parks for a picture is none.
 * `blurred`: as many much less sharp than this camera's own. A change of light is none of these.
 * @param at epoch milliseconds of the picture
 * @param intervalMs the time between pictures that was agreed with the agent
 */
export function followPicture(
  history: PictureHistory | null,
  quality: Quality,
  at: number,
  intervalMs: number,
): Followed {
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
  if (longEnough && (next.sameBytes >= 3 || next.sameLook >= 6)) return saying(next, 'same_picture')
  const alone = quality.condition ?? (history.said && conditionOf(thumbnail, history.said))
  if (alone) return saying(next, alone)
  const soft = isSoft(next, quality.sharpness) ? next.soft + 1 : 0
  if (soft >= STRANGE_RUN) return saying({ ...next, soft }, 'blurred')
  return compareWithReference({ ...next, soft }, quality, history.thumbnail)
}

const saying = (history: PictureHistory, condition: Condition | null): Followed => ({
  history: { ...history, said: condition },
  condition,
})

function isSoft({ usualSharpness, said, referenceFrames }: PictureHistory, sharpness?: number): boolean {
  if (sharpness === undefined || usualSharpness === null || referenceFrames < SETTLED) return false
  return sharpness < usualSharpness * SOFT[said === 'blurred' ? 1 : 0]
}

function firstPicture(quality: Quality, at: number): PictureHistory {
  return {
    hash: quality.hash,
    thumbnail: quality.thumbnail,
    sameBytes: 1,
    sameLook: 1,
    sameSince: at,
    ...newReference(quality),
    referenceFrames: quality.condition ? 0 : 1,
    said: quality.condition,
  }
}

/** The view of a picture as the new reference. */
const newReference = ({ thumbnail, sharpness }: Pick<Quality, 'thumbnail' | 'sharpness'>) => ({
  view: { reference: Float32Array.from(thumbnail), stability: new Float32Array(CELLS) },
  referenceFrames: 1,
  usualFit: 0.5,
  usualSharpness: sharpness ?? null,
  strange: 0,
  soft: 0,
  stir: 0,
})

function compareWithReference(next: PictureHistory, quality: Quality, before: Uint8Array): Followed {
  const { thumbnail } = next
  const { fit, lost } = compareViews(thumbnail, next.view)
  const isStanding = next.said === 'moved' || next.said === 'covered'
  const isStrange = fit < FITS[isStanding ? 1 : 0] * next.usualFit || lost > LOST
  if (next.referenceFrames < SETTLED || !isStrange) {
    // A bed that only heats up stands where it will not stand while printing: a still scene is no reference.
    const isStill = next.referenceFrames > 0 && correlation(thumbnail, before) > 0.995
    const learnt = isStill || next.soft > 0 ? {} : learn(next, quality, fit)
    return saying({ ...next, ...learnt, strange: 0, stir: 0 }, null)
  }
  // A camera that was knocked shows a new view that stays.
  const isElsewhere = fit < ELSEWHERE * next.usualFit
  const goesOn = isStanding || isElsewhere || correlation(thumbnail, before) > STAYS
  const strange = goesOn ? next.strange + 1 : 1
  const stir = strange === 1 ? 0 : next.stir + (difference(thumbnail, before) - next.stir) / strange
  const history = { ...next, strange, stir }
  if (strange < STRANGE_RUN) return saying(history, null)
  const found = whyStrange(thumbnail, next.view)
  const why = found === 'lit' && next.said === 'moved' ? 'moved' : found
  if (why === 'lit') return saying({ ...history, ...newReference(quality) }, null)
  const isAdopted = strange >= ADOPT_RUN && (why === 'moved' || stir > LIVELY)
  return saying(isAdopted ? { ...history, ...newReference(quality) } : history, why)
}

function learn(history: PictureHistory, quality: Quality, fit: number) {
  const { thumbnail, sharpness } = quality
  if (history.referenceFrames === 0) return newReference(quality)
  const share = 1 / Math.min(30, history.referenceFrames + 1)
  const usual = history.usualSharpness ?? sharpness ?? null
  return {
    view: learnView(history.view, thumbnail, share),
    referenceFrames: history.referenceFrames + 1,
    usualFit: history.usualFit + (fit - history.usualFit) * share,
    usualSharpness: usual === null ? null : usual + ((sharpness ?? usual) - usual) * share,
  }
}
