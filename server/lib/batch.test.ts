import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { batched } from './batch.ts'

function doubler(fails: (items: readonly number[]) => boolean = () => false, until = nextTurn()) {
  const rounds: number[][] = []
  const double = batched(
    async (items: readonly number[]) => {
      rounds.push([...items])
      await until
      if (fails(items)) throw new Error('bad item')
      return items.map((item) => item * 2)
    },
    { atMost: 3, gatherMs: 0, isOneItems: (error) => (error as Error).message === 'bad item' },
  )
  return { rounds, double }
}

test('calls that come while a round is under way share the next one, at most so many', async () => {
  const end = Promise.withResolvers<void>()
  const { rounds, double } = doubler(() => false, end.promise)
  const first = double(1)
  await vi.waitUntil(() => rounds.length > 0)
  const all = Promise.all([first, double(2), double(3), double(4), double(5)])
  end.resolve()
  expect(await all).toEqual([2, 4, 6, 8, 10])
  expect(rounds).toEqual([[1], [2, 3, 4], [5]])
  expect(await double(6)).toBe(12)
})

test('calls that come one after the other share a round that waits for them', async () => {
  const rounds: number[][] = []
  const same = batched(
    async (items: readonly number[]) => {
      rounds.push([...items])
      return items
    },
    { atMost: 10, gatherMs: 1_000, isOneItems: () => false },
  )
  const first = same(1)
  await nextTurn()
  const second = same(2)
  await nextTurn()
  expect(await Promise.all([first, second, same(3)])).toEqual([1, 2, 3])
  expect(rounds).toEqual([[1, 2, 3]])
})

test('calls of one turn of the event loop share a round', async () => {
  const { rounds, double } = doubler()
  const later = Promise.resolve().then(() => double(2))
  expect(await Promise.all([double(1), later])).toEqual([2, 4])
  expect(rounds).toEqual([[1, 2]])
})

test('a bad item fails alone', async () => {
  const { rounds, double } = doubler((items) => items.includes(3))
  const all = await Promise.allSettled([1, 2, 3, 4].map(double))
  expect(all.map((one) => (one.status === 'fulfilled' ? one.value : 'failed'))).toEqual([2, 4, 'failed', 8])
  expect(rounds).toEqual([[1, 2, 3], [1], [2], [3], [4]])
})

test('a failure that is no item’s fails the whole round, once, and the next round works', async () => {
  let isAway = true
  const rounds: number[][] = []
  const same = batched(
    async (items: readonly number[]) => {
      rounds.push([...items])
      await nextTurn()
      if (isAway) throw new Error('the database is away')
      return items
    },
    { atMost: 10, gatherMs: 0, isOneItems: () => false },
  )
  const all = await Promise.allSettled([1, 2, 3].map(same))
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(rounds).toEqual([[1, 2, 3]])
  isAway = false
  expect(await same(4)).toBe(4)
})
