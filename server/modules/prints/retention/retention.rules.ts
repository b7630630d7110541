import type { MediaRef } from '../../../engines/files/port.ts'
import type { PrintId, PrinterId } from '../../../lib/id.ts'

const place = (printId: PrintId, rest: string): MediaRef => ({
  container: 'tsd-timelapses',
  path: `private/${printId}${rest}`,
})

/** Where what is made of a print lies. */
export const placesOf = (printId: PrintId) => ({
  plain: place(printId, '.mp4'),
  tagged: place(printId, '_tagged.mp4'),
  poster: place(printId, '_poster.jpg'),
  predictions: place(printId, '_p.json'),
  scores: place(printId, '_scores.jsonl.gz'),
})

/** Folders of a print's frames, as they came and with boxes; those of an uploaded film have no printer. */
export const frameFoldersOf = (printerId: PrinterId | null, printId: PrintId): string[] =>
  ['raw', 'tagged'].map((folder) => `${folder}/${printerId ?? 'uploads'}/${printId}`)

/** The same time of day so many calendar months before; the last day of a month that is shorter. */
export function monthsBefore(date: Date, months: number): Date {
  return shifted(date, -months)
}

/** The same, after. */
export function monthsAfter(date: Date, months: number): Date {
  return shifted(date, months)
}

function shifted(date: Date, months: number): Date {
  const moved = new Date(date)
  moved.setUTCDate(1)
  moved.setUTCMonth(moved.getUTCMonth() + months)
  const last = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate()
  moved.setUTCDate(Math.min(date.getUTCDate(), last))
  return moved
}
