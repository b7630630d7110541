import { describe, expect, it } from 'vitest'
import {
  acknowledge,
  type AlertState,
  CALM,
  isSuppressed,
  isUnacknowledged,
  mute,
  pauseNotSent,
  pauseOutlook,
  react,
} from './alert.rules.ts'

const now = 1_700_000_000_000
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
