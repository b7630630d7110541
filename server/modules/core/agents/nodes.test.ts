import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { byServer } from '../access/index.ts'
import { createApp } from '../../../http/app.ts'
import { aPrinter, aUser, buildTestApp, type TestApp, type TestUser } from '../../../test/app.ts'
import { connectAgent, eventually, type WireAgent } from '../../../test/wire/agent.ts'
import { sendCommand } from '../commands/index.ts'
import { readAgent } from '../presence/index.ts'
import { accountCredentials } from '../../people/accounts/index.ts'
import { printerCredentials } from '../../printers/printers/index.ts'
import { agentSockets } from './agents.sockets.ts'

/** Two nodes: the second has sockets of its own and shares database and `live` with the first. */
let app: TestApp
let second: Awaited<ReturnType<typeof createApp>>
let secondUrl: { wsUrl: string }
let owner: TestUser
let printer: Awaited<ReturnType<typeof aPrinter>>
const agents: WireAgent[] = []

beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
  second = await createApp(app.ctx, { ...accountCredentials(app.ctx), ...printerCredentials(app.ctx) })
  agentSockets(second, app.ctx)
  await second.listen({ port: 0, host: '127.0.0.1' })
  secondUrl = { wsUrl: `ws://127.0.0.1:${(second.server.address() as AddressInfo).port}` }
})
afterAll(async () => {
  await second.close()
  await app.close()
})
beforeEach(async () => {
  printer = await aPrinter(app, owner)
})
afterEach(() => {
  for (const agent of agents.splice(0)) agent.ws.terminate()
})

async function connect(node: { wsUrl: string }, options: { autoPong?: boolean } = {}): Promise<WireAgent> {
  const agent = await connectAgent(node, printer.auth_token, options)
  agents.push(agent)
  return agent
}

describe('an agent of two nodes', () => {
  it('stays where it lives: a second one elsewhere is turned away', async () => {
    const elder = await connect(app)
    await elder.hear(() => true)
    await eventually(async () => (await readAgent(app.ctx, printer.id)) ?? undefined)
    const twin = await connect(secondUrl)
    expect(await twin.end()).toBe(4321)
    await expect(connect(secondUrl)).rejects.toThrow('refused 403')
    expect(elder.closed).toBeNull()
  })

  it('moves when it is dead there, and commands follow it', async () => {
    const dead = await connect(app, { autoPong: false })
    await dead.hear(() => true)
    await eventually(async () => (await readAgent(app.ctx, printer.id)) ?? undefined)
    const moved = await connect(secondUrl)
    await moved.hear((message) => message.remote_status !== undefined)
    expect(await dead.end()).toBe(1006)
    const command = {
      printer: byServer(printer.id),
      printId: null,
      cmd: 'cancel',
      args: {},
      initiator: 'web',
      userId: null,
    } as const
    const answer = await eventually(async () => {
      const one = await sendCommand(app.ctx, command)
      return one.sent ? one : undefined
    })
    expect(answer.sent).toBe(true)
    await moved.hear((message) => message.commands !== undefined)
    expect(dead.heard.filter((message) => message.commands !== undefined)).toEqual([])
  })

  it('is cut off wherever it is when its printer goes', async () => {
    const agent = await connect(secondUrl)
    await agent.hear(() => true)
    app.ctx.events.emit('printer.deleted', { printerId: printer.id, why: 'archived' })
    expect(await agent.end()).toBe(4401)
  })
})
