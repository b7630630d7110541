import { expect, it } from 'vitest'
import { type Event, ladder, saidOf, step } from './ladder.ts'
import { noteOf } from './VideoNote.tsx'

function aVideo() {
  let held = ladder([{ kind: 'h264', streamId: 1 }], null)
  return (event: Event, now: number) => {
    held = step(held, event, now)
    const said = saidOf(held)
    return [said.phase, noteOf(said)]
  }
}

it('says why the last try failed while the next one is made: a printer without Janus does not load for ever', () => {
  const after = aVideo()
  expect(after({ type: 'want', wanted: true }, 0)).toEqual(['loading', null])
  after({ type: 'reached' }, 100)
  expect(after({ type: 'tick' }, 5_000)).toEqual(['stills', 'nobody'])
  expect(after({ type: 'tick' }, 11_000)).toEqual(['loading', 'nobody'])
  expect(after({ type: 'reached' }, 11_100)).toEqual(['loading', 'nobody'])
  expect(after({ type: 'tick' }, 16_000)).toEqual(['stills', 'nobody'])
})

it('loads without a word of what failed before where somebody asks for it, or comes back', () => {
  const after = aVideo()
  after({ type: 'want', wanted: true }, 0)
  after({ type: 'reached' }, 100)
  after({ type: 'tick' }, 5_000)
  expect(after({ type: 'again' }, 6_000)).toEqual(['loading', null])
  after({ type: 'reached' }, 6_100)
  expect(after({ type: 'tick' }, 11_000)).toEqual(['stills', 'nobody'])
  after({ type: 'want', wanted: false }, 12_000)
  expect(after({ type: 'want', wanted: true }, 60_000)).toEqual(['loading', null])
})
