import { describe, expect, it } from 'vitest'
import {
  area,
  asShown,
  asStored,
  BOX,
  dropPoint,
  insertPoint,
  isWhole,
  middle,
  MOST_POINTS,
  movePoint,
  moveZone,
} from './outline.ts'

describe('an ignore zone', () => {
  it('is moved by points, inside the picture', () => {
    expect(movePoint(BOX, 1, { x: 1.4, y: -0.2 })[1]).toEqual({ x: 1, y: 0 })
    expect(movePoint(BOX, 1, { x: 0.5, y: 0.5 })[0]).toEqual(BOX[0])
  })

  it('is moved whole and keeps its form at the edge', () => {
    const moved = moveZone(BOX, 0.9, -0.1)
    expect(moved[1]).toEqual({ x: 1, y: 0.25 })
    expect(area(moved)).toBeCloseTo(area(BOX), 3)
  })

  it('gets points and loses them, three at least', () => {
    const five = insertPoint(BOX, 3, middle(BOX, 3))
    expect(five[4]).toEqual({ x: 0.35, y: 0.5 })
    expect(dropPoint(five, 4)).toEqual(BOX)
    expect(dropPoint(BOX.slice(0, 3), 0)).toBeNull()
    const many = Array.from({ length: MOST_POINTS }, () => ({ x: 0, y: 0 }))
    expect(insertPoint(many, 0, { x: 1, y: 1 })).toBe(many)
  })

  it('needs an area', () => {
    expect(area(BOX)).toBeCloseTo(0.09)
    expect(isWhole(BOX)).toBe(true)
    expect(isWhole(BOX.slice(0, 2))).toBe(false)
    expect(
      isWhole([
        { x: 0, y: 0 },
        { x: 1, y: 1 },
        { x: 0.5, y: 0.5 },
      ]),
    ).toBe(false)
  })

  it('lies on the picture as it is turned: flips first, then clockwise', () => {
    const corner = [
      { x: 0, y: 0 },
      { x: 0.3, y: 0 },
      { x: 0, y: 0.1 },
    ]
    const turned = (rotation: 0 | 90 | 180 | 270, flipH = false, flipV = false) =>
      asShown(corner, { rotation, flipH, flipV })[1]
    expect(turned(0)).toEqual({ x: 0.3, y: 0 })
    // What was the left end of the top edge is now the upper end of the right one.
    expect(turned(90)).toEqual({ x: 1, y: 0.3 })
    expect(turned(180)).toEqual({ x: 0.7, y: 1 })
    expect(turned(270)).toEqual({ x: 0, y: 0.7 })
    expect(turned(90, true)).toEqual({ x: 1, y: 0.7 })
    expect(turned(90, false, true)).toEqual({ x: 0, y: 0.3 })
  })

  it('comes back as it was stored, however the picture is turned', () => {
    for (const rotation of [0, 90, 180, 270] as const)
      for (const flipH of [false, true])
        for (const flipV of [false, true]) {
          const turned = { rotation, flipH, flipV }
          expect(asStored(asShown(BOX.slice(0, 3), turned), turned)).toEqual(BOX.slice(0, 3))
        }
  })
})
