import { expect, it } from 'vitest'
import { rangeOf } from './useSelection.ts'

it('a range goes from the one that was chosen before to this one', () => {
  expect(rangeOf([9, 7, 5, 3], 3, 7)).toEqual([7, 5, 3])
  expect(rangeOf([9, 7, 5, 3], 7, 3)).toEqual([7, 5, 3])
  expect(rangeOf([9, 7], null, 7)).toEqual([7])
  expect(rangeOf([9, 7], 1, 7)).toEqual([7])
})
