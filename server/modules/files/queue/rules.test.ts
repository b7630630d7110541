import { describe, expect, it } from 'vitest'
import type { AgentRecord } from '../../core/presence/index.ts'
import { type Bed, isToBeWithdrawn, NEW_BED, obstacleOf, type Sight } from '../queue-plan/bed.rules.ts'
import { moved } from './entries.service.ts'
import { type Fits, type Machine, outlook, type Waiting, whoStarts } from '../queue-plan/schedule.rules.ts'
import { asId } from '../../../test/ids.ts'

const NOW = 1_800_000_000_000
const MINUTE = 60_000

const entry = (id: number, more: Partial<Waiting> = {}): Waiting => ({
  id: asId(id),
  printerId: null,
  left: 1,
  onHold: false,
  isFileGone: false,
  fitsAnyway: false,
  seconds: 600,
  ...more,
})
const machine = (id: number, more: Partial<Machine> = {}): Machine => ({
  id: asId(id),
  obstacle: null,
  freeAt: NOW,
  pace: 1,
  clearedAt: NOW - id,
  ...more,
})
const ANY: Fits = () => 'fits'
const begun = (entries: Waiting[], machines: Machine[], fits = ANY) =>
  whoStarts(entries, machines, fits).map(({ entryId, printerId }) => `${entryId} on ${printerId}`)

describe('who starts', () => {
  it('in the order of the list, each printer once, those cleared first first', () => {
    const machines = [machine(1), machine(2), machine(3)]
    expect(begun([entry(10), entry(11)], machines)).toEqual(['10 on 3', '11 on 2'])
    expect(begun([entry(10), entry(11, { printerId: asId(3) })], machines)).toEqual(['10 on 3'])
    expect(begun([entry(11, { printerId: asId(3) }), entry(10)], machines)).toEqual(['11 on 3', '10 on 2'])
  })

  it('as many copies at once as printers are free, and no more than are left', () => {
    const twelve = Array.from({ length: 12 }, (_, at) => machine(at + 1))
    expect(begun([entry(10, { left: 20 })], twelve)).toHaveLength(12)
    expect(new Set(begun([entry(10, { left: 20 })], twelve)).size).toBe(12)
    expect(begun([entry(10, { left: 5 }), entry(11, { left: 5 })], twelve)).toHaveLength(10)
    expect(begun([entry(10, { left: 0 })], twelve)).toEqual([])
  })

  it.each(['queue_off', 'offline', 'error', 'agent_old', 'busy', 'not_cleared', 'refused'] as const)(
    'nothing on a printer with an obstacle: %s',
    (obstacle) => {
      expect(begun([entry(10), entry(11, { printerId: asId(1) })], [machine(1, { obstacle })])).toEqual([])
    },
  )

  it('passes over what is held, whose file is gone, and what has no printer', () => {
    const still = [
      entry(1, { onHold: true }),
      entry(2, { isFileGone: true }),
      entry(3, { printerId: asId(99) }),
    ]
    expect(begun([...still, entry(10)], [machine(1)])).toEqual(['10 on 1'])
  })

  it('where it fits: any printer means one that is known to; a chosen one may be unknown, and is asked about first', () => {
    const fits: Fits = (_, { id }) => (id === 1 ? 'fits' : id === 2 ? 'unknown' : 'warns')
    const machines = [machine(3), machine(2), machine(1)]
    expect(begun([entry(10, { left: 3 })], machines, fits)).toEqual(['10 on 1'])
    expect(begun([entry(10, { printerId: asId(2) })], machines, fits)).toEqual(['10 on 2'])
    expect(begun([entry(10, { printerId: asId(3) })], machines, fits)).toEqual([])
    expect(begun([entry(10, { printerId: asId(3), fitsAnyway: true })], machines, fits)).toEqual(['10 on 3'])
    expect(begun([entry(10, { fitsAnyway: true })], [machine(3)], fits)).toEqual([])
  })
})

