import { describe, expect, it } from 'vitest'
import {
  acknowledge,
  type AlertState,
  CALM,
  isSuppressed,
  isUnacknowledged,
  mute,
  notWatchingReason,
  pauseNotSent,
  pauseOutlook,
  react,
  shouldWatch,
  type WatchConditions,
} from './alert.rules.ts'

const now = 1_700_000_000_000
const watched: WatchConditions = {
  watchingEnabled: true,
  detectionHours: 0,
  printing: true,
  muted: false,
  agentLost: false,
  now,
  pictureAt: now - 20_000,
  pictureIntervalMs: 10_000,
  pictureCondition: null,
  detectorReady: true,
}

describe('why a printer is not watched', () => {
  it('is null only when everything sees', () => {
    expect(notWatchingReason(watched)).toEqual({ reason: null, code: null })
  })
  const blind: Partial<WatchConditions> = {
    agentLost: true,
    pictureAt: null,
    pictureCondition: 'dark',
    detectorReady: false,
  }
  it.each<[Partial<WatchConditions>, string, string]>([
    [{ ...blind, watchingEnabled: false, printing: false }, 'disabled', 'AI failure detection is disabled'],
    [{ ...blind, detectionHours: -0.1, muted: true }, 'no_hours', 'You have run out of AI Detection Hours'],
    [{ ...blind, printing: false, muted: true }, 'not_printing', 'Printer is not actively printing'],
    [{ ...blind, muted: true }, 'muted', 'Alerts are muted for current print'],
    [blind, 'agent_lost', 'The connection to the printer is lost'],
    [{ ...blind, agentLost: false }, 'no_picture', 'No webcam picture has arrived yet'],
    [{ pictureAt: now - 20_001 }, 'picture_stale', 'The webcam picture is too old'],
    [{ pictureCondition: 'same_picture' }, 'picture_frozen', 'The webcam picture is frozen'],
    [{ pictureCondition: 'dark', detectorReady: false }, 'picture_dark', 'The webcam picture is too dark'],
    [{ pictureCondition: 'blown_out' }, 'picture_bright', 'The webcam picture is overexposed'],
    [{ pictureCondition: 'blurred' }, 'picture_blurred', 'The webcam picture is blurred'],
    [{ pictureCondition: 'damaged' }, 'picture_damaged', 'The webcam picture is damaged'],
    [
      { pictureCondition: 'covered' },
      'camera_covered',
      'The nozzle or something else hides the print from the webcam',
    ],
    [{ pictureCondition: 'moved' }, 'camera_moved', 'The webcam has been moved'],
    [{ detectorReady: false }, 'detector_down', 'Failure detection is not available right now'],
  ])('%o is %s', (change, code, reason) => {
    expect(notWatchingReason({ ...watched, ...change })).toEqual({ code, reason })
  })
})

describe('should_watch', () => {
  const all = { watchingEnabled: true, detectionHours: 0, hasCurrentPrint: true, muted: false }
  it('needs all but printing', () => {
    expect(shouldWatch(all)).toBe(true)
    expect(shouldWatch({ ...all, watchingEnabled: false })).toBe(false)
    expect(shouldWatch({ ...all, detectionHours: -1 })).toBe(false)
    expect(shouldWatch({ ...all, hasCurrentPrint: false })).toBe(false)
    expect(shouldWatch({ ...all, muted: true })).toBe(false)
  })
})

const warn = { shouldAlert: true, shouldPause: false }
const pause = { shouldAlert: false, shouldPause: true }
const context = { now, shouldWatch: true, pauseOnFailure: true }
const warnedAt = (ago: number, answeredAgo?: number): AlertState => ({
  ...CALM,
  alertedAt: now - ago,
  acknowledgedAt: answeredAgo === undefined ? null : now - answeredAgo,
})

describe('the alert branch', () => {
  it('warns once', () => {
    const first = react(CALM, warn, context)
    expect(first).toEqual({
      pause: false,
      alert: { isWarning: true, printPaused: false },
      state: { ...CALM, alertedAt: now },
    })
    expect(react(first.state, warn, { ...context, now: now + 600_000 }).alert).toBeNull()
  })
  it('warns again when the last one was answered and is 90 s old', () => {
    expect(react(warnedAt(89_999, 10), warn, context).alert).toBeNull()
    expect(react(warnedAt(90_000, 10), warn, context).alert).not.toBeNull()
  })
  it('is silent when not watching, without a print, or without a decision', () => {
    expect(react(CALM, warn, { ...context, shouldWatch: false }).alert).toBeNull()
    expect(react(null, warn, context)).toEqual({ pause: false, alert: null, state: null })
    expect(react(CALM, { shouldAlert: false, shouldPause: false }, context).alert).toBeNull()
  })
})

