import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { byServer } from '../access/index.ts'
import { call } from '../../../test/app.ts'
import { connectAgent, eventually, type WireAgent } from '../../../test/wire/agent.ts'
import { sendCommand } from '../commands/index.ts'
import { agentLab } from './agents.fixture.ts'

const lab = agentLab()
const { codes, connect, greeted, record, seconds, shown, status } = lab

/** Lets so much time pass that a ping is due, and waits until the agent has it. */
async function pinged(agent: WireAgent, ms: number): Promise<void> {
  const ping = once(agent.ws, 'ping')
  lab.app.advance(ms)
  await ping
}

describe('the socket', () => {
  it('refuses a bad token before the upgrade', async () => {
    await expect(connectAgent(lab.app, 'nobody')).rejects.toThrow('refused 403')
  })

  it('greets with remote_status and waits for the first report', async () => {
    const agent = await connect()
    expect(await agent.hear(() => true)).toEqual({
      remote_status: { viewing: false, should_watch: false },
      type: 'printer.message',
    })
    await eventually(async () => ((await record())?.state === 'waiting' ? true : undefined))
    agent.send({})
    agent.send({ current_print_ts: -1, status: status({}, false) })
    await eventually(async () => ((await record())?.state === 'connected' ? true : undefined))
    expect((await shown()).state.text).toBe('Operational')
    agent.close()
    await eventually(async () => ((await record()) === null ? true : undefined))
    expect(await shown()).toBeNull()
  })

  it('says when it was last seen after it has left', async () => {
    const agent = await greeted()
    agent.close()
    const path = `/api/v1/printers/${lab.printer.id}/`
    const seen = await eventually(
      async () =>
        ((await call(lab.app, 'GET', path, { cookie: lab.owner.cookie })).json.agent.last_seen_at as
          | string
          | null) ?? undefined,
    )
    expect(Math.abs(lab.app.ctx.clock.now() - Date.parse(seen))).toBeLessThan(10_000)
  })

  it('survives frames that are nothing', async () => {
    const agent = await greeted()
    for (const frame of [
      '',
      'null',
      '[]',
      '{',
      '"x"',
      '{"status":7,"event":[],"settings":"x","current_print_ts":"1"}',
      'NaN',
    ])
      agent.sendRaw(frame)
    for (const frame of [
      Buffer.alloc(0),
      Buffer.from([1]),
      Buffer.from('ffffff7f03', 'hex'),
      Buffer.from('{"status":'),
    ])
      agent.sendRaw(frame)
    agent.sendRaw('{"__proto__":{"polluted":1},"status":{"__proto__":{"polluted":1},"_ts":1}}')
    agent.sendRaw(JSON.stringify({ current_print_ts: -1, status: status({ x: 'y'.repeat(10_000_000) }) }))
    agent.sendRaw(
      `{"status":{"_ts":${seconds()},"currentZ":NaN,"a":-Infinity,"text":"NaN, Infinity"},"current_print_ts":-1}`,
    )
    const kept = await eventually(async () => (await shown())?.text && (await shown()))
    expect(kept).toMatchObject({ currentZ: null, a: null, text: 'NaN, Infinity' })
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect(agent.closed).toBeNull()
  })

  it('is closed at once when the printer goes, and never with 4321', async () => {
    const agent = await greeted()
    expect(
      (await call(lab.app, 'DELETE', `/api/v1/printers/${lab.printer.id}/`, { token: lab.owner.token }))
        .status,
    ).toBe(204)
    expect(await agent.end()).toBe(4401)
  })

  it('cuts a second connection only when the first one provably lives', async () => {
    const elder = await greeted()
    const twin = await connect()
    expect(await twin.end()).toBe(4321)
    expect(twin.heard).toEqual([])
    await expect(connect()).rejects.toThrow('refused 403')
    expect(elder.closed).toBeNull()
    await eventually(async () => ((await codes()).includes('agent_shared_token') ? true : undefined))
    elder.ws.terminate()
    await eventually(async () => ((await record()) === null ? true : undefined))
    await greeted()
  })

  it('replaces a dead socket without a close frame', async () => {
    const dead = await connect({ autoPong: false })
    await dead.hear(() => true)
    const next = await connect()
    await next.hear((message) => 'remote_status' in message)
    expect(await dead.end()).toBe(1006)
    await eventually(async () => ((await record())?.state === 'waiting' ? true : undefined))
  })

  it('tells of an agent that has gone silent, and cuts it at last', async () => {
    const agent = await connect({ autoPong: false })
    await agent.hear(() => true)
    agent.send({ current_print_ts: -1, status: status({}, false) })
    await eventually(async () => ((await record())?.state === 'connected' ? true : undefined))
    lab.app.advance(61_000)
    await eventually(async () => ((await record())?.state === 'not_responding' ? true : undefined))
    expect(agent.closed).toBeNull()
    lab.app.advance(90_000)
    expect(await agent.end()).toBe(1006)
    await eventually(async () => ((await record()) === null ? true : undefined))
  })

  it('lives on when the time of day is set, forward or back', async () => {
    const agent = await greeted()
    agent.send({ current_print_ts: -1, status: status({}, false) })
    await eventually(async () => ((await record())?.state === 'connected' ? true : undefined))
    for (const step of [5 * 60_000, -3_600_000]) {
      lab.app.setClock(step)
      // Two rounds of what looks after the sockets.
      for (let round = 0; round < 2; round++) await pinged(agent, 21_000)
      expect(agent.closed).toBeNull()
      const shown = await call(lab.app, 'GET', `/api/v1/printers/${lab.printer.id}/`, {
        cookie: lab.owner.cookie,
      })
      expect(shown.json.agent.state).toBe('connected')
      expect(shown.json.status).not.toBeNull()
      const { id: printerId } = lab.printer
      const command = { cmd: 'resume', args: {}, initiator: 'web', userId: null, printId: null } as const
      expect((await sendCommand(lab.app.ctx, { ...command, printer: byServer(printerId) })).sent).toBe(true)
    }
    lab.app.setClock(3_600_000 - 5 * 60_000)
  })

  it('flags an agent that answers pings and reports nothing', async () => {
    const agent = await greeted()
    agent.send({ current_print_ts: -1, status: status({}, false) })
    for (let i = 0; i < 6; i++) {
      agent.sendRaw('{"passthru":{"terminal_feed":{"msg":"x"}}}')
      await pinged(agent, 40_000)
    }
    await eventually(async () => (await record())?.needsRestart || undefined)
    await eventually(async () => ((await codes()).includes('agent_needs_restart') ? true : undefined))
    expect(agent.closed).toBeNull()
  })
})
