import { describe, expect, it } from 'vitest'
import { secondsLeft } from './slicing.rules.ts'

describe('how long a slicing still takes', () => {
  const turn = { position: 0, usual: 20, atOnce: 1 }
  it('is told by its own pace, once there is one', () => {
    expect(secondsLeft({ state: 'running', progress: 0.25, ranSeconds: 10 }, turn)).toBe(30)
    expect(secondsLeft({ state: 'running', progress: 0.05, ranSeconds: 10 }, turn)).toBe(10)
  })
  it('is told by what others took while it waits: all that are before it, on each of so many at once', () => {
    const waits = { state: 'queued', progress: 0, ranSeconds: null }
    expect(secondsLeft(waits, { ...turn, position: 3 })).toBe(80)
    expect(secondsLeft(waits, { ...turn, position: 3, atOnce: 3 })).toBe(40)
  })
  it('is not told where nothing is known of it, and of none that is over', () => {
    expect(
      secondsLeft({ state: 'queued', progress: 0, ranSeconds: null }, { ...turn, usual: null }),
    ).toBeNull()
    expect(secondsLeft({ state: 'done', progress: 1, ranSeconds: 9 }, turn)).toBeNull()
  })
})
