import type { Printer } from '@vigil/contract/printers/printers.ts'
import { describe, expect, it } from 'vitest'
import { isSameFace, tileFace } from './face.ts'

function printing(status: object, more: object = {}): Printer {
  return {
    id: 1,
    name: 'A',
    normalized_p: 0.12,
    agent: { state: 'connected', last_seen_at: '2026-01-01T00:00:00Z' },
    watch: { state: 'watching', checked_at: '2026-01-01T00:00:00Z' },
    current_print: {},
    status: { _ts: 1, state: { text: 'Printing', flags: { printing: true } }, ...status },
    ...more,
  } as never
}
const progress = (completion: number, printTimeLeft: number) => ({ progress: { completion, printTimeLeft } })
const face = (printer: Printer) => tileFace(printer, null)

describe('the face of a tile', () => {
  it('stays the same while nothing that is written changes', () => {
    const before = face(printing({ ...progress(63.4, 4320), temperatures: { bed: { actual: 60.12 } } }))
    const after = face(printing({ ...progress(63.9, 4311), temperatures: { bed: { actual: 60.3 } }, _ts: 2 }))
    expect(isSameFace(before, after)).toBe(true)
    expect(before).toMatchObject({ completion: 63, leftS: 4320, heaters: [] })
  })

  it('changes with the percent, the minute, the last minute’s seconds, the verdict and the state', () => {
    const base = face(printing(progress(63.4, 4320)))
    const others = [
      printing(progress(64, 4320)),
      printing(progress(63.4, 4260)),
      printing(progress(63.4, 4320), { normalized_p: 0.5 }),
      printing({ ...progress(63.4, 4320), state: { text: 'Paused', flags: { paused: true } } }),
      printing(progress(63.4, 4320), { status: null }),
    ]
    for (const other of others) expect(isSameFace(base, face(other))).toBe(false)
    expect(face(printing(progress(99, 59))).leftS).toBe(59)
    expect(face(printing(progress(99, 58))).leftS).toBe(58)
  })

  it('shows what an idle printer’s heaters say, to a tenth', () => {
    const idle = (actual: number) =>
      face(printing({ temperatures: { bed: { actual } }, state: {} }, { current_print: null }))
    expect(idle(24.11).heaters).toEqual([{ key: 'bed', actual: 24.1, target: null }])
    expect(isSameFace(idle(24.11), idle(24.09))).toBe(true)
    expect(isSameFace(idle(24.11), idle(24.21))).toBe(false)
  })
})
