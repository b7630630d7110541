/** A server that gets a quarter of a processor, and very many agents at once (docs/server.md, "The supervisor and its child"). */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { inSuite } from '../../../scripts/suites.ts'
import { connectAgent, type WireAgent } from '../wire/agent.ts'
import { type Share, shareOfProcessor } from './starve.ts'
import { aFolder, greeted, idle, printing, removeFolder, type Running, up } from './support.ts'

const [OLD, NEW, PART] = inSuite([20, 100, 0.1], [200, 5_000, 0.25])
const PATIENCE_MS = inSuite(120_000, 900_000)
const share = shareOfProcessor(PART)
const folder = aFolder()
let server: Running | undefined
const agents: WireAgent[] = []

afterAll(async () => {
  for (const { ws } of agents) ws.terminate()
  share?.lift()
  await server?.stop()
  await share?.end()
  removeFolder(folder)
})

/** A process and all that descend from it. */
function family(root: number): number[] {
  const children = (pid: number): number[] =>
    readdirSync(`/proc/${pid}/task`).flatMap((tid) =>
      readFileSync(`/proc/${pid}/task/${tid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
    )
  return [root, ...children(root).flatMap(family)]
}

it.runIf(share)(
  'agents that all come at once on a starved machine throw nobody out who was in, and all get in',
  async () => {
    const { take, throttled } = share as Share
    server = await up(folder)
    await server.signIn()
    const printers = await server.addPrinters(OLD + NEW)
    const key = 1_790_000_000
    const old = await Promise.all(
      printers.slice(0, OLD).map((one) => greeted(server as Running, one.auth_token)),
    )
    agents.push(...old)
    const child = server.childPid()
    for (const pid of family(server.process.pid ?? 0)) take(pid)

    const began = performance.now()
    let comes = 0
    const coming = printers.slice(OLD).map(async ({ auth_token: token }) => {
      const agent = await connectAgent(server as Running, token)
      agents.push(agent)
      // As agents do, as soon as they are in.
      agent.send(idle(1))
      comes++
    })
    // Who is in goes on to report.
    for (let n = 1; comes < NEW; n++) {
      for (const agent of old) agent.send(printing(key, n))
      await Promise.race([Promise.all(coming), sleep(1_000)])
      if (n % 10 === 0) console.log(`${Math.round((performance.now() - began) / 1000)} s: ${comes} in`)
      expect(old.filter(({ closed }) => closed !== null)).toEqual([])
      expect(performance.now() - began).toBeLessThan(PATIENCE_MS)
    }
    console.log(
      `${NEW} came in within ${((performance.now() - began) / 1000).toFixed(0)} s, throttled ${throttled()} times`,
    )
    expect(server.childPid()).toBe(child)
    expect(server.log()).not.toContain('hangs')
    expect(agents.filter(({ closed }) => closed !== null)).toEqual([])
  },
  PATIENCE_MS + 120_000,
)
