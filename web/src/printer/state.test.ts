import type { Printer } from '@vigil/contract/printers/printers.ts'
import { describe, expect, it } from 'vitest'
import { drawSign } from '../lib/tab-icon.ts'
import { aPrinter, NOW, status } from './a-printer.fixture.ts'
import { isAtLeast } from './driver/versions.ts'
import { sensitivityLevel } from './sensitivity.ts'
import {
  alertedSince,
  isActive,
  isChanging,
  isPrintingOn,
  needsOwner,
  shownState,
  signOf,
  wordOf,
} from './state.ts'
import { heatsFirst, readStatus } from './status.ts'
import { isAmong, judge, patienceMs } from './transition.ts'
import { band } from '@vigil/contract/watch/band.ts'
import { alertVerdict, hardlyWatched, isFresh, watching } from './watching.ts'

describe('transitions', () => {
  it('wait while the origin is reported, end when it is left, and run out', () => {
    const pausing = { name: 'Pausing', until: NOW + 1000 } as const
    expect(judge(pausing, 'Printing', NOW)).toBe('waiting')
    expect(judge(pausing, null, NOW)).toBe('waiting')
    expect(judge(pausing, 'Paused', NOW)).toBe('done')
    expect(judge(pausing, 'Pausing', NOW)).toBe('done')
    expect(judge(pausing, 'Printing', NOW + 1000)).toBe('late')
    expect(judge({ name: 'Cancelling', until: NOW + 1000 }, 'Paused', NOW)).toBe('waiting')
  })

  it('have patience with old agents', () => {
    expect(patienceMs('octoprint_obico', '2.3.7')).toBe(15_000)
    expect(patienceMs('octoprint_obico', '2.3.6')).toBe(300_000)
    expect(patienceMs('moonraker_obico', '1.10.0')).toBe(15_000)
    expect(patienceMs('moonraker_obico', null)).toBe(300_000)
    expect(patienceMs(null, '9')).toBe(300_000)
    expect(isAtLeast('2.4.0rc1', '2.4')).toBe(true)
  })
})

describe('what was awaited and is over', () => {
  const event = (event_type: string, at: number, printer = 1) => ({
    event_type,
    printer,
    created_at: new Date(at).toISOString(),
  })

  it('is known by what it left in the feed, of that printer and since then', () => {
    const started = [event('STARTED', NOW + 4_000)]
    expect(isAmong(started, 1, 'Starting', NOW)).toBe(true)
    expect(isAmong(started, 1, 'G-Code Downloading', NOW)).toBe(true)
    expect(isAmong(started, 2, 'Starting', NOW)).toBe(false)
    expect(isAmong(started, 1, 'Starting', NOW + 60_000)).toBe(false)
    expect(isAmong(started, 1, 'Pausing', NOW)).toBe(false)
    // A print that has ended cannot be paused any more.
    expect(isAmong([event('ENDED', NOW + 1)], 1, 'Pausing', NOW)).toBe(true)
    expect(isAmong([], 1, 'Cancelling', NOW)).toBe(false)
  })
})

describe('whether a command to the print is taken', () => {
  const changing = (text: string, flags: Record<string, boolean>, transition: string | null = null) =>
    isChanging(readStatus(aPrinter({ status: { _ts: 1, state: { text, flags } } })), transition)
  const on = { operational: true }

  it.each([
    ['Printing', { ...on, printing: true }, false],
    ['Printing from SD', { ...on, printing: true }, false],
    ['Paused', { ...on, paused: true }, false],
    ['Operational', { ...on, ready: true }, false],
    ['Pausing', on, true],
    ['Pausing', { ...on, printing: true, pausing: true }, true],
    ['Cancelling', { ...on, printing: true, cancelling: true }, true],
    ['Starting', { ...on, printing: true }, true],
    ['Finishing', { ...on, printing: true }, true],
  ])('%s %j: not while %s', (text, flags, is) => {
    expect(changing(text, flags)).toBe(is)
    expect(changing(text, flags, 'Pausing')).toBe(true)
  })
})

describe('what holds a pause up', () => {
  const heating = (temperatures: object) =>
    heatsFirst(readStatus(aPrinter({ status: status('Pausing', { temperatures }) })))

  it('is a heater that is still below its target', () => {
    expect(heating({ tool0: { actual: 120, target: 215 } })).toBe(true)
    expect(heating({ tool0: { actual: 212, target: 215 }, bed: { actual: 60, target: 0 } })).toBe(false)
    expect(heating({ mcu: { actual: 40, target: null } })).toBe(false)
    expect(heatsFirst(null)).toBe(false)
  })

  it('is named in our words, or the agent’s', () => {
    expect(wordOf('Pausing')).toEqual({ known: 'Pausing' })
    expect(wordOf('Opening serial connection')).toEqual({ said: 'Opening serial connection' })
    expect(wordOf('')).toEqual({ said: '–' })
  })
})

