import { describe, expect, it } from 'vitest'
import { printTimeOf, watchFurther, type WatchMark } from './watched-time.rules.ts'

const START = 1_700_000_000_000

/** Looks at a print, `[second by our clock, the print's time as its newest status tells it]`; what was watched of it. */
function watched(looks: readonly (readonly [at: number, printTime: number])[], gapMs = 30_000) {
  let mark: WatchMark | null = null
  let seconds = 0
  for (const [at, printTime] of looks) {
    const further = watchFurther(mark, START + at * 1000, printTime, gapMs)
    mark = JSON.parse(JSON.stringify(further.mark)) as WatchMark
    seconds += further.seconds
  }
  return { seconds, of: mark?.of ?? 0 }
}

const everyTenSeconds = (until: number, printTimeAt: (at: number) => number) =>
  Array.from({ length: until / 10 + 1 }, (_, i) => [i * 10, printTimeAt(i * 10)] as const)

describe('the time that a print was watched', () => {
  it('is all of it from the first look on, however seldom its time is told', () => {
    const looks = everyTenSeconds(600, (at) => Math.floor(at / 50) * 50)
    expect(watched(looks)).toEqual({ seconds: 600, of: 600 })
  })

  it('is counted in the time of a printer that runs twenty times as fast', () => {
    const looks = Array.from({ length: 61 }, (_, i) => [i * 2, Math.floor(i / 3) * 120] as const)
    expect(watched(looks)).toEqual({ seconds: 2400, of: 2400 })
  })

  it('leaves out what came before the first look', () => {
    expect(
      watched([
        [0, 900],
        [10, 900],
        [20, 920],
      ]),
    ).toEqual({ seconds: 20, of: 920 })
  })

  it('leaves out a gap, but for its first half minute', () => {
    const { seconds, of } = watched([...everyTenSeconds(100, (at) => at), [400, 400], [410, 410]])
    expect(of).toBe(410)
    expect(seconds).toBeCloseTo(100 + 30 + 10, 6)
  })

  it('is all of it with a look in half a minute, where that was agreed', () => {
    const looks = everyTenSeconds(600, (at) => at).filter((_, i) => i % 4 === 0)
    expect(watched(looks, 50_000)).toEqual({ seconds: 600, of: 600 })
    expect(watched(looks).seconds).toBeLessThan(500)
  })

  it('leaves a gap out also when the time is told only after it', () => {
    const { seconds } = watched([
      [0, 0],
      [70, 0],
      [80, 80],
    ])
    expect(seconds).toBeCloseTo(40, 6)
  })

  it('starts over when the time of the print does', () => {
    expect(
      watched([
        [0, 100],
        [10, 110],
        [20, 5],
        [30, 15],
      ]),
    ).toEqual({ seconds: 20, of: 15 })
  })

  it('takes nothing for granted that an agent says', () => {
    for (const rubbish of [
      null,
      {},
      { progress: null },
      { progress: { printTime: '7' } },
      { progress: { printTime: -1 } },
    ])
      expect(printTimeOf(rubbish)).toBeNull()
    expect(printTimeOf({ progress: { printTime: 7.5 } })).toBe(7.5)
  })
})
