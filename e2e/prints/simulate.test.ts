import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aWorkshop, QUICK, SCALE } from '../fixture.ts'
import { addPrinter } from '../support.ts'

const ROOT = join(import.meta.dirname, '../..')
const README = readFileSync(join(ROOT, 'simulator/README.md'), 'utf8')
// The examples are told in fast forward.
const workshop = aWorkshop({ env: QUICK })

/** Runs Node until it says `end`, and returns all that it said; null when it ended before. */
async function runUntil(args: readonly string[], end: RegExp | null): Promise<string | null> {
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
  let said = ''
  const heard = new Promise<boolean>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (end?.test(said)) resolve(true)
    })
  })
  const isHeard = await Promise.race([heard, closed.then((code) => end === null && code === 0)])
  child.kill()
  await closed
  return isHeard ? said : null
}

const failing = [...README.matchAll(/^ {4}\.\/vigil (simulate .*--fail .*)$/gm)].map(
  ([, command]) => command!,
)

test('there is an example that fails', () => expect(failing).not.toEqual([]))

test.each(failing)('%s ends in a pause', { timeout: 120_000 }, async (command) => {
  const { page } = workshop.owner
  const { code } = await page.evaluate(
    async () => (await (await fetch('/api/v1/onetimeverificationcodes/')).json()) as { code: string },
  )
  const words = command
    .replace(/--server \S+/, `--server ${workshop.vigil.address}`)
    .replace('--code 123456', `--code ${code}`)
    .replace(/--speed (\d+)/, (_, speed: string) => `--speed ${Number(speed) * SCALE}`)
    .split(' ')
  const args = [join(ROOT, 'server/cli/main.ts'), ...words, '--time-scale', String(SCALE)]
  expect(await runUntil(args, /says (PrintPaused|PrintDone|PrintCancelled)/)).toMatch(
    /is told \[\{"cmd":"pause"[\s\S]*says PrintPaused/,
  )
})

test('the example in code hears the pause', { timeout: 120_000 }, async () => {
  const example = /```ts\n([\s\S]*?)```/.exec(README)?.[1]
  const { auth_token: token } = await addPrinter(workshop.owner.page, 'In code')
  const given = `const server = ${JSON.stringify(workshop.vigil.address)}, token = ${JSON.stringify(token)}\n`
  expect(await runUntil(['--input-type=module', '--eval', given + example], null)).not.toBeNull()
})