describe('the pause branch', () => {
  it('pauses once, even with a warning unanswered', () => {
    const first = react(warnedAt(5_000), pause, context)
    expect(first.pause).toBe(true)
    expect(first.alert).toEqual({ isWarning: false, printPaused: true })
    expect(first.state).toMatchObject({ alertedAt: now, pausedAt: now })
    const later = acknowledge(first.state!, now + 1)
    const again = react(later, pause, { ...context, now: now + 200_000 })
    expect(again.pause).toBe(false)
    expect(again.alert).toEqual({ isWarning: false, printPaused: false })
    expect(again.state!.pausedAt).toBe(now)
  })
  it('waits 90 s after an acknowledgement', () => {
    expect(react(warnedAt(500_000, 89_999), pause, context)).toMatchObject({ pause: false, alert: null })
    expect(react(warnedAt(500_000, 90_000), pause, context).pause).toBe(true)
  })
  it('only tells when the owner wants no pause, and then obeys suppression', () => {
    const tell = { ...context, pauseOnFailure: false }
    expect(react(CALM, pause, tell)).toMatchObject({ pause: false, alert: { printPaused: false } })
    expect(react(warnedAt(500_000), pause, tell).alert).toBeNull()
  })
  it('does nothing when not watching', () => {
    expect(react(CALM, pause, { ...context, shouldWatch: false }).pause).toBe(false)
  })
  it('that was not sent leaves the print to be paused at the next frame, and tells the owner once', () => {
    const unsent = pauseNotSent(CALM, now)
    expect(unsent).toMatchObject({
      alert: { isWarning: false, printPaused: false },
      state: { pausedAt: null },
    })
    expect(pauseNotSent(unsent.state!, now + 10_000).alert).toBeNull()
    expect(react(unsent.state, pause, { ...context, now: now + 10_000 }).pause).toBe(true)
  })
})

describe('what becomes of a print whose alert nobody answers', () => {
  const alerted: AlertState = { ...CALM, alertedAt: now }
  const context = { now, shouldWatch: true, pauseOnFailure: true }
  const earlier = now - 60_000
  it.each<[string, AlertState, Partial<typeof context>, number | null, string, number | null]>([
    ['is paused when it is surely failing', alerted, {}, null, 'when_failing', null],
    [
      'not while its owner just answered',
      { ...alerted, acknowledgedAt: earlier },
      {},
      null,
      'when_failing',
      now + 30_000,
    ],
    ['not right after a resume', alerted, {}, now + 5, 'when_failing', now + 5],
    ['a grace that is over counts nothing', alerted, {}, now - 5, 'when_failing', null],
    ['was told to pause', { ...alerted, pausedAt: now }, {}, null, 'sent', null],
    [
      'a pause that was answered was the only one',
      { ...alerted, pausedAt: earlier, acknowledgedAt: earlier + 1 },
      {},
      null,
      'spent',
      null,
    ],
    [
      'is not paused where its owner wants to be told only',
      alerted,
      { pauseOnFailure: false },
      null,
      'off',
      null,
    ],
    ['nor where it is not watched', alerted, { shouldWatch: false }, null, 'off', null],
  ])('%s', (_, print, change, graceUntil, pause, from) => {
    expect(pauseOutlook(print, { ...context, ...change }, graceUntil)).toEqual({ pause, from })
  })

  it.each([
    [CALM, true],
    [{ ...CALM, acknowledgedAt: earlier, alertedAt: earlier - 1 }, true],
    [{ ...CALM, pausedAt: earlier, acknowledgedAt: earlier + 1 }, true],
    [CALM, false],
  ])('is what the pause branch then does: %o', (print, pauseOnFailure) => {
    const sure = { shouldAlert: false, shouldPause: true }
    for (const later of [0, 29_999, 30_000, 100_000]) {
      const then = { ...context, now: now + later, pauseOnFailure }
      const told = pauseOutlook({ ...print, alertedAt: now - 1 }, then, null)
      const isDue = told.pause === 'when_failing' && told.from === null
      expect(react({ ...print, alertedAt: now - 1 }, sure, then).pause).toBe(isDue)
    }
  })
})

describe('answers', () => {
  it('acknowledge only what was alerted', () => {
    expect(acknowledge(CALM, now)).toBe(CALM)
    const alerted = warnedAt(100_000)
    expect(isUnacknowledged(alerted)).toBe(true)
    expect(isUnacknowledged(acknowledge(alerted, now))).toBe(false)
    expect(isSuppressed(acknowledge(alerted, now), now)).toBe(false)
    expect(isSuppressed(null, now)).toBe(true)
  })
  it('mute and unmute', () => {
    expect(mute(CALM, true, now).mutedAt).toBe(now)
    expect(mute(mute(CALM, true, now), false, now)).toEqual(CALM)
  })
})
