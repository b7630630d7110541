import { describe, expect, it } from 'vitest'
import { notWatchingReason, shouldWatch, type WatchConditions } from './watching.rules.ts'

const now = 1_700_000_000_000
const watched: WatchConditions = {
  watchingEnabled: true,
  detectionHours: 0,
  printing: true,
  muted: false,
  agentLost: false,
  agentMute: false,
  printerLost: false,
  serverTrouble: null,
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
    agentMute: true,
    serverTrouble: 'disk_full',
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
    [{ ...blind, agentLost: false }, 'agent_mute', 'The agent of the printer reports nothing'],
    [{ ...blind, agentLost: false, agentMute: false }, 'disk_full', 'The disk of the server is full'],
    [{ serverTrouble: 'database_down' }, 'database_down', 'The database of the server does not answer'],
    [{ pictureAt: null, detectorReady: false }, 'no_picture', 'No webcam picture has arrived yet'],
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
    // What a later version says of a picture is no verdict that it is fine.
    [{ pictureCondition: 'smeared' }, 'detector_down', 'Failure detection is not available right now'],
    [{ pictureCondition: 'constructor' }, 'detector_down', 'Failure detection is not available right now'],
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
