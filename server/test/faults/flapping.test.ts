import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { WebSocket } from 'ws'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aUser, buildTestApp, type TestApp, type TestUser } from '../app.ts'
import { inSuite } from '../../../scripts/suites.ts'
import { addPrinter } from '../../modules/printers/printers/index.ts'
import { connectAgent, eventually } from '../wire/agent.ts'
import { ask, greeted, heapAtRest, idle, printing, shown } from './support.ts'

/** Two minutes with FLAP_SECONDS=120 (docs/wire/rest.md 1). */
const SECONDS = Number(process.env['FLAP_SECONDS'] ?? inSuite(5, 10))
const AGENTS = inSuite(80, 200)

let app: TestApp
let owner: TestUser

beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
})
afterAll(() => app.close())

const activeTimers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

const sockets = () => app.server.app.websocketServer.clients.size

/** Random, but the same each time. */
function randomFrom(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

it(
  `${AGENTS} agents that flap for ${SECONDS} s end in their true state, with one print each, and leave nothing behind`,
  async () => {
    const printers = await Promise.all(
      Array.from({ length: AGENTS }, (_, index) =>
        addPrinter(app.ctx, { ownerEmail: owner.email, name: `P${index}` }),
      ),
    )
    const key = Math.floor(Date.now() / 1000)
    const warmUp = await Promise.all(printers.map((printer) => greeted(app, printer.auth_token)))
    for (const agent of warmUp) agent.send(idle())
    for (const { id } of printers) await shown(app, owner.cookie, id, (one) => one.status !== null)
    for (const agent of warmUp) agent.ws.terminate()
    await eventually(() => (sockets() === 0 ? true : undefined))
    const [before, timersBefore] = [await heapAtRest(), activeTimers()]

    const until = Date.now() + SECONDS * 1000
    let connections = 0
    const leftBehind: Promise<void>[] = []
    const ends = await Promise.all(
      printers.map(async (printer, index) => {
        const random = randomFrom(index + 1)
        const prints = index % 2 === 0
        const report = (n: number) => (prints ? printing(key, n) : idle(n))
        while (Date.now() < until) {
          const agent = await connectAgent(app, printer.auth_token).catch(() => null)
          connections++
          if (agent === null) {
            await sleep(random() * 500)
            continue
          }
          const count = Math.floor(random() * 4)
          for (let n = 0; n < count; n++) {
            if (agent.closed === null) agent.send(report(n))
            await sleep(random() * 100)
          }
          // Most often without a word; sometimes the old socket is left behind, half open.
          const way = random()
          if (way < 0.6) agent.ws.terminate()
          else if (way < 0.8) agent.close()
          else {
            agent.ws.pause()
            leftBehind.push(sleep(6_000).then(() => agent.ws.terminate()))
          }
          await sleep(random() * 300)
        }
        // At the end a third is gone for good; a living elder may still have to be found dead.
        if (index % 3 === 0) return null
        return await eventually(
          async () => {
            const agent = await connectAgent(app, printer.auth_token).catch(() => null)
            const greeting =
              agent && (await agent.hear((told) => told.remote_status !== undefined, 8_000).catch(() => null))
            if (greeting && agent?.closed === null) return agent
            agent?.ws.terminate()
            return undefined
          },
          60_000,
          () => `printer ${index} is not let in`,
        )
      }),
    )
    await Promise.all(leftBehind)
    for (const [index, agent] of ends.entries()) agent?.send(index % 2 === 0 ? printing(key, 77) : idle(77))
    for (const [index, printer] of printers.entries()) {
      const isThere = ends[index] !== null
      await shown(app, owner.cookie, printer.id, (one) =>
        isThere
          ? one.agent.state === 'connected' &&
            one.status?.n === 77 &&
            (one.current_print !== null) === (index % 2 === 0)
          : one.agent.state === 'offline' && one.status === null,
      )
    }
    const rows = await app.ctx.db
      .selectFrom('prints')
      .select(({ fn }) => ['printerId', fn.countAll<number>().as('count')])
      .groupBy('printerId')
      .execute()
    expect(rows.filter(({ count }) => count !== 1)).toEqual([])
    expect(rows.length).toBeLessThanOrEqual(AGENTS / 2)
    await eventually(() => sockets() === ends.filter(Boolean).length || undefined)
    for (const agent of ends) agent?.ws.terminate()
    await eventually(() => (sockets() === 0 ? true : undefined))
    await eventually(() => activeTimers() - timersBefore < AGENTS / 4 || undefined)
    const [after, timersAfter] = [await heapAtRest(), activeTimers()]
    console.log(
      `${connections} connections; heap ${(before / 1e6).toFixed(1)} -> ${(after / 1e6).toFixed(1)} MB; timers ${timersBefore} -> ${timersAfter}`,
    )
    expect(after - before).toBeLessThan(15e6)
    expect(timersAfter - timersBefore).toBeLessThan(AGENTS / 4)
  },
  (SECONDS + 600) * 1000,
)

it('a browser that never reads costs about a megabyte, then is dropped; others go on', async () => {
  const printer = await addPrinter(app.ctx, { ownerEmail: owner.email, name: 'Loud' })
  const agent = await greeted(app, printer.auth_token)
  const deaf = new WebSocket(`${app.wsUrl}/ws/web/${printer.id}/`, {
    headers: { cookie: owner.cookie, origin: app.url },
  })
  const other = new WebSocket(`${app.wsUrl}/ws/web/${printer.id}/`, {
    headers: { cookie: owner.cookie, origin: app.url },
  })
  let heard = 0
  other.on('message', () => heard++)
  await eventually(() => (heard > 0 && deaf.readyState === WebSocket.OPEN ? true : undefined))
  deaf.pause()
  const before = sockets()
  const padding = 'x'.repeat(50_000)
  let most = 0
  for (let n = 0; n < 2_000 && sockets() === before; n++) {
    agent.send({ ...idle(n), status: { ...idle(n).status, padding } })
    for (const one of app.server.app.websocketServer.clients) most = Math.max(most, one.bufferedAmount)
    if (n % 10 === 0) await agent.untilRead()
  }
  await eventually(() => (sockets() === before - 1 ? true : undefined))
  expect(most).toBeLessThan(1.3 * 1_048_576)
  expect(other.readyState).toBe(WebSocket.OPEN)
  for (const ws of [deaf, other, agent.ws]) ws.terminate()
})

it('1,000 idle connections hurt nobody, and one that trickles is cut', async () => {
  const port = Number(new URL(app.url).port)
  const server = app.server.app.server
  const { headersTimeout, requestTimeout, timeout } = server
  expect([headersTimeout, requestTimeout, timeout]).toEqual([30_000, 120_000, 120_000])
  const idlers = Array.from({ length: 1_000 }, () => connect(port, '127.0.0.1').on('error', () => undefined))
  const trickle = connect(port, '127.0.0.1').on('error', () => undefined)
  let answer = ''
  trickle.on('data', (data) => (answer += String(data)))
  trickle.write('GET /hc/ HTTP/1.1\r\nhost: x\r\n')
  const trickling = setInterval(() => trickle.write('x-slow: 1\r\n'), 200)
  const open = promisify(server.getConnections.bind(server))
  await eventually(async () => ((await open()) >= 1_001 ? true : undefined))
  for (let i = 0; i < 20; i++)
    expect((await ask(app, 'GET', '/api/v1/printers/', { cookie: owner.cookie })).status).toBe(200)
  expect(await open(), 'all of them were there meanwhile').toBeGreaterThanOrEqual(1_001)
  // Nobody waits half a minute here; how often it is looked at is the product's own.
  server.headersTimeout = 1_500
  await eventually(() => (trickle.closed ? true : undefined))
  expect(answer).toMatch(/^HTTP\/1.1 408 /)
  clearInterval(trickling)
  server.headersTimeout = headersTimeout
  for (const one of idlers) one.destroy()
})
