import { expect, it } from 'vitest'
import { positionsOf, readShape } from './stl.ts'

/** A binary STL of so many triangles, all of them nothing but those of these numbers. */
function stlOf(count: number, some: Readonly<Record<number, readonly number[]>>): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(84 + 50 * count))
  view.setUint32(80, count, true)
  for (const [n, numbers] of Object.entries(some))
    for (const [at, number] of numbers.entries())
      view.setFloat32(84 + 50 * Number(n) + 12 + 4 * at, number, true)
  return view.buffer
}

it('a mesh is read about the middle of its box, each corner once', () => {
  const square = { 0: [10, 10, 0, 30, 10, 0, 30, 20, 0], 1: [10, 10, 0, 30, 20, 0, 10, 20, 0] }
  const shape = readShape(stlOf(2, square))
  expect(shape.parts).toHaveLength(1)
  expect(shape.parts[0]!.corners).toHaveLength(3 * 4)
  expect([...positionsOf(shape)]).toEqual([-10, -5, 0, 10, -5, 0, 10, 5, 0, -10, -5, 0, 10, 5, 0, -10, 5, 0])
  expect(shape.footprint.max.map(Math.round)).toEqual([10, 5, 0])
})

it('a large one is read in parts, of which nothing is missing', () => {
  const shape = readShape(stlOf(200_001, { 200_000: [0, 0, 0, 60, 0, 0, 0, 20, 10] }))
  expect(shape.parts.map(({ triangles }) => triangles.length / 3)).toEqual([200_000, 1])
  expect(shape.parts[0]!.corners).toEqual(Float32Array.of(-30, -10, -5))
  expect([...shape.parts[1]!.corners]).toEqual([-30, -10, -5, 30, -10, -5, -30, 10, 5])
  expect(shape.footprint.max.map(Math.round)).toEqual([30, 10, 5])
})
