/**
 * When a printer is watched, why it is not, and what follows a decision (docs/rules/detection.md 2, 5). Pure; all
 * times are epoch milliseconds. Watching is never claimed when it isn't so: old clients read a null reason as
 * "watched", so every blind state has a sentence after the four wire strings.
 */
import type { PauseOutlook, WatchCode } from '@vigil/contract/printers.ts'
import type { Condition } from '../../../engines/inference/quality.ts'

/** Milliseconds between two alerts of a print, and after an acknowledgement before an automatic pause. */
const ALERT_COOLDOWN_MS = 90_000

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
} as const satisfies Record<WatchCode, string>

type NotWatchingCode = WatchCode

/** What is wrong with the picture, as the inference engine names it; `damaged` is one that can't be decoded whole. */
export type PictureCondition = Condition | 'damaged'

const CODE_OF_CONDITION: Record<PictureCondition, NotWatchingCode> = {
  dark: 'picture_dark',
  blown_out: 'picture_bright',
  blurred: 'picture_blurred',
  damaged: 'picture_damaged',
  same_picture: 'picture_frozen',
  moved: 'camera_moved',
  covered: 'camera_covered',
}

export interface WatchConditions {
  watchingEnabled: boolean
  /** Hours left; 0 still watches, below 0 does not. */
  detectionHours: number
  /** The printing flag of the printer's status; false when offline. */
  printing: boolean
  muted: boolean
  /** Nothing was heard from the agent for longer than it may be silent. */
  agentLost: boolean
  now: number
  /** When the newest picture arrived. */
  pictureAt: number | null
  /** Agreed milliseconds between pictures. */
  pictureIntervalMs: number
  pictureCondition: PictureCondition | null
  detectorReady: boolean
}

/** Why the printer is not being watched, first match wins; both null when it is (docs/rules/detection.md 2). */
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
  if (c.pictureAt === null) return 'no_picture'
  // A picture of the future: the clock was set back, and nobody knows how old it is.
  if (Math.abs(c.now - c.pictureAt) > 2 * c.pictureIntervalMs) return 'picture_stale'
  if (c.pictureCondition) return CODE_OF_CONDITION[c.pictureCondition]
  return c.detectorReady ? null : 'detector_down'
}

/** The `should_watch` of the wire: printing state is deliberately not part of it (docs/rules/detection.md 2). */
export function shouldWatch(conditions: {
  watchingEnabled: boolean
  detectionHours: number
  hasCurrentPrint: boolean
  muted: boolean
}): boolean {
  const { watchingEnabled, detectionHours, hasCurrentPrint, muted } = conditions
  return watchingEnabled && detectionHours >= 0 && hasCurrentPrint && !muted
}

/** The alert columns of a print (docs/rules/detection.md 5). */
export interface AlertState {
  alertedAt: number | null
  acknowledgedAt: number | null
  /** Set only by an automatic pause, never cleared: at most one in a print. */
  pausedAt: number | null
  mutedAt: number | null
}

/** A print about which nothing was said yet. */
export const CALM: AlertState = { alertedAt: null, acknowledgedAt: null, pausedAt: null, mutedAt: null }

/** Whether an alert is unanswered: the UI's "unacknowledged". */
export function isUnacknowledged(print: AlertState): boolean {
  return print.alertedAt !== null && print.alertedAt > (print.acknowledgedAt ?? 0)
}

/** Whether a further alert is held back: none current, alerted less than 90 s ago, or still unanswered. */
export function isSuppressed(print: AlertState | null, now: number): boolean {
  if (!print) return true
  if (print.alertedAt !== null && now - print.alertedAt < ALERT_COOLDOWN_MS) return true
  return isUnacknowledged(print)
}

/** What the temporal logic says of a frame; never both. */
export interface Decision {
  shouldAlert: boolean
  shouldPause: boolean
}

