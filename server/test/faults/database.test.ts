import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { WebSocket } from 'ws'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { isDatabaseDown, openDb } from '../../engines/db/postgres.ts'
import { aNode, aPrinter, aUser, type TestApp, type TestUser } from '../app.ts'
import { cloneDatabase, type TestDatabase } from '../pg.ts'
import { connectAgent, eventually, type WireAgent } from '../wire/agent.ts'
import { openWay, type Way } from './nodes.ts'
import { ask, commandsOf, greeted, heapAtRest, idle, postPicture, printing, shown } from './support.ts'

let database: TestDatabase
let way: Way
let node: TestApp
let owner: TestUser
let direct: pg.Client
let printer: Awaited<ReturnType<typeof aPrinter>>
const sockets: WebSocket[] = []
let key = 1_790_000_000
const lines: string[] = []

beforeAll(async () => {
  database = await cloneDatabase()
  way = await openWay(database.url)
  node = await aNode(way.url, {}, undefined, pino({ level: 'warn' }, { write: (line) => lines.push(line) }))
  owner = await aUser(node)
  direct = new pg.Client({ connectionString: database.url })
  await direct.connect()
})
afterAll(async () => {
  await way.restore().catch(() => undefined)
  await node.close()
  await direct.end()
  await way.close()
  await database.drop()
})
beforeEach(async () => {
  printer = await aPrinter(node, owner)
  key += 1000
  lines.length = 0
})
afterEach(async () => {
  for (const one of sockets.splice(0)) one.terminate()
  await way.restore()
  await shown(node, owner.cookie, printer.id, () => true)
})

const kept = (agent: WireAgent) => {
  sockets.push(agent.ws)
  return agent
}

/** Prints of the printer with how they ended, and the events told of them. */
async function rows() {
  const prints = await direct.query(
    'select ext_id::int as key, cancelled_at is not null as cancelled, finished_at is not null as finished from prints where printer_id = $1 order by ext_id',
    [printer.id],
  )
  const events = await direct.query(
    'select event_type as type, count(*)::int as count from printer_events where printer_id = $1 group by 1 order by 1',
    [printer.id],
  )
  return {
    prints: prints.rows,
    events: Object.fromEntries(events.rows.map(({ type, count }) => [type, count])),
  }
}

/** Waits until this is the printer's current print. */
const printIs = (wanted: number) =>
  eventually(async () => {
    const { rows: found } = await direct.query(
      'select ext_id::int as key from prints join printers on printers.current_print_id = prints.id where printers.id = $1',
      [printer.id],
    )
    return found[0]?.key === wanted ? true : undefined
  })

/** Waits until what an agent said was tried so often in vain: at once, a second later, and then after twice as long each time. */
const triedInVain = (times: number) =>
  eventually(
    () => lines.filter((line) => line.includes('cannot take a status now')).length >= times || undefined,
  )

