import { describe, expect, it } from 'vitest'
import { movement, secondsOf } from './rules.ts'

describe('settings', () => {
  it('never go below nothing', () => {
    expect(movement(-1, 2)).toBe(0)
    expect(movement('', 2)).toBe(2)
    expect(secondsOf(5, 0)).toBe(300)
    expect(secondsOf('', 600)).toBe(600)
  })
})