describe('the shown state', () => {
  const alerted = {
    alerted_at: '2026-01-01T01:00:00Z',
    alert_acknowledged_at: null,
    paused_at: '2026-01-01T01:00:00Z',
    paused_by: 'vigil',
  }

  it('is what the printer says, in its colour group', () => {
    expect(shownState(aPrinter(), null)).toMatchObject({
      word: { known: 'Operational' },
      shape: 'dot',
      tone: 'good',
    })
    expect(shownState(aPrinter({ status: status('Weird <b>') }), null).word).toEqual({ said: 'Weird <b>' })
    expect(shownState(aPrinter({ status: status('Printing') }), 'Pausing').word).toEqual({ known: 'Pausing' })
  })

  it('tells waiting, silent and offline apart', () => {
    const agent = (state: string) => aPrinter({ status: null, agent: { state, last_seen_at: null } })
    expect(shownState(agent('waiting'), null).word).toEqual({ known: 'waiting' })
    expect(shownState(agent('connected'), null).word).toEqual({ known: 'disconnected' })
    const away = { since: '2026-01-01T00:00:00Z', state: 'shutdown', message: 'Timer too close' }
    for (const state of ['connected', 'waiting']) {
      const lost = aPrinter({ status: null, agent: { state, last_seen_at: null, away } })
      expect(shownState(lost, null)).toMatchObject({ word: { known: 'away_shutdown' }, tone: 'bad' })
      expect(needsOwner(lost)).toBe(true)
    }
    const restarted = { ...agent('waiting'), agent: { ...agent('waiting').agent, after_restart: true } }
    expect(shownState(restarted, null).word).toEqual({ known: 'waitingAgain' })
    expect(shownState(agent('offline'), null).word).toEqual({ known: 'Offline' })
    const silent = aPrinter({ agent: { state: 'not_responding', last_seen_at: null } })
    expect(shownState(silent, null).word).toEqual({ known: 'notResponding' })
  })

  it('says an open alert beside the state, whatever that is, until it is answered', () => {
    const alerting = (text: string, paused_by: string | null, transition: string | null = null) =>
      shownState(aPrinter({ status: status(text), current_print: { ...alerted, paused_by } }), transition)
    const loud = { shape: 'triangle', tone: 'bad', alert: true }
    expect(alerting('Paused', 'owner')).toEqual({ word: { known: 'pausedByYou' }, ...loud })
    expect(alerting('Paused', 'vigil')).toEqual({ word: { known: 'pausedByUs' }, ...loud })
    expect(alerting('Paused', null)).toEqual({ word: { known: 'Paused' }, ...loud })
    expect(alerting('Printing', null)).toEqual({ word: { known: 'Printing' }, ...loud })
    // Told to pause, and not there yet.
    expect(alerting('Printing', 'owner', 'Pausing')).toEqual({ word: { known: 'Pausing' }, ...loud })
    expect(shownState(aPrinter({ status: null, current_print: alerted }), null)).toMatchObject({
      alert: true,
    })
    const paused = aPrinter({ status: status('Paused'), current_print: alerted })
    expect(needsOwner(paused)).toBe(true)
    const answered = aPrinter({
      status: status('Paused'),
      current_print: { ...alerted, alert_acknowledged_at: '2026-01-01T02:00:00Z' },
    })
    expect(shownState(answered, null)).toMatchObject({
      word: { known: 'Paused' },
      shape: 'bars',
      alert: false,
    })
    expect(needsOwner(answered)).toBe(false)
  })

  it('is told by the icon of the tab, alert and pause each', () => {
    const one = (text: string, print: object | null) =>
      aPrinter({ status: status(text), current_print: print })
    const [going, paused, calm] = [one('Printing', alerted), one('Paused', alerted), one('Paused', {})]
    expect(signOf([going])).toEqual({ alert: true, paused: false })
    expect(signOf([paused])).toEqual({ alert: true, paused: true })
    expect(signOf([calm])).toEqual({ alert: false, paused: true })
    expect(signOf([calm, one('Printing', {})])).toEqual({ alert: false, paused: false })
    expect(signOf([calm, paused])).toEqual({ alert: true, paused: true })
    expect(signOf([going, paused])).toEqual({ alert: true, paused: false })
    const drawn = (printer: Printer) => drawSign(signOf([printer]), 'red', 'orange')
    expect(new Set([drawn(going), drawn(paused), drawn(calm), drawn(aPrinter())]).size).toBe(4)
    expect(drawn(aPrinter())).toBeNull()
  })

  it('tells an alert whose print goes on, and the one age of an alert', () => {
    const alerting = (text: string, more: object = {}) =>
      aPrinter({ status: status(text), current_print: { ...alerted, ...more } })
    expect(isPrintingOn(alerting('Printing'))).toBe(true)
    expect(isPrintingOn(alerting('Paused'))).toBe(false)
    expect(isPrintingOn(aPrinter({ status: null, current_print: alerted }))).toBe(false)
    expect(isPrintingOn(alerting('Printing', { alert_acknowledged_at: '2026-01-01T02:00:00Z' }))).toBe(false)
    const paused_at = '2026-01-01T01:00:30Z'
    expect(alertedSince(alerting('Printing', { paused_at }))).toBe(Date.parse(alerted.alerted_at))
    expect(alertedSince(alerting('Paused', { paused_at }))).toBe(Date.parse(paused_at))
  })

  it('knows when a printer is busy', () => {
    const active = (text: string) => isActive(readStatus(aPrinter({ status: status(text) })), null)
    expect(active('Printing')).toBe(true)
    expect(active('Paused')).toBe(true)
    expect(active('Operational')).toBe(false)
    expect(active('Starting')).toBe(true)
    expect(isActive(null, null)).toBe(false)
  })
})

