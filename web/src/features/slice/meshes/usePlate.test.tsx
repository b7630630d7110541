import { act, renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { pieceOf, usePlate } from './plate.ts'

it('a hundred steps are taken back and forth; what comes by itself is none', () => {
  const { result } = renderHook(() => usePlate(() => []))
  const only = (n: number) => () => [pieceOf('/mesh', String(n), null, [0, 0])]
  const name = () => result.current.pieces[0]?.name
  act(() => result.current.settle(only(0)))
  expect([name(), result.current.undo]).toEqual(['0', null])
  for (let n = 1; n <= 120; n++) act(() => result.current.change(only(n)))
  const all = (way: 'undo' | 'redo') => {
    let count = 0
    for (let step = result.current[way]; step; step = result.current[way]) {
      act(step)
      count++
    }
    return [count, name()]
  }
  expect(all('undo')).toEqual([100, '20'])
  expect(all('redo')).toEqual([100, '120'])
})
