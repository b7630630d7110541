import { expect, test } from 'vitest'
import { gridOf } from '../temporal/heat-grid.rules.ts'
import { levelOfScore } from '../temporal/odds.rules.ts'
import { lookOf, storedHeatOf, type StoredLook } from './stored-look.rules.ts'

const setting = {
  zones: [],
  keyOf: (model: string) => model,
  size: { width: 320, height: 240 },
  timeScale: 1,
}
const square = (left: number, top: number, right: number, bottom: number) => [
  { x: left, y: top },
  { x: right, y: top },
  { x: right, y: bottom },
  { x: left, y: bottom },
]

/** Hot on the left, and a little less on the right. */
function aLook(): StoredLook {
  const [width, height] = [32, 24]
  const values = new Uint8Array(width * height)
  for (let y = 10; y < 14; y++)
    for (let x = 0; x < width; x++) values[y * width + x] = x < 4 ? 250 : x > 27 ? 200 : 1
  const heat = storedHeatOf({ width, height, values })
  return { at: new Date(1000), model: 'm 1', score: 0.98, blind: null, boxes: [], heat }
}

test('a look without zones is the look that it was', () => {
  const look = lookOf(aLook(), setting)!
  expect(look).toMatchObject({
    at: 1000,
    kind: 'vigil',
    modelKey: 'm 1',
    score: 0.98,
    usable: true,
    moved: false,
  })
  const { width, height, values } = aLook().heat!
  expect(gridOf(look.heat!)).toEqual(gridOf({ width, height, values: Buffer.from(values, 'base64') }))
})

test('a zone takes off what lies in it, cell by cell of the map, and as much of the score', () => {
  const whole = lookOf(aLook(), setting)!
  const left = lookOf(aLook(), { ...setting, zones: [square(0, 0, 0.2, 1)] })!
  const both = lookOf(aLook(), { ...setting, zones: [square(0, 0, 0.2, 1), square(0.8, 0, 1, 1)] })!
  const half = lookOf(aLook(), { ...setting, zones: [square(0, 0, 0.065, 1)] })!
  expect(left.score).toBeLessThan(whole.score)
  expect(levelOfScore(both.score)).toBeLessThan(levelOfScore(left.score) - 3)
  expect(half.score, 'what is beside the edge of a zone stays').toBeGreaterThan(left.score)
  expect(lookOf(aLook(), { ...setting, zones: [square(0.3, 0.6, 0.6, 1)] })!.score).toBe(0.98)
})

test('where boxes are all there is, those whose middle lies in a zone count nothing', () => {
  const box = (x: number, score: number) => ({ x, y: 100, w: 20, h: 20, score })
  const look = {
    ...aLook(),
    model: 'obico-shaped abc',
    heat: null,
    score: 1.3,
    boxes: [box(10, 0.9), box(250, 0.4)],
  }
  expect(lookOf(look, setting)).toMatchObject({ kind: 'obico', score: 1.3, heat: null })
  const zoned = { ...setting, zones: [square(0, 0, 0.2, 1)] }
  expect(lookOf(look, zoned)).toMatchObject({ score: 0.4, boxes: [{ x: 250 }] })
  expect(lookOf(look, { ...zoned, size: null }), 'of pictures whose size nobody knows').toMatchObject({
    score: 1.3,
  })
})

test('what was blind decides nothing, and what was not scored is no look', () => {
  expect(lookOf({ ...aLook(), blind: 'moved' }, setting)).toMatchObject({ usable: false, moved: true })
  expect(lookOf({ ...aLook(), score: null }, setting)).toBeNull()
})
