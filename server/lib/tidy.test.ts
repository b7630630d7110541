import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

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
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    timeout: 10_000,
  })
  const { before, after } = JSON.parse(said) as { before: number; after: number }
  expect(after).toBeLessThan(before / 2)
})
