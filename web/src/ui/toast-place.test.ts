import { describe, expect, it } from 'vitest'
import { type Box, boxAt, choosePlace, overlap, type Place, PLACES } from './toast-place.ts'

const room = { width: 1000, height: 800, inset: { left: 216, top: 16, right: 16, bottom: 16 } }
const size = { width: 300, height: 100 }
const boxOf = (place: Place) => boxAt(place, size, room)
const box = (left: number, top: number, width = 40, height = 40): Box => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
})
/** Right in the middle of a place. */
const at = (place: Place) => box(boxOf(place).left + 130, boxOf(place).top + 30)

describe('toasts', () => {
  it('stand in the corners that are left of the window', () => {
    expect(PLACES.map(boxOf)).toEqual([
      { left: 684, top: 684, right: 984, bottom: 784 },
      { left: 216, top: 684, right: 516, bottom: 784 },
      { left: 684, top: 16, right: 984, bottom: 116 },
      { left: 216, top: 16, right: 516, bottom: 116 },
    ])
  })

  it('stand at the bottom right where nothing is in the way', () => {
    expect(choosePlace(null, boxOf, [], [])).toBe('bottom-right')
  })

  it('cover nothing that is in use, wherever that is', () => {
    for (const used of PLACES) {
      const place = choosePlace(null, boxOf, [at(used)], [])
      expect(overlap(boxOf(place), at(used)), used).toBe(0)
    }
    expect(choosePlace(null, boxOf, [at('bottom-right'), at('bottom-left'), at('top-right')], [])).toBe(
      'top-left',
    )
  })

  it('give way when what they cover comes into use, and stay otherwise', () => {
    expect(choosePlace('bottom-right', boxOf, [at('bottom-right')], [])).toBe('bottom-left')
    expect(choosePlace('top-left', boxOf, [at('bottom-right')], [])).toBe('top-left')
    expect(choosePlace('bottom-right', boxOf, [], [at('bottom-right')])).toBe('bottom-right')
  })

  it('cover the fewest controls, where there is a choice', () => {
    expect(choosePlace(null, boxOf, [], [at('bottom-right'), at('bottom-left')])).toBe('top-right')
    expect(choosePlace(null, boxOf, [at('top-right')], [at('bottom-right'), at('bottom-left')])).toBe(
      'top-left',
    )
  })

  it('cover least of something as large as the window', () => {
    const most = box(0, 0, 1000, 700)
    expect(choosePlace(null, boxOf, [most], [])).toBe('bottom-right')
  })
})