/** What to do, and the print's state once it has been done. */
interface Reaction {
  /** Send `pause` to the agent; `pausedAt` holds only if it was written to a live socket (docs/rules/prints.md 4). */
  pause: boolean
  /** The failure alert to send, if any. */
  alert: { isWarning: boolean; printPaused: boolean } | null
  state: AlertState | null
}

interface ReactionContext {
  now: number
  shouldWatch: boolean
  /** `action_on_failure` is PAUSE. */
  pauseOnFailure: boolean
}

const nothing = (state: AlertState | null): Reaction => ({ pause: false, alert: null, state })

/** What follows a decision of the temporal logic (docs/rules/detection.md 5): the pause branch, else the alert branch. */
export function react(print: AlertState | null, decision: Decision, context: ReactionContext): Reaction {
  if (decision.shouldPause) return pauseBranch(print, context)
  return decision.shouldAlert ? alertBranch(print, context) : nothing(print)
}

/** Warns once, unless not watched or suppressed (docs/rules/detection.md 5). */
function alertBranch(print: AlertState | null, context: ReactionContext): Reaction {
  if (!print || !context.shouldWatch || isSuppressed(print, context.now)) return nothing(print)
  const alert = { isWarning: true, printPaused: false }
  return { pause: false, alert, state: { ...print, alertedAt: context.now } }
}

/** Pauses once in a print, even with a warning unanswered; otherwise alerts unless suppressed (docs/rules/detection.md 5). */
function pauseBranch(print: AlertState | null, context: ReactionContext): Reaction {
  const { now } = context
  if (!print || !context.shouldWatch) return nothing(print)
  const pause = context.pauseOnFailure && print.pausedAt === null
  if (pause && print.acknowledgedAt !== null && now - print.acknowledgedAt < ALERT_COOLDOWN_MS) {
    return nothing(print)
  }
  if (!pause && isSuppressed(print, now)) return nothing(print)
  const state = { ...print, alertedAt: now, pausedAt: pause ? now : print.pausedAt }
  return { pause, alert: { isWarning: false, printPaused: pause }, state }
}

/**
 * What follows when `pause` could not be written to a live socket: `pausedAt` stays empty, so the next frame
 * decides again (docs/rules/prints.md 4), and the owner is told that the print is failing and not paused.
 * @param print the state before the pause branch
 */
export function pauseNotSent(print: AlertState, now: number): Reaction {
  if (isSuppressed(print, now)) return nothing(print)
  return {
    pause: false,
    alert: { isWarning: false, printPaused: false },
    state: { ...print, alertedAt: now },
  }
}

/**
 * What the pause branch will do about a print whose alert nobody answers, and from when on.
 * @param graceUntil until when a resume keeps the temporal logic from pausing
 */
export function pauseOutlook(
  print: AlertState,
  { now, shouldWatch, pauseOnFailure }: ReactionContext,
  graceUntil: number | null,
): { pause: PauseOutlook; from: number | null } {
  if (print.pausedAt !== null)
    return { pause: print.pausedAt > (print.acknowledgedAt ?? 0) ? 'sent' : 'spent', from: null }
  if (!shouldWatch || !pauseOnFailure) return { pause: 'off', from: null }
  const cooled = print.acknowledgedAt === null ? 0 : print.acknowledgedAt + ALERT_COOLDOWN_MS
  const from = Math.max(cooled, graceUntil ?? 0)
  return { pause: 'when_failing', from: from > now ? from : null }
}

/** Answers an alert; only if there is one (docs/rules/detection.md 5). */
export function acknowledge(print: AlertState, now: number): AlertState {
  return print.alertedAt === null ? print : { ...print, acknowledgedAt: now }
}

/** Mutes or unmutes the print's alerts; for this print only (docs/rules/detection.md 5). */
export function mute(print: AlertState, muted: boolean, now: number): AlertState {
  return { ...print, mutedAt: muted ? now : null }
}
