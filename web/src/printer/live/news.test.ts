import type { Printer } from '@vigil/contract/printers/printers.ts'
import { QueryClient } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { aPrinter, NOW, status } from '../a-printer.fixture.ts'
import { applyNews, applyPrinter, heldPrinters, LIST_KEY, oneKey } from '../held.ts'
import { applyToList, isUrgent, newsOf } from './news.ts'

const ids = (list: readonly Printer[]) => list.map(({ id }) => id)

describe('the news of a frame', () => {
  it('is the same from both addresses', () => {
    const whole = { printers: [{ id: 1, name: 'A' }], patches: [], gone: [] }
    expect(newsOf({ id: 1, name: 'A' })).toEqual(whole)
    expect(newsOf({ printers: [{ id: 1, name: 'A' }] })).toEqual(whole)
    expect(newsOf({ gone: [3] })).toEqual({ printers: [], patches: [], gone: [3] })
  })

  it('is nothing where no printer is told of', () => {
    for (const frame of [null, 7, 'x', {}, { passthru: { ref: '1' } }, { id: 2, passthru: { ref: '1' } }])
      expect(newsOf(frame)).toBeNull()
  })

  it('hurries when a print begins, ends or alerts, and when a printer is off or gone', () => {
    const urgent = (frame: object) => isUrgent(newsOf(frame)!)
    expect(urgent({ patches: [{ id: 1, patch: { status: { _ts: 2 } } }] })).toBe(false)
    expect(urgent({ patches: [{ id: 1, patch: { status: null } }] })).toBe(true)
    expect(urgent({ patches: [{ id: 1, patch: { current_print: null } }] })).toBe(true)
    expect(urgent({ gone: [1] })).toBe(true)
  })
})

describe('a list after the news', () => {
  it('has what was told in the order it was told, and not what is gone', () => {
    const list = [aPrinter({ id: 1 }), aPrinter({ id: 2 })]
    const patched = applyToList(list, newsOf({ patches: [{ id: 1, patch: { name: 'B' } }], gone: [2] })!, NOW)
    expect(ids(patched)).toEqual([1])
    expect(patched[0]!.name).toBe('B')
    expect(list[0]!.name).toBe('A')
  })

  it('drops an older status of a whole printer', () => {
    const held = [aPrinter({ status: status('Paused') })]
    const late = { id: 1, name: 'B', status: status('Printing', { _ts: NOW / 1000 - 5 }) }
    const [shown] = applyToList(held, newsOf(late)!, NOW)
    expect(shown).toMatchObject({ name: 'B', status: { state: { text: 'Paused' } } })
  })
})

describe('what the line said', () => {
  function page() {
    const client = new QueryClient()
    client.setQueryData(LIST_KEY, [aPrinter({ id: 1 }), aPrinter({ id: 2 })])
    client.setQueryData(oneKey(1), aPrinter({ id: 1 }))
    const names = () => ({
      list: heldPrinters(client)?.map(({ name }) => name),
      one: client.getQueryData<Printer>(oneKey(1))?.name,
      other: client.getQueryData<Printer>(oneKey(2))?.name,
    })
    return { client, names }
  }

  it('is shown in the list and on the page of its printer', () => {
    const { client, names } = page()
    applyPrinter(client, aPrinter({ id: 1, name: 'C' }))
    applyPrinter(client, aPrinter({ id: 2, name: 'D' }))
    expect(names()).toEqual({ list: ['C', 'D'], one: 'C', other: undefined })
  })

  it('builds patches on the list alone, which was told what they build on', () => {
    const { client, names } = page()
    const first = newsOf({ printers: [{ id: 1, name: 'C' }] })!
    const second = newsOf({ patches: [{ id: 1, patch: { name: 'D' } }] })!
    applyNews(client, [first, second])
    expect(names()).toEqual({ list: ['D', 'A'], one: 'C', other: undefined })
  })
})
