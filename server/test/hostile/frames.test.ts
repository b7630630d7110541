import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keys } from '../../modules/core/presence/names.ts'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../app.ts'
import { connectAgent, eventually, type WireAgent } from '../wire/agent.ts'
import { mutations } from '../wire/mutate.ts'
import { readCapture } from '../wire/replay.ts'
import { asId } from '../ids.ts'

let app: TestApp
let owner: TestUser

beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
})
afterAll(() => app.close())

const idle = (n: number) => ({
  current_print_ts: -1,
  status: { _ts: app.ctx.clock.now() / 1000, n, state: { text: 'Operational', flags: { printing: false } } },
})

const shown = async (printerId: number) => {
  const stored = await app.ctx.live.get(keys.status(asId(printerId)))
  return stored === null ? null : JSON.parse(stored.toString())
}

describe('2,000 seeded mutations of recorded frames', () => {
  it('close no socket, break no list, pollute nothing, and harm no other agent', async () => {
    const [printer, neighbour] = [await aPrinter(app, owner), await aPrinter(app, owner)]
    const [agent, other] = [
      await connectAgent(app, printer.auth_token),
      await connectAgent(app, neighbour.auth_token),
    ]
    await Promise.all([agent, other].map((one) => one.hear((message) => 'remote_status' in message)))
    const frames = ['klipper-4-done-cancel', 'octoprint-1-prints', 'klipper-2-shutdown'].flatMap((name) =>
      readCapture(name).flatMap((line) =>
        line.msg && line.kind === 'json'
          ? [Buffer.from(JSON.stringify(line.msg))]
          : line.hex
            ? [Buffer.from(line.hex, 'hex')]
            : [],
      ),
    )
    let sent = 0
    for (const frame of mutations(frames, 2000, 7)) {
      agent.ws.send(frame.data, { binary: frame.isBinary })
      if (++sent % 100 === 0) {
        other.send(idle(sent))
        await eventually(async () => ((await shown(neighbour.id))?.n === sent ? true : undefined))
      }
    }
    const answers = await eventually(async () => {
      const one = await call(app, 'GET', `/api/v1/printers/${printer.id}/`, { token: owner.token })
      return one.status === 200 ? one : undefined
    })
    expect(answers.json.id).toBe(printer.id)
    for (const path of ['/api/v1/printers/', '/api/v1/prints/?limit=200']) {
      expect((await call(app, 'GET', path, { token: owner.token })).status, path).toBe(200)
    }
    expect([agent.closed, other.closed]).toEqual([null, null])
    expect(Object.keys({})).toEqual([])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    // Whatever clock the mutations invented: what is true now shows again, at the latest when the burst is over.
    app.advance(50_000)
    agent.send(idle(-1))
    await eventually(async () => ((await shown(printer.id))?.n === -1 ? true : undefined))
    for (const one of [agent, other]) one.ws.terminate()
  }, 600_000)
})

describe('flapping agents', () => {
  it('end in their true state, whoever was there last', async () => {
    const printers = await Promise.all(Array.from({ length: 20 }, () => aPrinter(app, owner)))
    const last = await Promise.all(
      printers.map(async (printer, index) => {
        let agent: WireAgent | null = null
        for (let round = 0; round < 6; round++) {
          agent = await connectAgent(app, printer.auth_token)
          agent.send(idle(round))
          if (round % 3 !== 0) await sleep((index * 7 + round * 13) % 60)
          if (round < 5) {
            if (round % 2 === 0) agent.ws.terminate()
            else agent.close()
            await sleep((index * 5 + round * 11) % 40)
          }
        }
        if (index % 2 === 1) agent?.ws.terminate()
        return agent
      }),
    )
    for (const [index, printer] of printers.entries()) {
      const state = index % 2 === 1 ? 'offline' : 'connected'
      await eventually(
        async () => {
          const { json } = await call(app, 'GET', `/api/v1/printers/${printer.id}/`, { token: owner.token })
          const isRight =
            json.agent.state === state && (state === 'offline' ? json.status === null : json.status?.n === 5)
          return isRight ? true : undefined
        },
        6_000,
        () => `printer ${index} is not ${state}`,
      )
    }
    for (const agent of last) agent?.ws.terminate()
  })
})
