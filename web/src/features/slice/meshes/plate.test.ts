import { expect, it } from 'vitest'
import { cornersOf, freeSpot, middleOf } from './plate.ts'

it('the middle of a bed is that of its corners; where none are said it is as most are', () => {
  expect(middleOf(cornersOf(['5x0', '215x0', '215x220', '5x220']))).toEqual([110, 110])
  expect(middleOf(cornersOf(['-100x-100', '100x-100', '0x100']))).toEqual([0, 0])
  expect(middleOf(cornersOf(['0x0']))).toEqual([110, 110])
})

it('what comes stands beside what is there, as near to the middle as it fits', () => {
  const cube = [20, 20, 20] as const
  const middle: readonly [number, number] = [110, 110]
  expect(freeSpot(cube, [], middle)).toEqual([110, 110])
  const taken = [{ at: middle, size: cube }]
  for (let count = 0; count < 8; count++) {
    const at = freeSpot(cube, taken, middle)
    expect(taken.every(({ at: other }) => Math.hypot(at[0] - other[0], at[1] - other[1]) >= 25)).toBe(true)
    taken.push({ at, size: cube })
  }
  expect(Math.max(...taken.map(({ at }) => Math.hypot(at[0] - 110, at[1] - 110)))).toBeLessThan(60)
  expect(freeSpot(cube, [{ at: middle, size: [900, 900, 9] }], middle)).toEqual([110, 110])
})
