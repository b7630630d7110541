import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { handAgent, queueOf, type Told } from '../../modules/files/queue/queue.fixture.ts'
import { eventually } from '../wire/agent.ts'
import {
  type Added,
  aFolder,
  ask,
  greeted,
  openDatabase,
  postPicture,
  printing,
  type Running,
  removeFolder,
  shown,
  up,
} from './support.ts'
import { inSuite } from '../../../scripts/suites.ts'
import { asId } from '../ids.ts'

const folder = aFolder()
let server: Running | undefined

afterAll(async () => {
  await server?.stop()
  removeFolder(folder)
})

const isUp = (node: Running) =>
  eventually(
    async () =>
      (await ask(node, 'GET', '/hc/', { timeoutMs: 2_000 }).catch(() => null))?.status === 200 || undefined,
    60_000,
    () => `it did not come back: ${node.log().slice(-2_000)}`,
  )

type Victim = 'postgres' | 'child' | 'keeper' | 'all'
const VICTIMS: readonly Victim[] = inSuite(
  // the child is killed below, too
  ['postgres', 'all'],
  ['postgres', 'child', 'keeper', 'postgres', 'all'],
)

/** Kills without a word; what only the keeper could start again is started by us, as systemd would. */
async function kill(victim: Victim, node: Running): Promise<Running> {
  const [child, postgres] = [node.childPid(), node.postgresPid() ?? 0]
  if (victim === 'child') process.kill(child, 'SIGKILL')
  if (victim === 'postgres') process.kill(postgres, 'SIGKILL')
  if (victim === 'child' || victim === 'postgres') return node
  node.process.kill('SIGKILL')
  if (victim === 'all') for (const pid of [child, postgres]) process.kill(pid, 'SIGKILL')
  await once(node.process, 'exit')
  return await eventually(() => up(folder, Number(new URL(node.url).port)).catch(() => undefined))
}

test('kill -9 of any process while it writes loses nothing that was acknowledged', async () => {
  let node = (server = await up(folder))
  const cookie = await node.signIn()
  const [printed, ...renamed] = (await node.addPrinters(4)) as [Added, ...Added[]]
  const agent = await greeted(node, printed.auth_token)
  agent.send(printing(Math.floor(Date.now() / 1000), 1))
  await shown(node, cookie, asId(printed.id), (one) => one.current_print !== null)

  let isOver = false
  const created: number[] = []
  const names = renamed.map(() => ({ tried: 0, acknowledged: 0 }))
  let pictures = 0
  const forEver = async (work: () => Promise<void>) => {
    while (!isOver) {
      await work().catch(() => undefined)
      // As fast as it goes would only make the machine busy.
      await sleep(10)
    }
  }
  const clients = [
    forEver(async () => {
      const { status, json } = await ask(node, 'POST', '/api/v1/printers/', {
        cookie,
        body: { name: 'new' },
        timeoutMs: 5_000,
      })
      if (status === 201) created.push(json.id)
    }),
    forEver(async () => {
      const { status } = await postPicture(node, printed.auth_token)
      if (status === 200) pictures++
    }),
    ...renamed.map(({ id }, index) =>
      forEver(async () => {
        const state = names[index] as (typeof names)[number]
        const body = { name: `n${++state.tried}` }
        const { status } = await ask(node, 'PATCH', `/api/v1/printers/${id}/`, {
          cookie,
          body,
          timeoutMs: 5_000,
        })
        if (status === 200) state.acknowledged = state.tried
      }),
    ),
  ]
  for (const [round, victim] of VICTIMS.entries()) {
    const before = created.length
    await eventually(
      () => (created.length >= before + 20 ? true : undefined),
      60_000,
      () => `nothing was written before ${victim}`,
    )
    await sleep(Math.random() * 150)
    const child = node.childPid()
    server = node = await kill(victim, node)
    await isUp(node).catch((error: unknown) => {
      isOver = true
      throw error
    })
    // A database that dies takes nobody along.
    if (victim === 'postgres') expect(node.childPid()).toBe(child)
    if (round === 0) expect(agent.closed).toBeNull()
  }
  isOver = true
  await Promise.all(clients)

  const listed: { id: number; name: string }[] = (await ask(node, 'GET', '/api/v1/printers/', { cookie }))
    .json
  const ids = new Set(listed.map(({ id }) => id))
  expect(created.filter((id) => !ids.has(id))).toEqual([])
  for (const [index, { tried, acknowledged }] of names.entries()) {
    const name = listed.find(({ id }) => id === renamed[index]?.id)?.name ?? ''
    const number = name.startsWith('n') ? Number(name.slice(1)) : 0
    expect(number).toBeGreaterThanOrEqual(acknowledged)
    expect(number).toBeLessThanOrEqual(tried)
  }
  const client = await openDatabase(folder)
  const { rows } = await client.query('select picture from frames where printer_id = $1', [printed.id])
  await client.end()
  expect(rows.length).toBeGreaterThanOrEqual(pictures)
  for (const { picture } of rows)
    expect(existsSync(join(folder, 'files', picture.container, picture.path))).toBe(true)
  console.log(
    `${VICTIMS.length} kills: ${created.length} printers, ${names.map((one) => one.acknowledged).join('+')} names, ${pictures} pictures acknowledged, all there`,
  )
  agent.ws.terminate()
}, 900_000)

