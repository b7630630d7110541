import type { LayerGrade } from '@vigil/contract/watch/first-layer.ts'

/** A grade from this score on (docs/wire/rest.md 5.3). */
const GRADES: readonly (readonly [number, LayerGrade])[] = [
  [80, 'A'],
  [60, 'B'],
  [40, 'C'],
  [20, 'D'],
]

/** The letter of a score of 0..100. */
export const gradeOf = (score: number): LayerGrade => GRADES.find(([from]) => score >= from)?.[1] ?? 'F'

/** The first pictures of a layer are kept up to five a second; each further so many only half as often. */
const SHORTEST_GAP_MS = 200
const PICTURES_A_STEP = 300

/** How long after the one before a picture is kept, when `kept` are: a layer of hours stays within bounds. */
export const gapAfter = (kept: number): number =>
  SHORTEST_GAP_MS * 2 ** Math.min(16, Math.floor(kept / PICTURES_A_STEP))

/** The worst part of a layer's pictures that counts as much as all of them nearly do. */
const WORST_PART = 0.2
const WORST_SHARE = 0.4
/** Fewer pictures of a nozzle camera among all tell nothing about the layer. */
const LEAST_USABLE = 0.2

/**
 * The layer's score from those of its pictures (null: of no nozzle camera): 0.6 of the mean and 0.4 of the mean
 * of the worst fifth, since a layer is as good as where it is bad. Null when there is too little to go by.
 */
export function layerScore(scores: readonly (number | null)[]): number | null {
  const usable = scores.filter((score) => score !== null).toSorted((a, b) => a - b)
  if (usable.length === 0 || usable.length < LEAST_USABLE * scores.length) return null
  const worst = usable.slice(0, Math.max(1, Math.round(usable.length * WORST_PART)))
  const score = (1 - WORST_SHARE) * meanOf(usable) + WORST_SHARE * meanOf(worst)
  return Math.round(score * 10) / 10
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** How many pictures an owner is shown, and how many of them are the worst ones. */
const SHOWN = 24
const SHOWN_WORST = 8

/**
 * The places of the pictures to show, in order: the worst, and the rest spread evenly over the layer. Pictures of
 * no nozzle camera only fill up what the others leave.
 */
export function choosePictures(scores: readonly (number | null)[], most = SHOWN): number[] {
  const places = scores.map((_, place) => place)
  const scored = scores.flatMap((score, place) => (score === null ? [] : [{ score, place }]))
  const worst = scored
    .toSorted((a, b) => a.score - b.score)
    .map(({ place }) => place)
    .slice(0, Math.min(SHOWN_WORST, most))
  const chosen = new Set(worst)
  for (const kind of [scored.map(({ place }) => place), places]) {
    const rest = kind.filter((place) => !chosen.has(place))
    for (const place of spread(rest, most - chosen.size)) chosen.add(place)
  }
  return [...chosen].toSorted((a, b) => a - b)
}

/** Longest film in seconds, and how many pictures a second it shows. */
const FILM_S = 60
const SLOWEST = 8
const FASTEST = 30

/** The pictures that a film is made of: all, or as many as a minute shows, evenly spread. */
export const filmPictures = <T>(pictures: readonly T[]): T[] => spread(pictures, FILM_S * FASTEST)

/** Pictures of a second: so many that the film is no longer than a minute. */
export const picturesPerSecond = (pictures: number): number => Math.max(SLOWEST, Math.ceil(pictures / FILM_S))

const even = (pixels: number) => pixels + (pixels % 2)

/** A picture's size as a film can have it, in pixels. */
export const evenSize = ({ width, height }: { width: number; height: number }) => ({
  width: even(width),
  height: even(height),
})

/** Up to `count` items at even distances, the first and the last among them. */
function spread<T>(items: readonly T[], count: number): T[] {
  if (count <= 0) return []
  if (items.length <= count) return [...items]
  if (count === 1) return items.slice(0, 1)
  return Array.from({ length: count }, (_, i) => items[Math.round((i * (items.length - 1)) / (count - 1))]!)
}
