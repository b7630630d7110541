import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'

const NODE = join(import.meta.dirname, '../node_modules/.bin/node')
const RUN = `
  import { spawn } from 'node:child_process'
  import { setup } from ${JSON.stringify(new URL('leftovers.global.ts', import.meta.url).href)}
  delete process.env.VIGIL_TEST_RUN
  setup()
  const database = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' })
  console.log(JSON.stringify({ pid: database.pid, folder: process.env.TMPDIR }))
  setInterval(() => console.log('a test has passed'), 10)
`

test('a run whose output closes, or that is killed, leaves no process and no file behind', async () => {
  for (const end of ['close', 'kill']) {
    const run = spawn(NODE, ['--input-type=module', '-e', RUN], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const ended = once(run, 'exit')
    const [line] = await once(createInterface({ input: run.stdout }), 'line')
    const { pid, folder } = JSON.parse(String(line)) as { pid: number; folder: string }
    expect([existsSync(`/proc/${pid}`), existsSync(folder)]).toEqual([true, true])
    if (end === 'close') run.stdout.destroy()
    else run.kill('SIGKILL')
    await ended
    await expect.poll(() => [existsSync(`/proc/${pid}`), existsSync(folder)]).toEqual([false, false])
  }
})
