import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isCalm } from './tidy.ts'

/** Runs a program of its own; returns what it says. */
function run<T>(program: string): T {
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    timeout: 30_000,
  })
  return JSON.parse(said) as T
}

test('memory that only the start needed is given back, and no process is kept alive for it', () => {
  const program = `
    import { tidySoon } from ${JSON.stringify(import.meta.dirname + '/tidy.ts')}
    let start = Array.from({ length: 300_000 }, (_, i) => ({ i }))
    start = null
    const before = process.memoryUsage().heapTotal
    tidySoon(10)
    setTimeout(() => console.log(JSON.stringify({ before, after: process.memoryUsage().heapTotal })), 300)
    tidySoon(3_600_000)
  `
  const { before, after } = run<{ before: number; after: number }>(program)
  expect(after).toBeLessThan(before / 2)
})

test('what a crowd has taken is given back when it has left and the process is quiet', () => {
  const { empty, full, left } = run<{ empty: number; full: number; left: number }>(`
    import { setTimeout as sleep } from 'node:timers/promises'
    import { eventually } from ${JSON.stringify(join(import.meta.dirname, '../test/eventually.ts'))}
    import { tidyWhenQuiet } from ${JSON.stringify(import.meta.dirname + '/tidy.ts')}
    const heap = () => process.memoryUsage().heapTotal
    const empty = heap()
    const lookMs = 200
    tidyWhenQuiet(lookMs)
    // Begun after it, at its pace: it has looked once.
    await sleep(lookMs)
    let crowd = Array.from({ length: 2_000_000 }, (_, i) => ({ i, name: 'agent ' + i }))
    const full = heap()
    crowd = null
    await eventually(() => heap() <= full / 3 || undefined, 10_000).catch(() => undefined)
    console.log(JSON.stringify({ empty, full, left: heap() }))
  `)
  expect(full).toBeGreaterThan(empty + 100_000_000)
  expect(left).toBeLessThan(full / 3)
})

test('what is left to do for a crowd that has gone keeps nobody from it; steady work does', () => {
  expect(isCalm(0.01, 0.02)).toBe(true)
  expect(isCalm(0.1, 0.9)).toBe(true)
  expect(isCalm(0.1, 0.12)).toBe(false)
  expect(isCalm(0.3, 1.6)).toBe(false)
})
