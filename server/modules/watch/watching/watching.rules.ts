/**
 * When a printer is watched, and why it is not (docs/rules/watch.md 2). Pure; all times are epoch milliseconds.
 * Watching is never claimed when it isn't so: old clients read a null reason as "watched", so every blind state has a
 * sentence after the four wire strings.
 */
import type { WatchCode } from '@vigil/contract/printers/printers.ts'
import type { Condition } from '../../../engines/inference/quality.ts'

/** The codes of `not_watching_code`, each with the English sentence of `not_watching_reason`. */
export const NOT_WATCHING = {
  disabled: 'AI failure detection is disabled',
  no_hours: 'You have run out of AI Detection Hours',
  not_printing: 'Printer is not actively printing',
  muted: 'Alerts are muted for current print',
  agent_lost: 'The connection to the printer is lost',
  no_picture: 'No webcam picture has arrived yet',
  picture_stale: 'The webcam picture is too old',
  picture_frozen: 'The webcam picture is frozen',
  picture_dark: 'The webcam picture is too dark',
  picture_bright: 'The webcam picture is overexposed',
  picture_blurred: 'The webcam picture is blurred',
  picture_damaged: 'The webcam picture is damaged',
  camera_covered: 'The nozzle or something else hides the print from the webcam',
  camera_moved: 'The webcam has been moved',
  detector_down: 'Failure detection is not available right now',
  agent_mute: 'The agent of the printer reports nothing',
  printer_lost: 'The printer is not connected to its agent',
  disk_full: 'The disk of the server is full',
  database_down: 'The database of the server does not answer',
  server_down: 'The server was not running',
} as const satisfies Record<WatchCode, string>

type NotWatchingCode = WatchCode

/** What is wrong with the picture, as the inference engine names it; `damaged` is one that can't be decoded whole. */
export type PictureCondition = Condition | 'damaged'

const CODE_OF_CONDITION = {
  dark: 'picture_dark',
  blown_out: 'picture_bright',
  blurred: 'picture_blurred',
  damaged: 'picture_damaged',
  same_picture: 'picture_frozen',
  moved: 'camera_moved',
  covered: 'camera_covered',
} as const satisfies Record<PictureCondition, NotWatchingCode>

const isKnown = (condition: string): condition is PictureCondition =>
  Object.hasOwn(CODE_OF_CONDITION, condition)

/** Of the server itself: without its database, or without room, it takes no pictures. */
export type ServerTrouble = 'database_down' | 'disk_full'

export interface WatchConditions {
  watchingEnabled: boolean
  /** Hours left; 0 still watches, below 0 does not. */
  detectionHours: number
  /** The printing flag of the printer's status; of one that is offline, what its print was heard of last. */
  printing: boolean
  muted: boolean
  /** Nothing was heard from the agent for longer than it may be silent. */
  agentLost: boolean
  /** The agent is there and says that its printer is gone, or does nothing, in the middle of a print. */
  printerLost: boolean
  /** Its socket is open, and nothing is reported on it. */
  agentMute: boolean
  /** What keeps the server itself from taking pictures. */
  serverTrouble: ServerTrouble | null
  now: number
  /** When the newest picture arrived. */
  pictureAt: number | null
  /** Agreed milliseconds between pictures. */
  pictureIntervalMs: number
  /** A {@link PictureCondition}, or a word of a later version that shares our `live`; null: nothing is wrong with it. */
  pictureCondition: string | null
  detectorReady: boolean
}

/** Why the printer is not being watched, first match wins; both null when it is (docs/rules/watch.md 2). */
export function notWatchingReason(conditions: WatchConditions): {
  reason: string | null
  code: NotWatchingCode | null
} {
  const code = notWatchingCode(conditions)
  return { code, reason: code && NOT_WATCHING[code] }
}

function notWatchingCode(c: WatchConditions): NotWatchingCode | null {
  if (!c.watchingEnabled) return 'disabled'
  if (c.detectionHours < 0) return 'no_hours'
  if (!c.printing) return 'not_printing'
  if (c.muted) return 'muted'
  return blindCode(c)
}

function blindCode(c: WatchConditions): NotWatchingCode | null {
  if (c.agentLost) return 'agent_lost'
  if (c.printerLost) return 'printer_lost'
  if (c.agentMute) return 'agent_mute'
  if (c.serverTrouble !== null) return c.serverTrouble
  if (c.pictureAt === null) return 'no_picture'
  // A picture of the future: the clock was set back, and nobody knows how old it is.
  if (Math.abs(c.now - c.pictureAt) > 2 * c.pictureIntervalMs) return 'picture_stale'
  const condition = c.pictureCondition
  if (condition !== null) return isKnown(condition) ? CODE_OF_CONDITION[condition] : 'detector_down'
  return c.detectorReady ? null : 'detector_down'
}

/** The `should_watch` of the wire: printing state is deliberately not part of it (docs/rules/watch.md 2). */
export function shouldWatch(conditions: {
  watchingEnabled: boolean
  detectionHours: number
  hasCurrentPrint: boolean
  muted: boolean
}): boolean {
  const { watchingEnabled, detectionHours, hasCurrentPrint, muted } = conditions
  return watchingEnabled && detectionHours >= 0 && hasCurrentPrint && !muted
}
