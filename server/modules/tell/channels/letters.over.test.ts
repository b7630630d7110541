import { expect, it } from 'vitest'
import type { Text } from '../../../http/texts.ts'
import { foundBlock, watchedFact } from './letters.over.ts'

const over = (seconds: number, unseen: string[] = [], hadAlert = false) => ({
  print: { seconds: 2863 },
  hadAlert,
  watched: { seconds, unseen },
})
const said = (letter: Parameters<typeof foundBlock>[0]) =>
  foundBlock(letter).map((block) =>
    block.kind === 'box' ? [block.tone, (block.words as Text).in('en')] : [],
  )
const fact = (letter: Parameters<typeof watchedFact>[0]) =>
  watchedFact(letter)?.map((text) => text.in('en')) ?? null

it('says how much was watched, and what kept the rest from being seen', () => {
  expect(fact(over(2551, ['picture_dark', 'server_down']))).toEqual([
    'Watched',
    '2,551 of 2,863 s; not seen: the picture is too dark, the server was not running',
  ])
  expect(fact(over(2863))).toEqual(['Watched', '2,863 of 2,863 s'])
})

it('never says that nothing was found in what was not looked at', () => {
  expect(said(over(2850))).toEqual([['good', expect.stringContaining('No failures were detected')]])
  expect(said(over(2551))).toEqual([['warn', expect.stringContaining('in what was watched')]])
  expect(said(over(0))).toEqual([['warn', expect.stringContaining('was not watched')]])
  expect(said(over(2551, [], true))).toEqual([['warn', 'Possible failures were detected in this print.']])
  // Of a print whose end an older version told nobody knows.
  expect(said({ ...over(0), watched: null })).toEqual([])
  expect(fact({ ...over(0), watched: null })).toBeNull()
})
