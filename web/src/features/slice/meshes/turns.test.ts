import { Vector3 } from 'three'
import { describe, expect, it } from 'vitest'
import { isBeyond, isTouching, turnOf } from './footprint.ts'
import { footprintOf } from './outline.ts'
import { type Part, partsOf } from './stl.ts'
import { arranged, bestTurn, laidOn } from './turns.ts'

/** A box about its middle. */
function boxOf(x: number, y: number, z: number): Part[] {
  const faces = [
    0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7,
    5,
  ]
  const corners = faces.flatMap((n) => [
    ((n & 1) - 0.5) * x,
    (((n >> 1) & 1) - 0.5) * y,
    (((n >> 2) & 1) - 0.5) * z,
  ])
  return partsOf(Float32Array.from(corners))
}
const standing = (x: number, y: number, at: readonly [number, number], turn = 0) => ({
  footprint: footprintOf(boxOf(x, y, 10), turnOf([0, 0, turn], [1, 1, 1]).elements),
  at,
})
const BED = [
  [0, 0],
  [200, 0],
  [200, 200],
  [0, 200],
] as const

describe('what a piece takes of the plate', () => {
  it('is measured as it is turned and scaled', () => {
    const { min, max } = footprintOf(boxOf(10, 20, 30), turnOf([90, 0, 0], [2, 1, 1]).elements)
    const sizes = [0, 1, 2].map((axis) => Math.round((max[axis] ?? 0) - (min[axis] ?? 0)))
    expect(sizes).toEqual([20, 30, 20])
  })

  it('touches what it stands in, also where only their boxes would meet', () => {
    expect(isTouching(standing(20, 20, [50, 50]), standing(20, 20, [65, 50]))).toBe(true)
    expect(isTouching(standing(20, 20, [50, 50]), standing(20, 20, [71, 50]))).toBe(false)
    // Two rods side by side at 45 degrees.
    expect(isTouching(standing(80, 4, [50, 50], 45), standing(80, 4, [60, 50], 45))).toBe(false)
  })

  it('is beyond a bed of any shape as soon as a corner is', () => {
    expect(isBeyond(standing(20, 20, [10, 10]), BED, 0.05)).toBe(false)
    expect(isBeyond(standing(20, 20, [9, 10]), BED, 0.05)).toBe(true)
    expect(isBeyond(standing(20, 20, [9, 10]), BED.toReversed(), 0.05)).toBe(true)
    const round = Array.from(
      { length: 60 },
      (_, i) => [100 + 100 * Math.cos((i * Math.PI) / 30), 100 + 100 * Math.sin((i * Math.PI) / 30)] as const,
    )
    expect(isBeyond(standing(20, 20, [100, 15]), round, 0.05)).toBe(false)
    expect(isBeyond(standing(20, 20, [15, 15]), round, 0.05)).toBe(true)
  })
})

it('a face is laid on the bed from however the piece stands', () => {
  const rotate = laidOn(new Vector3(1, 0, 0), [0, 0, 0])
  const down = new Vector3(1, 0, 0).transformDirection(turnOf(rotate, [1, 1, 1]))
  expect(down.z).toBeCloseTo(-1)
})

it('a plate that stands on its edge is laid flat; what lies flat already is left so', () => {
  const turn = bestTurn(boxOf(40, 2, 40))
  const { min, max } = footprintOf(boxOf(40, 2, 40), turnOf(turn, [1, 1, 1]).elements)
  expect(max[2] - min[2]).toBeCloseTo(2)
  expect(bestTurn(boxOf(40, 40, 2))).toEqual([0, 0, 0])
})

it('pieces are arranged about the middle of the bed, none in another', () => {
  const pieces = [30, 50, 20, 20, 60].map((size, i) => ({
    key: String(i),
    footprint: standing(size, size, [0, 0]).footprint,
  }))
  const places = arranged(pieces, [100, 100])
  const stand = pieces.map(({ key, footprint }) => {
    const [x, y] = places.get(key)!
    return { footprint, at: [x, y] as const }
  })
  expect(stand.some((one) => isBeyond(one, BED, 0))).toBe(false)
  expect(stand.some((one, i) => stand.some((other, j) => i !== j && isTouching(one, other)))).toBe(false)
})
