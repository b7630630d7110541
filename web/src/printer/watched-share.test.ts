import { howMuch } from '@vigil/contract/watch/watch-code.ts'
import { expect, it } from 'vitest'
import { watchedPercent } from './watched-share.ts'

const share = (seconds: number, of = 2863) => ({ seconds, of, unseen: [] })

it('is never rounded to what it is not', () => {
  expect([0, 1, 2551, 2862, 2863].map((seconds) => watchedPercent(share(seconds)))).toEqual([
    0, 1, 89, 99, 100,
  ])
  expect(watchedPercent(share(0, 0))).toBe(0)
})

const of = (seconds: number, print: number, unseen: string[] = []) => howMuch({ seconds, of: print, unseen })

it('is the whole but for the time between two looks', () => {
  expect([0, 12, 2551, 2810, 2863].map((seconds) => of(seconds, 2863))).toEqual([
    'none',
    'part',
    'part',
    'all',
    'all',
  ])
  expect(of(2840, 2863, ['no_picture']), 'the first picture came late').toBe('all')
  // A print of seconds that nobody looked at.
  expect(of(0, 9)).toBe('none')
})

it('is never the whole where something kept us from looking for longer, or for a good part of a short print', () => {
  expect(of(44, 62, ['printer_lost'])).toBe('part')
  expect(of(40, 61)).toBe('part')
  const day = 20 * 3600
  expect(of(day - 900, day), 'two clocks differ').toBe('all')
  expect(of(day - 900, day, ['picture_dark'])).toBe('part')
})
