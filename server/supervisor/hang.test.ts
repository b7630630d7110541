import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it, type TestContext } from 'vitest'
import { inSuite } from '../../scripts/suites.ts'
import { shareOfProcessor } from '../test/faults/starve.ts'
import { type RunningKeeper, startKeeper } from './supervisor.support.ts'
import { SILENT_MS } from './watchdog.ts'

/** A loop costs a whole processor for as long as it is let. */
const PATIENCE_MS = 4_000

async function aKeeper(
  test: Pick<TestContext, 'onTestFinished'>,
  silentMs = PATIENCE_MS,
): Promise<RunningKeeper> {
  const keeper = await startKeeper({ silentMs })
  test.onTestFinished(() => keeper.end())
  return keeper
}

/** Makes the server hang; resolves when everybody who knocked meanwhile was answered by the next one. */
async function recovers(keeper: RunningKeeper, hang: (pid: number) => void): Promise<number> {
  const pid = await keeper.childPid()
  const began = performance.now()
  hang(pid)
  const knocking = Array.from({ length: 20 }, async (_, i) => {
    // One after the other, before and while it is found out.
    await sleep(200 + i * 100)
    return await keeper.childPid()
  })
  for (const next of await Promise.all(knocking)) expect(next).not.toBe(pid)
  return (performance.now() - began) / 1000
}

it.concurrent('a stopped server and one that loops are replaced, and who knocks meanwhile only waits', async (test) => {
  const patience = inSuite(2_500, PATIENCE_MS)
  const [stopped, looping] = [await aKeeper(test, patience), await aKeeper(test, patience)]
  const seconds = await Promise.all([
    recovers(stopped, (pid) => process.kill(pid, 'SIGSTOP')),
    recovers(looping, () => void fetch(`${looping.url}/loop`).catch(() => undefined)),
  ])
  console.log(`recovered after ${seconds.map((one) => one.toFixed(1)).join(' and ')} s`)
  for (const keeper of [stopped, looping]) expect(keeper.log()).toContain('the server hangs and is replaced')
  expect(looping.log()).toContain('at loopForEver')
  // The stack, and nothing of the environment.
  expect(looping.log()).not.toContain('x'.repeat(32))
  expect(looping.log()).not.toContain('VIGIL_')
}, 600_000)

it.concurrent('a keeper that stood still itself blames nobody', async (test) => {
  const keeper = await aKeeper(test)
  const pid = await keeper.childPid()
  keeper.process.kill('SIGSTOP')
  // Real time: what stands still has no other, and what did not happen is told by nobody.
  await sleep(PATIENCE_MS + 2_000)
  keeper.process.kill('SIGCONT')
  await sleep(1_500)
  expect(await keeper.childPid()).toBe(pid)
  expect(keeper.log()).not.toContain('hangs')
}, 600_000)

const PART = 0.25
const share = shareOfProcessor(PART)
afterAll(() => share?.end())

it.runIf(share).concurrent(
  'a server that is short of a processor is late, not hung; one that loops is replaced there, too',
  async ({ expect, ...test }) => {
    const keeper = await aKeeper(test)
    const pid = await keeper.childPid()
    share?.take(pid)
    // Twice as long as the keeper's patience, in one turn of the loop.
    const began = performance.now()
    const answer = await fetch(`${keeper.url}/work/${PART * 2 * PATIENCE_MS}`)
    expect(((await answer.json()) as { pid: number }).pid).toBe(pid)
    expect(performance.now() - began).toBeGreaterThan(1.5 * PATIENCE_MS)
    expect(keeper.log()).not.toContain('hangs')

    const looping = fetch(`${keeper.url}/loop`).catch(() => undefined)
    await expect.poll(() => keeper.childPid().catch(() => pid), { timeout: 600_000 }).not.toBe(pid)
    expect(keeper.log()).toContain('the server hangs and is replaced')
    await looping
  },
  900_000,
)

it('the product has more patience: 20 s', () => {
  expect(SILENT_MS).toBe(20_000)
})
