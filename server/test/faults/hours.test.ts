/** Hours add up to the second, whatever is killed: ten printers over two nodes, whose prints end while nodes die. */
import { randomBytes } from 'node:crypto'
import { setInterval } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../pg.ts'
import { eventually } from '../wire/agent.ts'
import { openRedis } from './nodes.ts'
import {
  type Added,
  aFolder,
  ask,
  greeted,
  idle,
  printing,
  removeFolder,
  type Running,
  up,
} from './support.ts'

const PRINTERS = 10
const ROUNDS = 8
const redis = await openRedis()
const folders = [aFolder(), aFolder()]
const nodes: Running[] = []
let database: TestDatabase | undefined
let client: pg.Client | undefined

afterAll(async () => {
  await client?.end()
  await Promise.all(nodes.map((node) => node.stop()))
  await redis?.close()
  await database?.drop()
  folders.forEach(removeFolder)
})

const isUp = (node: Running) =>
  eventually(
    async () =>
      (await ask(node, 'GET', '/hc/', { timeoutMs: 2_000 }).catch(() => null))?.status === 200 || undefined,
  )
const anyOf = <T>(all: readonly T[]) => all[Math.floor(Math.random() * all.length)] as T

/** An agent that says again and again what its printer does, on whichever node lives. */
function machine({ auth_token: token }: Added) {
  let key = -1
  let isOver = false
  const living = (async () => {
    while (!isOver) {
      const agent = await greeted(anyOf(nodes), token).catch(() => null)
      if (agent === null) continue
      for await (const _ of setInterval(200)) {
        if (agent.closed !== null || isOver) break
        agent.send(key === -1 ? idle() : printing(key))
      }
      agent.ws.terminate()
    }
  })()
  return {
    begin: (next: number) => void (key = next),
    stop: () => void (key = -1),
    async end() {
      isOver = true
      await living
    },
  }
}

const count = async (where: string): Promise<number> =>
  (await client!.query<{ count: number }>(`select count(*)::int as count from prints where ${where}`))
    .rows[0]!.count

describe.runIf(redis)('two nodes that are killed', () => {
  test('book each print once, as many seconds as its page says were watched', async () => {
    database = await cloneDatabase()
    const env = {
      DATABASE_URL: database.url,
      REDIS_URL: redis!.url,
      VIGIL_SECRET: randomBytes(32).toString('hex'),
      IS_ENT: 'true',
    }
    for (const folder of folders) nodes.push(await up(folder, 0, env))
    const [first] = nodes as [Running]
    const cookie = await first.signIn()
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const printers: Added[] = []
    for (let n = 0; n < PRINTERS; n++)
      printers.push(
        (await ask(first, 'POST', '/api/v1/printers/', { cookie, body: { name: `P${n}` } })).json as Added,
      )
    const machines = printers.map(machine)
    for (let round = 0; round < ROUNDS; round++) {
      for (const one of machines) one.begin(1_790_000_000 + round * 1_000)
      const running = 'finished_at is null and cancelled_at is null'
      await eventually(async () => ((await count(running)) === PRINTERS ? true : undefined))
      await client.query(
        `update prints set started_at = now() - interval '10 hours', watched_seconds = floor(random() * 30000)
         where ${running}`,
      )
      for (const one of machines) one.stop()
      const victim = anyOf(nodes)
      await eventually(async () => ((await count(running)) < PRINTERS - round ? true : undefined))
      process.kill(victim.childPid(), 'SIGKILL')
      await eventually(async () => ((await count(running)) === 0 ? true : undefined))
      await isUp(victim)
    }
    await Promise.all(machines.map((one) => one.end()))
    const { rows } = await client.query(`
      select
        (select count(*) from prints)::int as prints,
        (select count(*) from prints p left join (
          select print_id, -sum(seconds) as seconds from hour_transactions where kind = 'usage' group by print_id
        ) t on t.print_id = p.id where coalesce(t.seconds, 0) <> round(p.watched_seconds))::int as torn,
        (select sum(seconds) from hour_transactions)::bigint as booked,
        (select sum(seconds) from hour_balances)::bigint as balance`)
    expect(rows[0]).toMatchObject({ prints: PRINTERS * ROUNDS, torn: 0, booked: rows[0].balance })
    const { balance } = (await ask(first, 'GET', '/ent/api/detection_hours/', { cookie })).json
    expect(Math.round(balance * 3600)).toBe(Number(rows[0].balance))
  }, 600_000)
})
