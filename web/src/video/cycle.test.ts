import { expect, it } from 'vitest'
import { type Cycle, nextCycleAt, nextSecond, READY, restored } from './cycle.ts'

const after = (seconds: number, from: Cycle, playing = true) =>
  Array.from({ length: seconds }).reduce<Cycle>((cycle) => nextSecond(cycle, playing), from)

it('plays for 30 s, rests for 30 s, and then it may play again', () => {
  expect(after(29, READY)).toEqual({ left: 1, rest: 0 })
  expect(after(30, READY)).toEqual({ left: 0, rest: 30 })
  expect(after(59, READY)).toEqual({ left: 0, rest: 1 })
  expect(after(60, READY)).toEqual(READY)
  expect(after(300, { left: 12, rest: 0 }, false), 'only what plays counts').toEqual({ left: 12, rest: 0 })
})

it('goes on after a reload where it was, and begins anew when it is over', () => {
  const now = 1_800_000_000_000
  for (const cycle of [after(10, READY), after(35, READY)])
    expect(restored(String(nextCycleAt(cycle, now)), now)).toEqual(cycle)
  expect(restored(String(now + 10_000), now)).toEqual({ left: 0, rest: 10 })
  for (const kept of [null, '', 'soon', String(now - 1), String(now + 86_400_000), 'NaN'])
    expect(restored(kept, now), String(kept)).toEqual(READY)
})
