import { expect, it } from 'vitest'
import { fromLocalInput, toLocalInput } from './local-time.ts'

it('goes to a field of date and time and back, to the minute', () => {
  const at = Date.parse('2026-07-01T12:34:00Z')
  expect(fromLocalInput(toLocalInput(at))).toBe('2026-07-01T12:34:00.000Z')
  expect(toLocalInput(at)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/)
})

it('takes an empty or broken field for none', () => {
  expect([fromLocalInput(''), fromLocalInput('x'), toLocalInput(null)]).toEqual([null, null, ''])
})
