import { describe, expect, it } from 'vitest'
import { replace, update } from './account.card.ts'

describe('what a browser holds', () => {
  it('changes by what differs, and by nothing else', () => {
    const one = new Map<string, string>()
    expect(update(one, { a: 1, b: { c: [1] } })).toBe('"a":1,"b":{"c":[1]}')
    expect(update(one, { a: 1, b: { c: [1] } })).toBe('')
    expect(update(one, { b: { c: [2] } })).toBe('"b":{"c":[2]}')
    expect(replace(one, { b: { c: [2] } })).toBe('"a":null')
    expect(replace(one, { b: 1, x: undefined })).toBe('"b":1')
  })
})
