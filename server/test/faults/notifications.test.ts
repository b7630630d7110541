import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import { aStandIn } from '../../modules/tell/notifications/standin.fixture.ts'
import { eventually } from '../wire/agent.ts'
import { aFolder, ask, removeFolder, type Running, up } from './support.ts'

const HOOK = 'https://hooks.example.org'
const NTFY = 'https://ntfy.example.org'
/** As many deliveries of one channel are under way at once on a node (docs/server.md). */
const AT_ONCE = 16
const EVENTS = 30
const KILLS = 1

const folder = aFolder()
const receiver = await aStandIn(() => sleep(150))
let server: Running | undefined

afterAll(async () => {
  await server?.stop()
  await receiver.close()
  removeFolder(folder)
})

it('kill -9 while messages go out loses none, and only what was under way comes twice', async () => {
  const node = (server = await up(folder, 0, {
    OUTGOING_STAND_INS: `${HOOK}=${receiver.url},${NTFY}=${receiver.url}`,
  }))
  const cookie = await node.signIn()
  const [printer] = await node.addPrinters(1)
  const body = { name: 'webhook', config: { custom_webhook_URL: `${HOOK}/x` } }
  expect((await ask(node, 'POST', '/api/v1/notification_settings/', { cookie, body })).status).toBe(201)

  const client = await openDatabase()
  let acknowledged = 0
  const report = async (): Promise<void> => {
    const { status } = await ask(node, 'POST', '/api/v1/octo/printer_events/', {
      agent: printer?.auth_token ?? '',
      body: {
        event_type: 'FILAMENT_CHANGE',
        event_class: 'WARNING',
        event_title: 'Filament Change Required',
        event_text: '',
        notify: true,
      },
      timeoutMs: 5_000,
    })
    if (status === 200) acknowledged++
  }
  const reporting = (async () => {
    while (acknowledged < EVENTS) await report().catch(() => sleep(50))
  })()
  for (let kills = 1; kills <= KILLS; kills++) {
    await eventually(() => (receiver.asked.length >= kills * 10 ? true : undefined))
    process.kill(node.childPid(), 'SIGKILL')
    await leasesEnd(client)
    await eventually(async () => ((await fetch(`${node.url}/hc/`)).ok ? true : undefined), 30_000).catch(
      () => undefined,
    )
  }
  await reporting
  await client.end()
  const ended = await eventually(async () => {
    const path = '/api/v1/notification_deliveries/?limit=100'
    const { json } = await ask(node, 'GET', path, { cookie }).catch(() => ({ json: null }))
    const rows = (json ?? []) as { id: number; outcome: string | null }[]
    return rows.length >= EVENTS && rows.every(({ outcome }) => outcome !== null) ? rows : undefined
  })

  // What a killed server wrote without saying so was owed, too.
  expect(ended.length).toBeGreaterThanOrEqual(acknowledged)
  expect(new Set(ended.map(({ outcome }) => outcome))).toEqual(new Set(['accepted']))
  const copies = new Map<string, number>()
  for (const { headers } of receiver.asked) {
    const id = String(headers['webhook-id'])
    copies.set(id, (copies.get(id) ?? 0) + 1)
  }
  expect(copies.size, 'none is lost').toBe(ended.length)
  const twice = [...copies.values()].filter((count) => count > 1)
  expect(twice.length, 'what was under way at a kill').toBeLessThanOrEqual(KILLS * AT_ONCE)
  expect(Math.max(...copies.values())).toBeLessThanOrEqual(1 + KILLS)
}, 600_000)

