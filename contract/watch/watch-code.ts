import { z } from 'zod'
import { timestamp } from '../values.ts'

/** Why a printer is or is not watched, in the new client's words (docs/rules/watch.md 2). */
export const watchCode = z.enum([
  'disabled',
  'no_hours',
  'not_printing',
  'muted',
  'no_picture',
  'picture_stale',
  'picture_frozen',
  'picture_dark',
  'picture_bright',
  'picture_blurred',
  'picture_damaged',
  'camera_covered',
  'camera_moved',
  'detector_down',
  'agent_lost',
  'agent_mute',
  'printer_lost',
  'disk_full',
  'database_down',
  'server_down',
])
export type WatchCode = z.infer<typeof watchCode>

/** Of the time printed, in seconds, how much was watched, and why the rest was not, the reason of most of it first. */
export const watchedShare = z
  .object({ seconds: z.number(), of: z.number(), unseen: z.array(watchCode) })
  .meta({ id: 'WatchedShare' })
export type WatchedShare = z.infer<typeof watchedShare>

/** So much may be missed between two looks, of a print of five minutes and more: the rest is the whole. */
const WHOLE_BUT_S = 30
const WHOLE_BUT_SHARE = 0.1
/** Two clocks count: the printer's and ours. So much they may differ by where nothing kept us from looking. */
const CLOCKS_SHARE = 0.02

/** How much of a print that is over was watched (docs/rules/watch.md 2). */
export function howMuch({
  seconds,
  of,
  unseen: reasons,
}: {
  readonly seconds: number
  readonly of: number
  readonly unseen: readonly string[]
}): 'all' | 'part' | 'none' {
  if (seconds <= 0) return 'none'
  const clocks = reasons.length === 0 ? of * CLOCKS_SHARE : 0
  return of - seconds <= Math.max(clocks, Math.min(WHOLE_BUT_S, of * WHOLE_BUT_SHARE)) ? 'all' : 'part'
}

/** A time in which a print was not watched, and why. */
export const unseen = z.object({ from: timestamp, to: timestamp, code: watchCode }).meta({ id: 'Unseen' })
export type Unseen = z.infer<typeof unseen>
