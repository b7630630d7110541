import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

test('a simulation ends with whoever gives it orders, however that one ends', async () => {
  const main = fileURLToPath(import.meta.resolve('./main.ts'))
  const args = [main, '--server', 'http://127.0.0.1:9', '--token', 'nobody', '--control']
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'ignore'] })
  const ended = once(child, 'exit')
  // As the kernel does with the pipe of a process that was killed.
  child.stdin.end()
  expect((await ended)[0]).toBe(0)
})
