import type { Print } from '@vigil/contract/prints/prints.ts'

/** What an owner says of the detector: up, it was right; down, it was wrong. */
export type Thumb = 'up' | 'down'

/** What an owner says of the print (`alert_overwrite`). */
export type Verdict = NonNullable<Print['alert_overwrite']>

type Judged = Pick<Print, 'alerted_at' | 'alert_overwrite'>

/** What a thumb says of the print: the detector called it failed if it raised an alert, else it called it sound. */
export function verdictOf(thumb: Thumb, { alerted_at }: Pick<Judged, 'alerted_at'>): Verdict {
  const wasCalledFailed = alerted_at !== null
  return (thumb === 'up') === wasCalledFailed ? 'FAILED' : 'NOT_FAILED'
}

/** The thumb that was given; null while there is none. */
export function thumbOf({ alerted_at, alert_overwrite }: Judged): Thumb | null {
  if (alert_overwrite === null) return null
  return alert_overwrite === verdictOf('up', { alerted_at }) ? 'up' : 'down'
}
