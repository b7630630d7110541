import { expect, it } from 'vitest'
import { ladder, step } from './ladder.ts'
import { noteOf } from './VideoNote.tsx'

it('says why the last try failed while the next one is made: a printer without Janus does not load for ever', () => {
  const phaseOf = { reaching: 'loading', asking: 'loading', connecting: 'loading' } as const
  let held = step(ladder([{ kind: 'h264', streamId: 1 }], null), { type: 'want', wanted: true }, 0)
  const note = () => {
    const phase = held.phase in phaseOf ? 'loading' : (held.phase as 'stills')
    return noteOf({ phase, reason: held.reason } as Parameters<typeof noteOf>[0])
  }
  expect(note()).toBeNull()
  held = step(held, { type: 'reached' }, 100)
  held = step(held, { type: 'tick' }, 5_000)
  expect([held.phase, note()]).toEqual(['stills', 'nobody'])
  held = step(held, { type: 'tick' }, 11_000)
  expect([held.phase, note()]).toEqual(['reaching', 'nobody'])
})
