import type { Printer } from '@vigil/contract/printers/printers.ts'
import { describe, expect, it } from 'vitest'
import { aPrinter, status } from '../../../../printer/a-printer.fixture.ts'
import { beginTransition, endTransition } from '../../../../printer/transition-store.ts'
import { arrange, count, isLine } from './listing.ts'

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
    expect(ids(arrange(all, 'all', 'name', 'asc'))).toEqual([4, 2, 3])
    expect(ids(arrange([printing, aPrinter({ id: 9, name: 'B9' })], 'all', 'name', 'asc'))).toEqual([9, 2])
  })

  it('puts who needs the owner first, then who prints, then who could, then who is away', () => {
    const busy = { status: status('Printing'), current_print: { alerted_at: null } }
    const list = [
      { ...off, created_at: '2026-09-01T00:00:00Z' },
      aPrinter({ id: 7, created_at: '2026-08-01T00:00:00Z' }),
      aPrinter({ id: 8, created_at: '2026-07-01T00:00:00Z', ...busy }),
      filament,
    ]
    expect(ids(arrange(list, 'all', 'created_at', 'desc'))).toEqual([4, 8, 7, 3])
  })

  it('makes a line of who is away, a card of who lost the line while it printed', () => {
    expect(isLine(off)).toBe(true)
    expect(isLine(printing)).toBe(false)
    expect(isLine(aPrinter({ ...off, current_print: { alerted_at: null } }))).toBe(false)
    expect(isLine(aPrinter({ status: null, agent: { state: 'waiting', last_seen_at: null } }))).toBe(false)
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
