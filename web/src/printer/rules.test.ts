import type { Printer } from '@vigil/contract/printers.ts'
import { describe, expect, it } from 'vitest'
import { arrange, count } from '../features/printers/list/listing.ts'
import { asPrinterEvent, asPrinterFrame, mergePrinter } from './live/merge.ts'
import { movement, secondsOf, sensitivityLevel } from '../features/settings/rules.ts'
import { alertedSince, isActive, isChanging, isPrintingOn, needsOwner, shownState, wordOf } from './state.ts'
import { heatsFirst, readStatus } from './status.ts'
import { isAtLeast } from './driver/versions.ts'
import { judge, patienceMs } from './transition.ts'
import { beginTransition, endTransition } from './transitionStore.ts'
import { alertVerdict, band, watching } from './watching.ts'

const NOW = 1_800_000_000_000

function status(text: string, more: Record<string, unknown> = {}) {
  const flags = {
    operational: true,
    printing: text === 'Printing',
    paused: text === 'Paused',
    ready: text === 'Operational',
  }
  return { _ts: NOW / 1000, state: { text, flags }, ...more }
}

function aPrinter(more: Record<string, unknown> = {}): Printer {
  return {
    id: 1,
    name: 'A',
    created_at: '2026-01-01T00:00:00Z',
    archived_at: null,
    normalized_p: 0,
    not_watching_reason: null,
    status: status('Operational'),
    current_print: null,
    watch: {
      state: 'watching',
      code: null,
      reason: null,
      picture_at: null,
      checked_at: '2026-01-01T00:00:00Z',
      watched_percent: null,
    },
    agent: { state: 'connected', last_seen_at: null },
    ...more,
  } as unknown as Printer
}

describe('mergePrinter', () => {
  it('drops an older status but takes the rest', () => {
    const held = aPrinter({ status: status('Paused', { _ts: NOW / 1000 }) })
    const merged = mergePrinter(held, { name: 'B', status: status('Printing', { _ts: NOW / 1000 - 5 }) }, NOW)
    expect(merged.name).toBe('B')
    expect(readStatus(merged)?.text).toBe('Paused')
  })

  it('is not frozen by a status from the future', () => {
    const held = aPrinter({ status: status('Printing', { _ts: NOW / 1000 + 86_400 }) })
    const merged = mergePrinter(held, { status: status('Paused') }, NOW)
    expect(readStatus(merged)?.text).toBe('Paused')
  })

  it('goes offline when the status is gone', () => {
    expect(mergePrinter(aPrinter(), { status: null }, NOW).status).toBeNull()
  })

  it('tells printers from passthru answers and rubbish', () => {
    expect(asPrinterFrame({ id: 1, name: 'A' })).toEqual({ id: 1, name: 'A' })
    expect(asPrinterFrame({ passthru: { ref: '1' } })).toBeNull()
    expect(asPrinterFrame(null)).toBeNull()
    expect(asPrinterFrame('x')).toBeNull()
  })
})

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
    expect(shownState(agent('connected'), null).word).toEqual({ known: 'waiting' })
    const restarted = { ...agent('waiting'), agent: { ...agent('waiting').agent, after_restart: true } }
    expect(shownState(restarted, null).word).toEqual({ known: 'waitingAgain' })
    expect(shownState(agent('offline'), null).word).toEqual({ known: 'Offline' })
    const silent = aPrinter({ agent: { state: 'not_responding', last_seen_at: null } })
    expect(shownState(silent, null).word).toEqual({ known: 'notResponding' })
  })

  it('puts an open alert first, until it is answered', () => {
    const paused = aPrinter({ status: status('Paused'), current_print: alerted })
    expect(shownState(paused, null).word).toEqual({ known: 'pausedByUs' })
    expect(needsOwner(paused)).toBe(true)
    const answered = aPrinter({
      status: status('Paused'),
      current_print: { ...alerted, alert_acknowledged_at: '2026-01-01T02:00:00Z' },
    })
    expect(shownState(answered, null).word).toEqual({ known: 'Paused' })
    expect(needsOwner(answered)).toBe(false)
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

describe('the list', () => {
  const printing = aPrinter({
    id: 2,
    name: 'b10',
    status: status('Printing'),
    created_at: '2026-02-01T00:00:00Z',
  })
  const off = aPrinter({
    id: 3,
    name: 'B9',
    status: null,
    agent: { state: 'offline', last_seen_at: null },
    created_at: '2026-03-01T00:00:00Z',
  })
  const filament = aPrinter({
    id: 4,
    name: 'c',
    status: status('Paused', { user_interaction_required: true }),
  })
  const archived = aPrinter({ id: 5, archived_at: '2026-01-01T00:00:00Z' })
  const all = [printing, off, filament, archived]
  const ids = (list: Printer[]) => list.map(({ id }) => id)

  it('sorts by name as people do, what needs them first', () => {
    expect(ids(arrange(all, 'all', 'name', 'asc'))).toEqual([4, 3, 2])
    expect(ids(arrange(all, 'all', 'created_at', 'desc'))).toEqual([4, 3, 2])
  })

  it('filters by status', () => {
    expect(ids(arrange(all, 'online', 'name', 'asc'))).toEqual([4, 2])
    expect(ids(arrange([...all, aPrinter()], 'active', 'name', 'asc'))).toEqual([4, 2])
    beginTransition(aPrinter({ id: 6, agent_name: null }), 'Starting')
    expect(ids(arrange([aPrinter({ id: 6 })], 'active', 'name', 'asc'))).toEqual([6])
    const obeyed = aPrinter({ id: 6, status: { state: { text: 'Error', flags: {} } } })
    expect(arrange([obeyed], 'active', 'name', 'asc')).toEqual([])
    endTransition(6)
    expect(arrange([aPrinter({ id: 6 })], 'active', 'name', 'asc')).toEqual([])
    expect(count(all)).toEqual({ all: 3, printing: 1, needing: 1, archived: 1 })
  })
})

describe('settings', () => {
  it('label the sensitivity', () => {
    expect([0.8, 0.94, 0.95, 1.05, 1.06].map(sensitivityLevel)).toEqual([
      'low',
      'low',
      'medium',
      'medium',
      'high',
    ])
  })

  it('never go below nothing', () => {
    expect(movement(-1, 2)).toBe(0)
    expect(movement('', 2)).toBe(2)
    expect(secondsOf(5, 0)).toBe(300)
    expect(secondsOf('', 600)).toBe(600)
  })
})

describe('printer events', () => {
  it('are read from passthru frames, whatever they hold', () => {
    const event = {
      event_title: '<b>x</b>',
      event_text: '',
      event_class: 'ERROR',
      event_type: 'PRINTER_ERROR',
    }
    expect(asPrinterEvent({ passthru: { printer_event: event } })).toEqual({
      title: '<b>x</b>',
      text: null,
      kind: 'ERROR',
      type: 'PRINTER_ERROR',
    })
    expect(asPrinterEvent({ passthru: { printer_event: {} } })).toBeNull()
    expect(asPrinterEvent({ passthru: { terminal_feed: {} } })).toBeNull()
    expect(asPrinterEvent(null)).toBeNull()
  })
})
