import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { Print } from '@vigil/contract/prints/prints.ts'
import { describe, expect, it } from 'vitest'
import { meaningOf, notReady, reprintable } from './reprint.ts'

const flags = { operational: true, ready: true }
const printer = (more: object = {}, state: object = { text: 'Operational', flags }): Printer =>
  ({
    id: 7,
    agent_name: 'moonraker_obico',
    agent_version: '2.1.4',
    status: { _ts: 1, state },
    current_print: null,
    ...more,
  }) as unknown as Printer

const file = {
  id: 3,
  resident_printer: 7,
  deleted: null,
  url: 'sub/a.gcode',
  filename: 'a.gcode',
  safe_filename: 'a.gcode',
  agent_signature: 'ts:1',
  num_bytes: 12,
}
const printOf = (more: object | null) =>
  ({ filename: 'a.gcode', g_code_file: more && { ...file, ...more } }) as unknown as Print

describe('what can be printed again', () => {
  it('is a file that lies on this printer, named by what the agent asks for', () => {
    expect(reprintable(printer(), printOf({}))).toEqual({
      id: 3,
      url: 'sub/a.gcode',
      filename: 'a.gcode',
      safe_filename: 'a.gcode',
      agent_signature: 'ts:1',
    })
  })

  it.each([
    ['nobody knows the file', null],
    ['it is on another printer', { resident_printer: 8 }],
    ['it is in the cloud without content', { resident_printer: null, url: null }],
    ['it was deleted', { deleted: '2026-01-01T00:00:00Z' }],
    ['it has no path', { url: null }],
    ['nothing tells whether it is the same', { agent_signature: null }],
  ])('is nothing when %s', (_why, more) => {
    expect(reprintable(printer(), printOf(more))).toBeNull()
  })

  it('is a file of the cloud, which is handed over anew', () => {
    const inCloud = printOf({ resident_printer: null, url: 'https://x.example/a.gcode' })
    expect(reprintable(printer(), inCloud)).toEqual({ cloud: 3 })
    expect(reprintable(printer({ agent_version: '1.1.9' }), inCloud)).toBe('tooOld')
  })

  it('wants an agent that can', () => {
    expect(reprintable(printer({ agent_version: '1.4.2' }), printOf({}))).toBe('tooOld')
    expect(
      reprintable(printer({ agent_name: 'octoprint_obico', agent_version: '2.4.0' }), printOf({})),
    ).toEqual(expect.objectContaining({ url: 'sub/a.gcode' }))
  })
})

describe('whether a print can start', () => {
  it.each([
    ['idle', printer(), null, null],
    ['offline', printer({ status: null }), null, 'notReadyOff'],
    [
      'cut off',
      printer({}, { text: 'Offline', flags: { closedOrError: true } }),
      null,
      'notReadyNotConnected',
    ],
    ['printing', printer({}, { text: 'Printing', flags: { operational: true } }), null, 'notReadyBusy'],
    ['starting', printer(), 'Starting', 'notReadyBusy'],
    ['still counted as printing', printer({ current_print: { id: 1 } }), null, 'notReadyBusy'],
  ] as const)('%s', (_name, which, transition, why) => {
    expect(notReady(which, transition)).toBe(why)
  })
})

it('understands both agents’ refusals', () => {
  expect(meaningOf('File has been modified! Did you move, delete, or overwrite this file?')).toBe('gone')
  expect(meaningOf('Printer busy!')).toBe('busy')
  expect(meaningOf('Printer is not connected!')).toBeNull()
})
