import { expect, it } from 'vitest'
import { watchedOf, watchedPercent } from './watchedShare.ts'

const share = (seconds: number, of = 2863) => ({ seconds, of, unseen: [] })

it('is never rounded to what it is not', () => {
  expect([0, 1, 2551, 2862, 2863].map((seconds) => watchedPercent(share(seconds)))).toEqual([
    0, 1, 89, 99, 100,
  ])
  expect(watchedPercent(share(0, 0))).toBe(0)
})

it('is the whole but for the time between two looks', () => {
  expect([0, 12, 2551, 2810, 2863].map((seconds) => watchedOf(share(seconds)))).toEqual([
    'none',
    'part',
    'part',
    'all',
    'all',
  ])
  // A print of seconds that nobody looked at.
  expect(watchedOf(share(0, 9))).toBe('none')
})
