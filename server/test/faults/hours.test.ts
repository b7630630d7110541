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
const ROUNDS = 3
const HOURS_S = 36_000_000
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
    const [here, there] = folders as [string, string]
    const first = await up(here, 0, env)
    nodes.push(first)
    const cookie = await first.signIn()
    nodes.push(await up(there, 0, env))
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const printers: Added[] = []
    for (let n = 0; n < PRINTERS; n++)
      printers.push(
        (await ask(first, 'POST', '/api/v1/printers/', { cookie, body: { name: `P${n}` } })).json as Added,
      )
    // Enough for all: who has none left is not watched.
    await client.query(`
      insert into hour_transactions (user_id, kind, bucket, seconds, balance_after, reason, idempotency_key)
      select id, 'adjustment', 'earned', ${HOURS_S}, dh_balance * 3600 + ${HOURS_S}, 'opening', 'test' from users`)
    await client.query(
      `insert into hour_balances (user_id, bucket, seconds) select id, 'earned', ${HOURS_S} from users`,
    )
    await client.query(`update users set dh_balance = dh_balance + ${HOURS_S / 3600}`)
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
    const { rows: booked } = await client.query<{ id: number; seconds: number }>(`
      select p.id, coalesce(-sum(t.seconds), 0)::int as seconds from prints p
      left join hour_transactions t on t.print_id = p.id and t.kind = 'usage' group by p.id`)
    expect(booked).toHaveLength(PRINTERS * ROUNDS)
    for (const { id, seconds } of booked) {
      const { json } = await ask(first, 'GET', `/api/v1/prints/${id}/`, { cookie })
      expect(seconds, `print ${id}`).toBe(json.watched.seconds)
    }
    expect(booked.filter(({ seconds }) => seconds > 0).length).toBeGreaterThan(PRINTERS)
    const { rows } = await client.query(`
      select (select sum(seconds) from hour_transactions)::bigint as booked,
        (select sum(seconds) from hour_balances)::bigint as balance`)
    expect(rows[0].booked).toBe(rows[0].balance)
    const { balance } = (await ask(first, 'GET', '/ent/api/detection_hours/', { cookie })).json
    expect(Math.round(balance * 3600)).toBe(Number(rows[0].balance))
  }, 600_000)
})
