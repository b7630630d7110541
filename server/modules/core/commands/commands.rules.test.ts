import { describe, expect, it } from 'vitest'
import { type HolderState, pauseArgs, refusalOf } from './index.ts'
import type { Envelope } from './envelope.ts'
import { asId } from '../../../test/ids.ts'

const NOW = 1_000_000
const command: Envelope = {
  id: 'a',
  kind: 'command',
  epoch: 7,
  expiresAt: NOW + 10_000,
  printId: 3,
  frame: {},
}
const holder: HolderState = {
  epoch: 7,
  holdsLease: true,
  isOpen: true,
  silentMs: 1000,
  bufferedBytes: 0,
  printId: asId(3),
  now: NOW,
}

describe('a command', () => {
  it('goes to a live socket', () => {
    expect(refusalOf(command, holder)).toBeNull()
    expect(refusalOf({ ...command, printId: null }, { ...holder, printId: asId(9) })).toBeNull()
  })

  it.each([
    ['stale_holder', { epoch: 8 }],
    ['stale_holder', { holdsLease: false }],
    ['expired', { now: NOW + 10_001 }],
    ['offline', { isOpen: false }],
    ['not_responding', { silentMs: 30_001 }],
    ['busy', { bufferedBytes: 1 }],
    ['other_print', { printId: 4 }],
    ['other_print', { printId: null }],
  ] as const)('is refused: %s', (reason, change) => {
    expect(refusalOf(command, asId({ ...holder, ...change }))).toBe(reason)
  })
})

describe('a message', () => {
  it('may wait behind a little, and does not ask for signs of life', () => {
    const message = { ...command, kind: 'message' } as const
    expect(refusalOf(message, { ...holder, silentMs: NOW, bufferedBytes: 1000 })).toBeNull()
    expect(refusalOf(message, { ...holder, bufferedBytes: 2_000_000 })).toBe('busy')
  })
})

it('tells an agent to switch heaters off only when the owner wants it', () => {
  const printer = { retractOnPause: 6.5, liftZOnPause: 2.5, toolsOffOnPause: false, bedOffOnPause: false }
  expect(pauseArgs(printer)).toEqual({ retract: 6.5, lift_z: 2.5 })
  expect(pauseArgs({ ...printer, toolsOffOnPause: true, bedOffOnPause: true })).toEqual({
    retract: 6.5,
    lift_z: 2.5,
    tools_off: true,
    bed_off: true,
  })
})
