import { expect, it } from 'vitest'
import { aPrinter, NOW, status } from '../a-printer.fixture.ts'
import { statusOf } from './data-status.ts'

it('takes a newer status of a printer that is there, and nothing else', () => {
  const held = aPrinter()
  const later = status('Paused', { _ts: NOW / 1000 + 1 })
  expect(statusOf(held, { status: later })).toEqual(later)
  const heat = { temperatures: { bed: { actual: 60, target: 60 } } }
  expect(statusOf(held, { status: heat }), 'what it does not tell stays').toEqual({
    ...status('Operational'),
    ...heat,
  })
  expect(statusOf(held, { status: status('Paused', { _ts: NOW / 1000 - 1 }) })).toBeNull()
  expect(statusOf(aPrinter({ status: null }), { status: later }), 'the server has lost it').toBeNull()
  for (const said of [null, 7, 'x', [], {}, { status: null }, { status: [] }, { ref: 'a', ret: 1 }])
    expect(statusOf(held, said)).toBeNull()
})