it('answers 503 and says when to come again; sockets are held; a print that ends, and one that starts, are there once', async () => {
  const agent = kept(await greeted(node, printer.auth_token))
  agent.send(printing(key, 1, 'PrintStarted'))
  await shown(node, owner.cookie, printer.id, (one) => one.current_print !== null)
  const browser = new WebSocket(`${node.wsUrl}/ws/web/${printer.id}/`, {
    headers: { cookie: owner.cookie, origin: node.url },
  })
  sockets.push(browser)
  const pushed: { status: { n: number } | null }[] = []
  browser.on('message', (data) => pushed.push(JSON.parse(String(data))))
  await eventually(() => (pushed.length > 0 ? true : undefined))

  await way.cut()
  for (const [method, path] of [
    ['GET', '/api/v1/printers/'],
    ['PATCH', `/api/v1/printers/${printer.id}/`],
  ] as const) {
    const answer = await ask(node, method, path, {
      cookie: owner.cookie,
      ...(method === 'PATCH' ? { body: { name: 'x' } } : {}),
    })
    expect(answer.status, path).toBe(503)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect((await postPicture(node, printer.auth_token)).status).toBe(503)
  const health = await eventually(async () => {
    const one = await ask(node, 'GET', '/hc/')
    return one.status === 503 ? one : undefined
  })
  expect(health.text).toContain('database')

  agent.send(idle(2, key, 'PrintDone'))
  agent.send(idle(3))
  agent.send(printing(key + 100, 4, 'PrintStarted'))
  for (let n = 5; n < 400; n++) agent.send(printing(key + 100, n))
  await eventually(() => (pushed.some(({ status }) => status?.n === 399) ? true : undefined))
  await triedInVain(2)
  expect([agent.closed, browser.readyState]).toEqual([null, WebSocket.OPEN])

  await way.restore()
  await printIs(key + 100)
  expect((await shown(node, owner.cookie, printer.id, () => true)).status.n).toBe(399)
  // What comes after all of it.
  agent.send(printing(key + 100, 400, 'PrintPaused'))
  await eventually(async () => ((await rows()).events['PAUSED'] ? true : undefined))
  expect(await rows()).toEqual({
    prints: [
      { key, cancelled: false, finished: true },
      { key: key + 100, cancelled: false, finished: false },
    ],
    events: { STARTED: 2, ENDED: 1, PAUSED: 1 },
  })
  expect((await ask(node, 'GET', '/hc/')).status).toBe(200)
  const pause = await ask(node, 'POST', `/api/v1/printers/${printer.id}/pause_print/`, {
    cookie: owner.cookie,
    body: {},
  })
  expect(pause.json).toMatchObject({ succeeded: true })
  await eventually(() => (commandsOf(agent).includes('pause') ? true : undefined))
})

it('holds a new agent at the door until the database is back', async () => {
  const elder = kept(await greeted(node, (await aPrinter(node, owner)).auth_token))
  await way.cut()
  const began = Date.now()
  const coming = connectAgent(node, printer.auth_token)
  let refused: unknown = null
  coming.catch((error: unknown) => (refused = error))
  elder.send(printing(key, 1))
  await triedInVain(2)
  expect(refused).toBeNull()
  await way.restore()
  const agent = kept(await coming)
  await agent.hear((message) => message.remote_status !== undefined)
  expect(Date.now() - began).toBeLessThan(8_000)
  agent.send(printing(key, 1))
  await printIs(key)
})

it('an agent that reconnects during the outage leaves no zombie, whatever its old socket still had to say', async () => {
  const first = kept(await greeted(node, printer.auth_token))
  first.send(idle(1))
  await shown(node, owner.cookie, printer.id, (one) => one.status?.n === 1)
  await way.cut()
  first.send(printing(key, 2, 'PrintStarted'))
  // Long enough for the pause between two attempts to be a long one.
  await triedInVain(3)
  first.ws.terminate()
  const second = kept(await connectAgent(node, printer.auth_token))
  // It knows nothing of that print any more: its printer was switched off meanwhile.
  second.send(idle(3))
  await second.untilRead()
  await way.restore()
  await second.hear((message) => message.remote_status !== undefined)
  for (let n = 5; n < 9; n++) {
    second.send(idle(n))
    await shown(
      node,
      owner.cookie,
      printer.id,
      (one) => one.current_print === null && one.status?.n === n,
      4_000,
    )
  }
  expect(await rows()).toEqual({
    prints: [{ key, cancelled: true, finished: false }],
    events: { STARTED: 1, ENDED: 1 },
  })
})

it('gives up connections on which the database has gone silent, and makes new ones', async () => {
  const other = await openWay(database.url)
  const { db, close } = openDb(other.url, {
    log: { warn: () => undefined },
    poolSize: 2,
    statementTimeoutMs: 500,
  })
  const question = () => sql<{ one: number }>`select 1 as one`.execute(db)
  await Promise.all([question(), question()])
  other.forget()
  const lost = await Promise.allSettled([question(), question()])
  for (const one of lost) expect(one.status === 'rejected' && isDatabaseDown(one.reason)).toBe(true)
  expect((await question()).rows).toEqual([{ one: 1 }])
  await close()
  await other.close()
})

it('keeps no more in memory than it needs while the database is away', async () => {
  const agent = kept(await greeted(node, printer.auth_token))
  agent.send(idle(1))
  await shown(node, owner.cookie, printer.id, (one) => one.status?.n === 1)
  await way.cut()
  agent.send(printing(key, 1, 'PrintStarted'))
  const before = await heapAtRest()
  const padding = 'x'.repeat(20_000)
  for (let n = 0; n < 3_000; n++) {
    const report = printing(key, n)
    agent.send({ ...report, status: { ...report.status, padding } })
    if (n % 100 === 0) await agent.untilRead()
  }
  await eventually(async () => {
    const status = await node.ctx.live.get(`printer:${printer.id}:status`)
    return status !== null && JSON.parse(status.toString()).n === 2_999 ? true : undefined
  })
  // 60 MB went by; what waits are 200 statuses of 20 KB.
  expect(((await heapAtRest()) - before) / 1e6).toBeLessThan(15)
  await way.restore()
  await printIs(key)
  expect((await rows()).events).toEqual({ STARTED: 1 })
})