/** The server's own database, as only this machine reaches it. */
async function openDatabase(): Promise<pg.Client> {
  const connectionString = `postgres://vigil@localhost/vigil?host=${encodeURIComponent(join(folder, 'run'))}`
  const client = new pg.Client({ connectionString })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Whoever had taken a delivery is dead, and a quarter of a minute later others may take it: that is now. */
const leasesEnd = (client: pg.Client) =>
  client.query(`update deliveries set due_at = now() where outcome is null and attempts > 0`)

/** So many people have messages that wait. */
const PEOPLE = 24
const HELD = 3

const notice = (kind: string) => ({
  kind,
  code: kind === 'PrintFailure' ? 'failure_alerted' : null,
  printer: { id: 999_999, name: 'Voron', pauseOnFailure: false, watchingEnabled: true },
  print: {
    id: 999_999,
    filename: 'benchy.gcode',
    startedAt: 0,
    endedAt: null,
    alertedAt: 0,
    alertOverwrite: null,
  },
  picture: null,
  orientation: { flipH: false, flipV: false, rotation: 0 },
  isWarning: true,
  printPaused: false,
  heater: null,
})

/** Writes people who have ntfy, with messages that quiet hours, a digest and an escalation hold back until then. */
async function holdBack(client: pg.Client, until: Date): Promise<void> {
  await client.query(
    `insert into users (email) select 'held' || n || '@example.org' from generate_series(1, ${PEOPLE}) n`,
  )
  await client.query(`insert into notification_settings (user_id, name, config)
    select id, 'ntfy', json_build_object('ntfy_url', '${NTFY}/' || split_part(email, '@', 1)) from users where email like 'held%'`)
  for (const [waitsFor, kind, count] of [
    ['quiet', 'FilamentChange', HELD],
    ['digest', 'PrintStarted', HELD],
    ['escalation', 'PrintFailure', 1],
  ] as const)
    await client.query(
      `insert into deliveries (user_id, setting_id, channel, notice_key, kind, notice, due_at, expires_at, waits_for)
       select s.user_id, s.id, 'ntfy', $1 || ':' || s.id || ':' || n, $2, $3, $4, now() + interval '1 hour', $1
       from notification_settings s join users u on u.id = s.user_id, generate_series(1, $5::int) n
       where u.email like 'held%' and s.name = 'ntfy'`,
      [waitsFor, kind, JSON.stringify(notice(kind)), until, count],
    )
}

it('kill -9 of messages that were held back loses none, and doubles only what was under way', async () => {
  const node = server as Running
  const client = await openDatabase()
  receiver.asked.length = 0
  await holdBack(client, new Date(Date.now() + 60_000))
  // While they wait nothing of them is sent, whoever dies.
  process.kill(node.childPid(), 'SIGKILL')
  await eventually(async () => {
    const health = await fetch(`${node.url}/hc/`).catch(() => null)
    return health?.ok ? true : undefined
  })
  expect(receiver.asked).toEqual([])
  await client.query(`update deliveries set due_at = now() where waits_for is not null`)
  await eventually(() => (receiver.asked.length >= 10 ? true : undefined))
  process.kill(node.childPid(), 'SIGKILL')
  await leasesEnd(client)
  const outcomes = await eventually(
    async () => {
      const { rows } = await client.query<{ outcome: string | null; count: string }>(
        `select outcome, count(*) from deliveries where user_id in (select id from users where email like 'held%') group by 1`,
      )
      return rows.some(({ outcome }) => outcome === null) ? undefined : rows
    },
    90_000,
    () => `${receiver.asked.length} were sent`,
  )
  await client.end()
  expect(Object.fromEntries(outcomes.map(({ outcome, count }) => [outcome, Number(count)]))).toEqual({
    // The alert, and one message in the place of those that quiet hours and the digest held.
    accepted: 2 * PEOPLE,
    summarized: 2 * HELD * PEOPLE,
  })
  const copies = new Map<string, number>()
  for (const { path, headers } of receiver.asked) {
    const one = `${path} ${String(headers['title'])}`
    copies.set(one, (copies.get(one) ?? 0) + 1)
  }
  expect(copies.size, 'none is lost').toBe(2 * PEOPLE)
  expect([...copies.keys()].filter((one) => one.endsWith(`${2 * HELD} messages`))).toHaveLength(PEOPLE)
  const twice = [...copies.values()].filter((count) => count > 1)
  expect(twice.length, 'what was under way at the kill').toBeLessThanOrEqual(AT_ONCE)
  expect(Math.max(...copies.values())).toBeLessThanOrEqual(2)
}, 600_000)
