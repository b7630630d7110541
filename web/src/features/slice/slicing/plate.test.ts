import { expect, it } from 'vitest'
import { cornersOf, middleOf } from './plate.ts'

it('the middle of a bed is that of its corners; where none are said it is as most are', () => {
  expect(middleOf(cornersOf(['5x0', '215x0', '215x220', '5x220']))).toEqual([110, 110])
  expect(middleOf(cornersOf(['-100x-100', '100x-100', '0x100']))).toEqual([0, 0])
  expect(middleOf(cornersOf(['0x0']))).toEqual([110, 110])
})
