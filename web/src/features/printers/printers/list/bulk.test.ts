import type { Printer } from '@vigil/contract/printers/printers.ts'
import { describe, expect, it } from 'vitest'
import { canTake, eachFew, sortOut } from './bulk.ts'

function printer(flags: object, print: object | null = {}): Printer {
  return { status: { _ts: 1, state: { text: '', flags } }, current_print: print } as never
}
const printing = printer({ printing: true })
const paused = printer({ paused: true })
const idle = printer({ ready: true }, null)
const offline = { ...idle, status: null }

describe('many at once', () => {
  it('asks only those that can obey', () => {
    const all = [printing, paused, idle, offline]
    expect(all.map((each) => canTake(each, 'pause'))).toEqual([true, false, false, false])
    expect(all.map((each) => canTake(each, 'resume'))).toEqual([false, true, false, false])
    expect(all.map((each) => canTake(each, 'cancel'))).toEqual([true, true, false, false])
  })

  it('counts the alerts that resuming answers', () => {
    const alerting = printer({ paused: true }, { alerted_at: '2026-01-01T00:00:00Z' })
    expect(sortOut([paused, alerting, idle], 'resume')).toEqual({
      able: [paused, alerting],
      unable: 1,
      alerting: 1,
    })
  })

  it('runs a few at a time and every one', async () => {
    let now = 0
    let most = 0
    const done: number[] = []
    await eachFew([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
      most = Math.max(most, ++now)
      await Promise.resolve()
      now--
      done.push(item)
    })
    expect(most).toBe(3)
    expect(done.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7])
  })
})
