/**
 * What follows a decision, and what an answer changes (docs/rules/watch.md 5). Pure; all times are epoch
 * milliseconds.
 */
import type { PauseOutlook } from '@vigil/contract/printers/printers.ts'
import type { Decision } from '../temporal/decision.rules.ts'

/** Milliseconds between two alerts of a print, and after an acknowledgement before an automatic pause. */
const ALERT_COOLDOWN_MS = 90_000

/** The alert columns of a print (docs/rules/watch.md 5). */
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

/** What follows a decision of the temporal logic (docs/rules/watch.md 5): the pause branch, else the alert branch. */
export function react(print: AlertState | null, decision: Decision, context: ReactionContext): Reaction {
  if (decision.shouldPause) return pauseBranch(print, context)
  return decision.shouldAlert ? alertBranch(print, context) : nothing(print)
}

/** Warns once, unless not watched or suppressed (docs/rules/watch.md 5). */
function alertBranch(print: AlertState | null, context: ReactionContext): Reaction {
  if (!print || !context.shouldWatch || isSuppressed(print, context.now)) return nothing(print)
  const alert = { isWarning: true, printPaused: false }
  return { pause: false, alert, state: { ...print, alertedAt: context.now } }
}

/** Pauses once in a print, even with a warning unanswered; otherwise alerts unless suppressed (docs/rules/watch.md 5). */
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

/** Answers an alert; only if there is one (docs/rules/watch.md 5). */
export function acknowledge(print: AlertState, now: number): AlertState {
  return print.alertedAt === null ? print : { ...print, acknowledgedAt: now }
}

/** Mutes or unmutes the print's alerts; for this print only (docs/rules/watch.md 5). */
export function mute(print: AlertState, muted: boolean, now: number): AlertState {
  return { ...print, mutedAt: muted ? now : null }
}
