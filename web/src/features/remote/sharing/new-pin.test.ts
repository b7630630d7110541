import { expect, it } from 'vitest'
import { newPin } from './new-pin.ts'

it('offers six digits, another time others', () => {
  const pins = Array.from({ length: 50 }, newPin)
  for (const pin of pins) expect(pin).toMatch(/^\d{6}$/)
  expect(new Set(pins).size).toBeGreaterThan(40)
})
