import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { watchChild } from './watchdog.ts'

test('a child that has ended before it is watched keeps nobody waiting', async () => {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await once(child, 'exit')
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  watchChild(child, { error: () => undefined })
  expect(timers()).toBe(before)
})
