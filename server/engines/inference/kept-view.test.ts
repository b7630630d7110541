import { describe, expect, it } from 'vitest'
import { scene } from './fixtures/scene.ts'
import { packView, unpackView } from './kept-view.ts'
import { conditionOf, followPicture, type PictureHistory, type Quality } from './quality.ts'

const qualityOf = (i: number, change = {}): Quality => {
  const thumbnail = scene({ seed: i + 1, head: 12 + ((i * 5) % 40), ...change })
  return { thumbnail, hash: `#${i}`, condition: conditionOf(thumbnail), sharpness: 0.4 }
}

/** The history after some live pictures of a camera, and what was said of each. */
function follow(history: PictureHistory | null, from: number, count: number, change = {}) {
  let now = history
  const told = Array.from({ length: count }, (_, i) => {
    const followed = followPicture(now, qualityOf(from + i, change), (from + i) * 10_000, 10_000)
    now = followed.history
    return followed.condition
  })
  return { history: now!, told }
}

const learnt = follow(null, 0, 40).history
const restored = () => unpackView(packView(learnt)!)!

describe('a view that was kept', () => {
  it('is about 6 kB and says the same', () => {
    const bytes = packView(learnt)!
    expect(bytes.length).toBeLessThan(6200)
    const { view, referenceFrames, usualFit, usualSharpness } = unpackView(bytes)!
    expect(referenceFrames).toBe(learnt.referenceFrames)
    expect(usualFit).toBeCloseTo(learnt.usualFit, 5)
    expect(usualSharpness).toBeCloseTo(0.4, 5)
    view.reference.forEach((level, i) =>
      expect(Math.abs(level - learnt.view.reference[i]!)).toBeLessThan(0.51),
    )
    view.stability.forEach((value, i) =>
      expect(Math.abs(value - learnt.view.stability[i]!)).toBeLessThan(0.005),
    )
  })
  it.each<[string, object]>([
    ['goes on', {}],
    ['was moved', { dx: 20, dy: 13 }],
    ['has another light', { gain: 0.5 }],
    ['is out of focus', { noise: 0 }],
  ])('judges a camera that %s as if there had been no restart', (_name, change) => {
    expect(follow(restored(), 40, 12, change).told).toEqual(follow(learnt, 40, 12, change).told)
  })
  it('tells a frozen camera by pictures of its own only', () => {
    const same = { ...qualityOf(50), hash: 'same' }
    let now = restored()
    const told = Array.from({ length: 4 }, (_, i) => {
      const followed = followPicture(now, same, (50 + i) * 10_000, 10_000)
      now = followed.history
      return followed.condition
    })
    expect(told).toEqual([null, null, 'same_picture', 'same_picture'])
  })
  it('is nothing before the first good picture', () => {
    expect(packView(follow(null, 0, 3, { gain: 0.02 }).history)).toBeNull()
  })
  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['nothing', () => Buffer.alloc(0)],
    ['another version', (bytes) => (bytes.writeUInt8(9, 0), bytes)],
    ['too short', (bytes) => bytes.subarray(0, -1)],
    ['too long', (bytes) => Buffer.concat([bytes, Buffer.of(0)])],
    ['learnt from nothing', (bytes) => (bytes.writeUInt16LE(0, 1), bytes)],
    ['a fit that is none', (bytes) => (bytes.writeFloatLE(NaN, 3), bytes)],
    ['a sharpness that is none', (bytes) => (bytes.writeFloatLE(-1, 7), bytes)],
  ])('that is %s is not read', (_name, spoil) => {
    expect(unpackView(spoil(packView(learnt)!))).toBeNull()
  })
})