test('a print of the queue is told once and not lost, whenever the server is killed over it', async () => {
  const node = (server ??= await up(folder))
  const owner = { cookie: await node.signIn() }
  const [printer] = (await node.addPrinters(1)) as [Added]
  const database = await openDatabase(folder)
  const orders: Told[] = []
  const killed = async () => {
    process.kill(node.childPid(), 'SIGKILL')
    await isUp(node)
  }
  const connected = (onOrder?: () => boolean) =>
    handAgent(node, printer, { owner, orders, ...(onOrder && { onOrder }) })
  /** What was begun and not sent has waited long enough for whoever began it. */
  const minutePasses = () =>
    database.query(
      `update queue_starts set send_until = send_until - interval '1 minute' where state = 'sending'`,
    )
  const form = new FormData()
  form.set('filename', 'once.gcode')
  form.set(
    'file',
    new Blob([
      '; estimated printing time (normal mode) = 10m 0s\nG28\nG1 X10 Y10 Z0.2 F3000\nG1 X20 Y20 E1\n',
    ]),
    'x',
  )
  const sent = await ask(node, 'POST', '/api/v1/g_code_files/', { ...owner, body: form })
  const queue = queueOf(
    () => node,
    () => owner,
  )
  let machine = await connected()
  await queue.add(sent.json.id, { copies: 2 })

  // Killed when the start is written down and the hand-over is not.
  await database.query('begin; lock table cloud_prints in exclusive mode')
  expect((await queue.clear(printer.id)).status).toBe(200)
  // From beside: within a transaction what others do looks as it did at the first look.
  const beside = await openDatabase(folder)
  const stuck = `select pid from pg_stat_activity where wait_event_type = 'Lock' and query like 'insert into "cloud_prints"%'`
  const waiting = await eventually(
    async () => (await beside.query<{ pid: number }>(stuck)).rows[0],
    60_000,
    () => 'nothing was handed over',
  )
  process.kill(node.childPid(), 'SIGKILL')
  await beside.query('select pg_terminate_backend($1)', [waiting.pid])
  await beside.end()
  await database.query('commit')
  await isUp(node)
  machine.close()
  let dies: Promise<void> | undefined
  machine = await connected(() => {
    dies ??= killed()
    return false
  })
  expect(orders).toEqual([])

  // It is begun anew, on the same word about the bed; and killed again the moment the agent has been told.
  await minutePasses()
  await eventually(async () => {
    await database.query('update queue_beds set try_after = null')
    return orders[0]
  })
  await dies
  machine.close()
  machine = await connected()
  machine.print()
  await minutePasses()
  const begun = await queue.until(({ entries }) => entries[0]?.runs.at(-1)?.state === 'printing')
  expect(begun.entries[0]).toMatchObject({ left: 1, runs: [{ state: 'printing' }] })
  machine.finish()
  const over = await queue.until(({ entries }) => entries[0]?.runs.at(-1)?.state === 'finished')
  expect(over.entries[0]).toMatchObject({ left: 1 })
  expect(orders).toHaveLength(1)
  machine.close()
  await database.end()
}, 600_000)

test('prints that begin together begin once each, though the server is killed as it writes them', async () => {
  const node = (server ??= await up(folder))
  await node.signIn()
  const printers = await node.addPrinters(10)
  const database = await openDatabase(folder)
  const beside = await openDatabase(folder)
  const begin = async () => {
    const agents = await Promise.all(printers.map(({ auth_token: token }) => greeted(node, token)))
    for (const agent of agents) agent.send(printing(1_790_000_000))
    return agents
  }
  const ids = printers.map(({ id }) => id)
  const begun = async () =>
    (
      await beside.query<{ prints: number; told: number }>(
        `select (select count(*)::int from prints where printer_id = p.id) as prints,
          (select count(*)::int from printer_events where printer_id = p.id and code = 'print_started') as told
        from printers p where id = any($1) and current_print_id is not null`,
        [ids],
      )
    ).rows

  // Killed when prints are written and their events are not.
  await database.query('begin; lock table printer_events in exclusive mode')
  const before = await begin()
  const stuck = `select from pg_stat_activity where wait_event_type = 'Lock' and query like 'insert into "printer_events"%'`
  await eventually(async () => ((await beside.query(stuck)).rowCount ? true : undefined))
  process.kill(node.childPid(), 'SIGKILL')
  await database.query('commit')
  await isUp(node)
  const after = await begin()
  await eventually(async () => ((await begun()).length === ids.length ? true : undefined))
  expect(await begun()).toEqual(ids.map(() => ({ prints: 1, told: 1 })))
  for (const { ws } of [...before, ...after]) ws.terminate()
  await database.end()
  await beside.end()
}, 180_000)
