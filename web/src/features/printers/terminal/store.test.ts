import { describe, expect, it } from 'vitest'
import { clearLines, noteHeard, noteSent, sentLines, shownLines } from './store.ts'

describe('what is sent from here', () => {
  const texts = (id: number) => shownLines(id).map(({ text, own }) => (own ? `> ${text}` : text))

  it('is shown with its answer where the feed would not show it, and always remembered', () => {
    noteSent(1, 'M115', true)
    noteHeard(1, 'ok\r\n')
    noteHeard(1, '  ')
    noteSent(1, 'M105', false)
    expect(texts(1)).toEqual(['> M115', 'ok'])
    expect(sentLines(1)).toEqual(['M115', 'M105'])
  })

  it('stays with its printer, and outlives clearing', () => {
    noteSent(2, 'G28', true)
    clearLines(2)
    expect(texts(2)).toEqual([])
    expect(sentLines(2)).toEqual(['G28'])
    expect(sentLines(3)).toEqual([])
  })
})
