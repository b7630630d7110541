import type { Print } from '@vigil/contract/prints/prints.ts'
import type { Timelapse } from '@vigil/contract/prints/timelapse.ts'

/** Neither over nor uploaded: it is being printed. */
export const isRunning = (print: Print) => print.ended_at === null && print.uploaded_at === null

/** What stands in the place of the time-lapse. */
export type Lapse =
  | 'video'
  | 'frames'
  | 'loading'
  | 'running'
  | 'processing'
  | 'no_ffmpeg'
  | 'short'
  | 'empty'
  | 'failed'
  | 'archived'
  | 'deleted'

/** A video where there is one, else the pictures, else why there is neither (docs/rules/pages.md). */
export function lapseOf(print: Print, timelapse: Timelapse | undefined, frames: number): Lapse {
  if (print.video_url !== null || print.tagged_video_url !== null) return 'video'
  if (print.video_archived_at !== null) return 'archived'
  if (isRunning(print)) return 'running'
  if (timelapse === undefined) return 'loading'
  const { state } = timelapse
  if (state === 'archived' || state === 'deleted') return state
  if (frames > 1 && state !== 'short') return 'frames'
  if (state === 'short' || state === 'empty' || state === 'failed' || state === 'no_ffmpeg') return state
  return state === 'waiting' || state === 'working' ? 'processing' : 'empty'
}

/**
 * Why there is no score of any picture: nobody looked, or there is nothing left to look at. Of pictures that have gone
 * nobody can say whether they were looked at.
 */
export function unseenOf(
  state: Timelapse['state'] | undefined,
  pictures: number,
): 'notWatched' | 'gone' | 'unknown' {
  if (pictures > 0 || state === 'empty') return 'notWatched'
  return state === 'archived' || state === 'deleted' || state === 'short' ? 'gone' : 'unknown'
}
