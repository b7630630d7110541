import { z } from 'zod'
import { timestamp } from './values.ts'

/** Why a printer is or is not watched, in the new client's words (docs/rules/detection.md 2). */
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

/** A time in which a print was not watched, and why. */
export const unseen = z.object({ from: timestamp, to: timestamp, code: watchCode }).meta({ id: 'Unseen' })
export type Unseen = z.infer<typeof unseen>
