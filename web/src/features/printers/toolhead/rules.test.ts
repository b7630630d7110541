import type { Printer } from '@vigil/contract/printers/printers.ts'
import { describe, expect, it } from 'vitest'
import { readStatus } from '../../../printer/status.ts'
import { blocked, hotends, isCold, isTuneValid, offsetText, tuned } from './rules.ts'

function reading(text: string, flags: Record<string, boolean>) {
  return readStatus({ status: { _ts: 1, state: { text, flags } } } as unknown as Printer)
}
const idle = reading('Operational', { operational: true, ready: true })
const printing = reading('Printing', { operational: true, printing: true })
const paused = reading('Paused', { operational: true, paused: true })

describe('moving and extruding', () => {
  it.each([
    ['idle', idle, null, false, null, null],
    ['printing', printing, null, true, 'printing', 'printing'],
    ['paused', paused, null, false, 'paused', 'paused'],
    ['paused with a safe place', paused, null, true, 'moveOnly', null],
    ['resuming', paused, 'Resuming', true, 'busy', 'busy'],
    ['about to start', idle, 'Starting', true, 'busy', 'busy'],
    ['pausing', reading('Pausing', { operational: true }), null, true, 'busy', 'busy'],
  ] as const)('%s', (_, status, transition, safe, move, extrude) => {
    expect(blocked(status, transition, safe)).toEqual({ move, extrude })
  })

  it('knows hotends and their tools, and when they are too cold', () => {
    const heaters = ['tool0', 'tool1', 'bed', 'extruder', 'extruder2'].map((key) => ({
      key,
      actual: 178.9,
      target: 0,
    }))
    const found = hotends(heaters)
    expect(found.map(({ heater, tool }) => [heater.key, tool])).toEqual([
      ['tool0', 0],
      ['tool1', 1],
      ['extruder', 0],
      ['extruder2', 2],
    ])
    expect(isCold(found[0])).toBe(true)
    expect(isCold(undefined)).toBe(true)
    expect(isCold({ tool: 0, heater: { key: 'tool0', actual: 179, target: 0 } })).toBe(false)
  })
})

describe('tuning', () => {
  it.each([
    ['fan', 0, true],
    ['fan', 101, false],
    ['fan', '', false],
    ['speed', 0, false],
    ['speed', 1, true],
    ['flow', 250, true],
    ['flow', Number.NaN, false],
  ] as const)('%s %s: %s', (tune, value, valid) => {
    expect(isTuneValid(tune, value)).toBe(valid)
  })

  it('reads what the printer reports', () => {
    const printer = { status: { _ts: 1, currentFanSpeed: 0.5, currentFeedRate: null } } as unknown as Printer
    expect(tuned(printer, 'fan')).toBe(50)
    expect(tuned(printer, 'speed')).toBeNull()
    expect(tuned(printer, 'flow')).toBeNull()
  })
})

describe('offset', () => {
  it.each([
    [0.05, '+0.050'],
    [-0.005, '−0.005'],
    [0, '0.000'],
    [-0.0000001, '0.000'],
  ])('%d is %s', (mm, text) => {
    expect(offsetText(mm)).toBe(text)
  })
})
