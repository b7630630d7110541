import { describe, expect, test } from 'vitest'
import { choosePictures, gapAfter, gradeOf, layerScore } from './layers.rules.ts'

test('grades have their borders at 80, 60, 40 and 20', () => {
  expect([100, 80, 79.9, 60, 59.9, 40, 39.9, 20, 19.9, 0].map(gradeOf).join('')).toBe('AABBCCDDFF')
})

describe('the layer score', () => {
  test('is that of its pictures when they are alike', () => {
    expect(layerScore([90, 90, 90])).toBe(90)
    expect(layerScore([0])).toBe(0)
  })
  test('is as good as where it is bad: one bad fifth costs most of a grade', () => {
    expect(layerScore([95, 95, 95, 95, 10])).toBeCloseTo(0.6 * 78 + 0.4 * 10)
  })
  test('does not hang on the order, nor on pictures of no nozzle camera', () => {
    expect(layerScore([10, null, 95, 95, null, 95, 95])).toBe(layerScore([95, 95, 95, 95, 10]))
  })
  test('is none when hardly a picture is of a nozzle camera', () => {
    expect(layerScore([])).toBeNull()
    expect(layerScore([null, null])).toBeNull()
    expect(layerScore([90, null, null, null, null, null])).toBeNull()
    expect(layerScore([90, null, null, null, null])).toBe(90)
  })
})

describe('the pictures that are shown', () => {
  const scores = Array.from({ length: 200 }, (_, i) => (i % 10 === 3 ? i % 100 : 90))
  test('are all when they are few, in their order', () => {
    expect(choosePictures([50, null, 90])).toEqual([0, 1, 2])
    expect(choosePictures([])).toEqual([])
  })
  test('are 24 at most: the worst, and others from the whole layer', () => {
    const places = choosePictures(scores)
    expect(places).toHaveLength(24)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    for (const worst of [3, 13, 23, 33, 103, 113, 123, 133]) expect(places).toContain(worst)
    expect(places[0]).toBe(0)
    expect(places.at(-1)).toBe(199)
  })
  test('of no nozzle camera only fill up', () => {
    const mixed: (number | null)[] = Array.from({ length: 60 }, (_, i) => (i < 30 ? null : 80))
    expect(choosePictures(mixed).every((place) => place >= 30)).toBe(true)
    expect(choosePictures(Array.from({ length: 60 }, () => null))).toHaveLength(24)
  })
})

test('pictures are kept five a second at first, and an hour of ten a second leaves under 2000', () => {
  expect([0, 299, 300, 600].map(gapAfter)).toEqual([200, 200, 400, 800])
  let [kept, last] = [0, -Infinity]
  for (let at = 0; at < 3_600_000; at += 100) {
    if (at - last < gapAfter(kept)) continue
    kept++
    last = at
  }
  expect(kept).toBeGreaterThan(1000)
  expect(kept).toBeLessThan(2000)
})
