import { describe, expect, it, vi } from 'vitest'
import { clearLines, noteHeard, noteSent, sentLines, shownLines } from './store.ts'

const line = vi.hoisted(() => ({ hear: (_id: number, _message: unknown) => {} }))
vi.mock('../../../printer/live/browser-line.ts', () => ({
  listenLive: (listener: typeof line.hear) => {
    line.hear = listener
  },
}))

const texts = (id: number) =>
  shownLines(id).map(({ text, own, times }) => (own ? `> ${text}` : text) + (times > 1 ? ` x${times}` : ''))

describe('what is sent from here', () => {
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

describe('what the feed brings', () => {
  const feed = (msg: unknown, _ts?: number) => ({ passthru: { terminal_feed: { msg, _ts } } })

  it('is shown once, also when it comes by two ways; the same again later is one line with a count', () => {
    for (const message of [feed('ok', 1), feed('ok', 1), feed('ok', 2), feed('done', 3), feed('ok', 1)])
      line.hear(4, message)
    expect(texts(4)).toEqual(['ok x2', 'done'])
  })

  it('is nothing where nothing is said', () => {
    for (const message of [null, {}, feed(''), feed(7), { passthru: { ref: 'x', ret: 1 } }])
      line.hear(5, message)
    expect(texts(5)).toEqual([])
  })
})
