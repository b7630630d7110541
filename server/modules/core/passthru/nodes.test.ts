import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aPrinter, aUser, type TestApp, type TestUser } from '../../../test/app.ts'
import { openRedis } from '../../../test/faults/nodes.ts'
import { twoNodes } from '../../../test/faults/two-nodes.ts'
import { connectAgent, eventually } from '../../../test/wire/agent.ts'
import { openBrowser } from '../../../test/wire/browser.ts'

const redis = await openRedis()
let close: (() => Promise<void>) | undefined
let a: TestApp
let b: TestApp
let owner: TestUser

describe.runIf(redis)('two nodes on one Redis', () => {
  beforeAll(async () => {
    ;({ a, b, close } = await twoNodes(redis))
    owner = await aUser(a)
  })
  afterAll(async () => {
    await close?.()
  })

  it('pass calls to the other’s agent, once, and answers to the socket that asked alone', async () => {
    const printer = await aPrinter(a, owner)
    const agent = await connectAgent(a, printer.auth_token)
    await agent.hear(({ remote_status }) => remote_status !== undefined)
    agent.send({ status: { _ts: Date.now() / 1000, temperatures: { tool0: { actual: 20, target: 0 } } } })
    const path = `/ws/web/${printer.id}/`
    const pages = [
      await openBrowser(b, path, owner.cookie),
      await openBrowser(a, path, owner.cookie),
      await openBrowser(b, '/ws/web/all/', owner.cookie),
    ] as const
    const [asking, other, all] = pages
    all.send({ watch: [printer.id] })
    await all.hear(({ printers }) => printers?.length === 1)
    for (const page of [asking, other]) await page.hear(({ agent: told }) => told?.state === 'connected')
    const jog = { target: '_printer', func: 'jog', args: [{ x: 1 }] }
    asking.send({ passthru: { ref: 'r', ...jog } })
    await agent.hear(({ passthru }) => passthru !== undefined)
    other.send({ passthru: { ref: 'r', ...jog } })
    await other.hear(({ passthru }) => passthru?.code === 'repeated')
    agent.send({ passthru: { ref: 'r', ret: 1 } })
    await asking.hear(({ passthru }) => passthru?.ret === 1)
    all.send({ id: printer.id, passthru: { ref: 's', ...jog } })
    await agent.hear(({ passthru }) => (passthru as any)?.ref === 's')
    agent.send({ passthru: { ref: 's', ret: 2 } })
    await all.hear(({ passthru }) => passthru?.ret === 2)
    // An answer of several frames of the stream between the nodes.
    const picture = randomBytes(450_000).toString('hex')
    asking.send({ passthru: { ref: 'large', ...jog } })
    await agent.hear(({ passthru }) => (passthru as any)?.ref === 'large')
    agent.send({ passthru: { ref: 'large', ret: picture } })
    const { passthru: large } = await asking.hear(({ passthru }) => passthru?.ref === 'large')
    expect(large.ret === picture).toBe(true)
    expect(agent.heard.filter(({ passthru }) => passthru)).toHaveLength(3)
    expect(other.heard.some(({ passthru }) => 'ret' in (passthru ?? {}))).toBe(false)

    // The other node knows the temperatures, too.
    await eventually(async () => {
      const answer = await fetch(`${b.url}/api/v1/printers/${printer.id}/temperatures/`, {
        headers: { cookie: owner.cookie },
      })
      const { heaters } = (await answer.json()) as { heaters: Record<string, unknown[]> }
      return heaters['tool0']?.length === 1 || undefined
    })
    for (const page of pages) page.ws.close()
    agent.close()
  })
})
