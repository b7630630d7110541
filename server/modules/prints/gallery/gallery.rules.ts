import { z } from 'zod'
import type { MediaRef } from '../../../engines/files/port.ts'

/** How an offered time-lapse stands; `accepted`: its copies are being made. */
export type State = 'offered' | 'accepted' | 'public' | 'refused' | 'removed' | 'withdrawn'

export type Decision = 'accept' | 'refuse' | 'take_down'

/** What a decision leads from and to. */
export const STEPS: Readonly<Record<Decision, { from: readonly State[]; to: State }>> = {
  accept: { from: ['offered', 'accepted', 'refused', 'removed'], to: 'accepted' },
  refuse: { from: ['offered', 'accepted'], to: 'refused' },
  take_down: { from: ['public', 'accepted'], to: 'removed' },
}

/** So many offers of one owner wait for a decision; more would bury those of others. */
export const MOST_WAITING = 20

/** What a print has of films. */
interface Films {
  readonly video: MediaRef | null
  readonly taggedVideo: MediaRef | null
  readonly uploadedAt: Date | null
}

/**
 * The film that becomes public: the one with boxes, to which the scores belong, else the plain one. What was uploaded was
 * filmed by somebody else's camera: of that only what we made of it.
 */
export const filmOf = ({ video, taggedVideo, uploadedAt }: Films): MediaRef | null =>
  taggedVideo ?? (uploadedAt === null ? video : null)

const PLACES = 'public'

/** The folder of an entry's copies. */
export const folderOf = (key: string) => `${PLACES}/${key}`
export const ROOT = PLACES

/** The key of a file below {@link ROOT}. */
export const keyOf = (path: string): string | undefined => /^public\/([\w-]{22})\//.exec(path)?.[1]

const FILES = { 'video.mp4': 'video', 'poster.jpg': 'poster', 'p.json': 'scores' } as const
type File = keyof typeof FILES

/** Where a copy lies; null for any other name. */
export function copyOf(key: string | undefined, file: string | undefined): MediaRef | null {
  if (key === undefined || file === undefined) return null
  if (!/^[\w-]{22}$/.test(key) || !Object.hasOwn(FILES, file)) return null
  return copyAt(key, file as File)
}

export const copyAt = (key: string, file: File): MediaRef => ({
  container: 'tsd-timelapses',
  path: `${folderOf(key)}/${file}`,
})

/** An element of a print's prediction file is a list of one; what says nothing is `{}` (docs/wire/rest.md 5). */
const predictions = z.array(z.unknown())
const said = z.object({ fields: z.object({ normalized_p: z.number() }) })

/**
 * The scores for everybody, 0 to 1, one for each picture of the film: nothing else of the prediction file, which names
 * the printer. Where nothing is said the score before holds.
 */
export function flatScores(file: unknown): { p: number }[] {
  const elements = predictions.safeParse(file).data ?? []
  let p = 0
  return elements.map((element) => {
    const [one] = Array.isArray(element) ? element : [element]
    const known = said.safeParse(one).data
    if (known) p = Math.round(Math.min(1, Math.max(0, known.fields.normalized_p)) * 1000) / 1000
    return { p }
  })
}
