/** Reading the outputs of the Obico-shaped contract (docs/detector.md): confidences, boxes, suppression. Pure. */
import { isInside } from './heat.ts'
import type { Box, Polygon } from './port.ts'

/** Boxes at or below this confidence are nothing (strict). */
const OBICO_THRESHOLD = 0.08
/** A box that overlaps a stronger one by more than this is dropped. */
const OBICO_NMS = 0.45

/**
 * Boxes of the raw outputs, strongest first, in pixels of the picture.
 * @param corners N x (x1, y1, x2, y2), relative to the picture
 * @param confidences N confidences
 *
 * The reference multiplies heights by the picture's width; this uses the height (docs/detector.md).
 */
export function obicoBoxes(
  corners: ArrayLike<number>,
  confidences: ArrayLike<number>,
  picture: { width: number; height: number },
  ignore: readonly Polygon[] = [],
): Box[] {
  const kept: { corner: readonly number[]; score: number }[] = []
  for (const candidate of candidates(corners, confidences)) {
    const [x1, y1, x2, y2] = candidate.corner as [number, number, number, number]
    if (ignore.some((polygon) => isInside(polygon, (x1 + x2) / 2, (y1 + y2) / 2))) continue
    if (kept.every((other) => overlap(other.corner, candidate.corner) <= OBICO_NMS)) kept.push(candidate)
  }
  return kept.map(({ corner, score }) => {
    const [x1, y1, x2, y2] = corner as [number, number, number, number]
    const { width, height } = picture
    return { x: x1 * width, y: y1 * height, w: (x2 - x1) * width, h: (y2 - y1) * height, score }
  })
}

function candidates(corners: ArrayLike<number>, confidences: ArrayLike<number>) {
  const found: { corner: readonly number[]; score: number }[] = []
  for (let i = 0; i < confidences.length; i++) {
    const score = confidences[i]!
    if (!(score > OBICO_THRESHOLD)) continue
    found.push({ score, corner: [0, 1, 2, 3].map((c) => corners[4 * i + c]!) })
  }
  return found.sort((a, b) => b.score - a.score)
}

/** Intersection over union of two (x1, y1, x2, y2). */
function overlap(a: readonly number[], b: readonly number[]): number {
  const w = Math.max(0, Math.min(a[2]!, b[2]!) - Math.max(a[0]!, b[0]!))
  const h = Math.max(0, Math.min(a[3]!, b[3]!) - Math.max(a[1]!, b[1]!))
  const area = (box: readonly number[]) => (box[2]! - box[0]!) * (box[3]! - box[1]!)
  const union = area(a) + area(b) - w * h
  return union > 0 ? (w * h) / union : 0
}
