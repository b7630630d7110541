import { describe, expect, it } from 'vitest'
import { curveOf, frameAt, gapAt, gapsOf, scoresOf, timesOf } from './predictions.ts'

describe('what nobody looked at', () => {
  const [dark, away, off] = ['too dark', 'no answer', 'off']
  // Frames of each minute; of those without a score no time is told.
  const scores = [0, 0, null, null, 0, 0]
  const times = [0, 60, 60, 60, 240, 1200].map((seconds) => seconds * 1000)
  const unseen = (from: number, to: number, why: string) => ({ from: from * 1000, to: to * 1000, why })

  it('is told with its reasons, the longest first', () => {
    const gaps = gapsOf(scores, times, [unseen(70, 90, away), unseen(90, 235, dark), unseen(200, 210, away)])
    expect(gaps).toEqual([{ from: 2 / 6, to: 4 / 6, why: [dark, away] }])
    expect(gapAt(gaps, 6, 0.4)?.why).toEqual([dark, away])
    expect(gapAt(gaps, 6, 0.1)).toBeNull()
  })

  it('breaks the line also where there are no frames of it', () => {
    const gaps = gapsOf(scores, times, [unseen(70, 90, dark), unseen(250, 1190, off), unseen(0, 10, away)])
    expect(gaps).toEqual([
      { from: 2 / 6, to: 4 / 6, why: [dark] },
      { from: 5 / 6, to: 5 / 6, why: [off] },
    ])
    expect(curveOf(scores, gaps)).toBe('M0.0 100.0h0.5L166.7 100.0M666.7 100.0h0.5M833.3 100.0h0.5')
  })
})

describe('what a time-lapse is told of its frames', () => {
  it('reads prints’ own predictions and public ones; a frame that is missing has no score', () => {
    const own = { model: 'app.printerprediction', pk: 7, fields: { normalized_p: 0.25 } }
    expect(scoresOf([own, [own], {}, { p: 0.5 }, { p: '1' }, null, { p: 7 }, { p: Number.NaN }])).toEqual([
      0.25,
      0.25,
      null,
      0.5,
      null,
      null,
      1,
      null,
    ])
  })

  it('shows at a position the frame of docs/rules: length times position, rounded, none beyond the last', () => {
    expect([0, 0.04, 0.05, 0.5, 0.96, 1].map((position) => frameAt(10, position))).toEqual([0, 0, 1, 5, 9, 9])
    expect(frameAt(1, 1)).toBe(0)
    for (let at = 0; at < 300; at++) expect(frameAt(300, at / 300)).toBe(at)
  })

  it('knows when each was taken, if that was told', () => {
    const at = (updated_at: string) => ({ fields: { updated_at } })
    const [first, last] = ['2026-11-01T10:00:00Z', '2026-11-01T11:00:00Z']
    expect(timesOf([at(first), {}, at(last)])).toEqual([first, first, last].map((text) => Date.parse(text)))
    expect(timesOf([at(first), at(first)])).toEqual([])
    expect(timesOf([{ p: 1 }, { p: 1 }])).toEqual([])
  })

  it('draws the highest of what shares a pixel, and no line where nobody looked', () => {
    expect(curveOf([0, null, 1])).toBe('M0.0 100.0h0.5M666.7 0.0h0.5')
    expect(gapsOf([null, 0, null, null])).toEqual([
      { from: 0, to: 0.25, why: [] },
      { from: 0.5, to: 1, why: [] },
    ])
    const long = Array.from({ length: 100_000 }, (_, at) => (at === 50_001 ? 1 : 0))
    expect(curveOf(long)).toContain(' 0.0')
    expect(curveOf(long).match(/[ML]/g)?.length).toBeLessThanOrEqual(1_000)
    expect(curveOf([])).toBe('')
  })
})