describe('a status that lies', () => {
  it('is read without falling', () => {
    for (const rubbish of [
      { _ts: 1 },
      { _ts: 1, state: 'x', progress: 7, temperatures: [] },
      { _ts: 1, state: { flags: null } },
    ])
      expect(readStatus(aPrinter({ status: rubbish }))?.text).toBe('')
  })

  it('shows only heaters that are there, nozzles first', () => {
    const temperatures = {
      chamber: { actual: 30 },
      bed: { actual: 60, target: 60 },
      tool1: { actual: 0 },
      tool0: { actual: '214.8' },
      x: null,
    }
    expect(
      readStatus(aPrinter({ status: status('Printing', { temperatures }) }))?.heaters.map(({ key }) => key),
    ).toEqual(['tool0', 'bed', 'chamber'])
  })
})

describe('watching', () => {
  it('is of now for as long as the plan looks so seldom, and a little more', () => {
    const { watch } = aPrinter()
    const at = Date.parse(watch.checked_at!)
    expect(isFresh(watch, at + 30_000)).toBe(true)
    expect(isFresh(watch, at + 30_001)).toBe(false)
    expect(isFresh({ ...watch, checked_every: 30 }, at + 50_000)).toBe(true)
    expect(isFresh({ ...watch, checked_every: 30 }, at + 50_001)).toBe(false)
    expect(isFresh({ ...watch, checked_at: null }, at)).toBe(true)
  })
  it('claims a verdict only when the server does', () => {
    expect(watching(aPrinter({ normalized_p: 0.5 }))).toEqual({ kind: 'verdict', band: 'fishy', value: 0.5 })
    expect(watching(aPrinter({ watch: { state: 'watching', checked_at: null } })).kind).toBe('starting')
    expect(watching(aPrinter({ watch: { state: 'blind', code: 'detector_down' } })).kind).toBe('blind')
    expect(watching(aPrinter({ watch: undefined })).kind).toBe('blind')
  })

  it('stands by where there is nothing to watch, and is off where its owner wants it so', () => {
    const resting = (code: string) => aPrinter({ watch: { state: 'not_watching', code, reason: 'x' } })
    expect(watching(resting('not_printing'))).toEqual({ kind: 'standby' })
    for (const code of ['disabled', 'muted', 'no_hours']) expect(watching(resting(code)).kind).toBe('off')
  })

  it('keeps the verdict that an alert was raised at', () => {
    expect(alertVerdict(aPrinter({ alert: null }))).toBeNull()
    expect(alertVerdict(aPrinter({ alert: { normalized_p: null } }))).toBeNull()
    const alerting = aPrinter({ normalized_p: 0.1, alert: { normalized_p: 0.5 } })
    expect(alertVerdict(alerting)).toEqual({ band: 'fishy', value: 0.5 })
  })

  it('has the bands of the gauge', () => {
    expect([0, 0.33, 0.34, 0.66, 0.67].map(band)).toEqual(['good', 'good', 'fishy', 'fishy', 'failing'])
  })
})

it('labels the sensitivity', () => {
  expect([0.8, 0.94, 0.95, 1.05, 1.06].map(sensitivityLevel)).toEqual([
    'low',
    'low',
    'medium',
    'medium',
    'high',
  ])
})

describe('ignore zones over nearly everything', () => {
  it('are said from more than 80 % on, where it is watched at all', () => {
    const left = (ignored_percent: number, watching_enabled = true) =>
      hardlyWatched({ ignored_percent, watching_enabled })
    expect([left(0), left(80), left(81), left(100), left(100, false)]).toEqual([null, null, 81, 100, null])
  })
})
