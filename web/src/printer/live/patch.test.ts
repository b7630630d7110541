import type { Printer } from '@vigil/contract/printers/printers.ts'
import { describe, expect, it } from 'vitest'
import { applyPatch } from './news.ts'

const held = {
  id: 1,
  name: 'A',
  status: { _ts: 1, currentZ: 2, state: { text: 'Printing' } },
} as never as Printer

describe('a patch of the account socket', () => {
  it('replaces keys and keeps the others', () => {
    expect(applyPatch(held, { name: 'B' })).toEqual({ ...held, name: 'B' })
  })

  it('merges the status key by key, not deeper', () => {
    expect(applyPatch(held, { status: { _ts: 2, state: { flags: {} } } }).status).toEqual({
      _ts: 2,
      currentZ: 2,
      state: { flags: {} },
    })
  })

  it('takes null for offline and an object for a first status', () => {
    const offline = applyPatch(held, { status: null })
    expect(offline.status).toBeNull()
    expect(applyPatch(offline, { status: { _ts: 3 } }).status).toEqual({ _ts: 3 })
  })

  it('leaves what is held as it is', () => {
    applyPatch(held, { status: null, name: 'C' })
    expect(held.name).toBe('A')
    expect(held.status).not.toBeNull()
  })
})