describe('what is to be expected', () => {
  const look = (entries: Waiting[], machines: Machine[], fits = ANY) =>
    [...outlook(entries, machines, fits).values()].map(({ reason, printerId, ahead, startsAt, endsAt }) => [
      reason,
      printerId,
      ahead,
      startsAt === null ? null : (startsAt - NOW) / MINUTE,
      endsAt === null ? null : (endsAt - NOW) / MINUTE,
    ])

  it('times follow each other, by the running print, the files and the pace of the printer', () => {
    const machines = [machine(1, { obstacle: 'busy', freeAt: NOW + 30 * MINUTE, pace: 1.5 })]
    expect(look([entry(1, { left: 2 }), entry(2, { seconds: null }), entry(3)], machines)).toEqual([
      ['busy', 1, 0, 30, 60],
      ['behind', 1, 2, 60, null],
      ['behind', 1, 3, null, null],
    ])
  })

  it('copies are laid out over the printers that are free first', () => {
    const machines = [
      machine(1, { obstacle: 'busy', freeAt: NOW + 5 * MINUTE }),
      machine(2, { obstacle: 'not_cleared' }),
    ]
    expect(look([entry(1, { left: 3 }), entry(2)], machines)).toEqual([
      ['not_cleared', 2, 0, 0, 20],
      ['behind', 1, 1, 15, 25],
    ])
  })

  it('says why not: of the entry, of its printer, or of all of them', () => {
    const off = machine(1, { obstacle: 'offline' })
    const fits: Fits = (one) => (one.id === 6 || one.id === 7 ? 'warns' : one.id === 9 ? 'unknown' : 'fits')
    const entries = [
      entry(1, { isFileGone: true }),
      entry(2, { onHold: true }),
      entry(3, { printerId: asId(1) }),
      entry(4, { printerId: asId(9) }),
      entry(6, { printerId: asId(2) }),
      entry(7),
      entry(8),
      entry(9),
    ]
    expect(look(entries, [off, machine(2)], fits)).toEqual([
      ['file_deleted', null, 0, null, null],
      ['on_hold', null, 0, null, null],
      ['offline', 1, 0, null, null],
      ['printer_deleted', 9, 0, null, null],
      ['does_not_fit', 2, 0, null, null],
      ['fits_none', null, 0, null, null],
      [null, 2, 0, 0, 10],
      ['fit_unknown', null, 0, null, null],
    ])
    expect(look([entry(1)], [])).toEqual([['no_printer', null, 0, null, null]])
  })
})

describe('a bed', () => {
  const agent: AgentRecord = {
    state: 'connected',
    seenAt: NOW,
    reportedAt: NOW,
    epoch: 1,
    needsRestart: false,
  }
  const state = (text: string, flags: object = {}) => ({
    agent,
    status: { state: { text, flags: { operational: true, ready: true, ...flags } } },
  })
  const IDLE = state('Operational')
  const clear: Bed = { ...NEW_BED, bed: 4, clearedBed: 4, clearedAt: NOW - MINUTE, seenAt: NOW - MINUTE }
  const facts = { hasWork: false, isAgentOld: false, now: NOW }

  it('is clear when somebody has said so of that very state, lately, and it was in sight since', () => {
    expect(obstacleOf(clear, IDLE, facts)).toBeNull()
    for (const bed of [
      NEW_BED,
      { ...clear, bed: 5 },
      { ...clear, clearedAt: NOW - 13 * 60 * MINUTE },
      { ...clear, clearedAt: NOW - 60 * MINUTE, seenAt: NOW - 6 * MINUTE },
    ])
      expect(obstacleOf(bed, IDLE, facts)).toBe('not_cleared')
  })

  it('is not begun on while the printer is anything but idle, or its queue is off', () => {
    const of = (sight: Sight, bed = clear, more = {}) => obstacleOf(bed, sight, { ...facts, ...more })
    expect(of({ agent: null, status: IDLE.status })).toBe('offline')
    expect(of({ agent, status: null })).toBe('offline')
    expect(of({ agent: { ...agent, state: 'not_responding' }, status: IDLE.status })).toBe('offline')
    expect(of(state('Printing', { printing: true, ready: false }))).toBe('busy')
    expect(of(state('G-Code Downloading', { operational: false, ready: false }))).toBe('busy')
    expect(of(state('Cancelling', { ready: false }))).toBe('busy')
    expect(of(state('Offline', { operational: false, ready: false, closedOrError: true }))).toBe('error')
    expect(of(IDLE, clear, { hasWork: true })).toBe('busy')
    expect(of(IDLE, clear, { isAgentOld: true })).toBe('agent_old')
    expect(of(IDLE, { ...clear, enabled: false })).toBe('queue_off')
    expect(of(IDLE, { ...clear, tryAfter: NOW + 1 })).toBe('refused')
  })

  it('is no longer clear once the printer does anything, has an error, or was long out of sight', () => {
    expect(isToBeWithdrawn(clear, IDLE, NOW)).toBe(false)
    expect(isToBeWithdrawn(clear, { agent: null, status: null }, NOW)).toBe(false)
    expect(isToBeWithdrawn(clear, { agent: null, status: null }, NOW + 5 * MINUTE)).toBe(true)
    expect(isToBeWithdrawn(clear, state('Printing', { printing: true }), NOW)).toBe(true)
    expect(isToBeWithdrawn(clear, state('Paused', { paused: true }), NOW)).toBe(true)
    expect(isToBeWithdrawn(clear, state('Error', { closedOrError: true }), NOW)).toBe(true)
  })
})

it('the order changes by what stands before: nothing is lost, and what is not there changes nothing', () => {
  expect(moved([1, 2, 3, 4], 4, 1)).toEqual([1, 4, 2, 3])
  expect(moved([1, 2, 3, 4], 1, 4)).toEqual([2, 3, 4, 1])
  expect(moved([1, 2, 3, 4], 3, null)).toEqual([3, 1, 2, 4])
  for (const [id, after] of [
    [9, 1],
    [1, 9],
    [1, 1],
  ] as const)
    expect(moved([1, 2, 3], id, after)).toBeNull()
})
