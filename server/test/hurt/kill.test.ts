import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import { eventually } from '../wire/agent.ts'
import {
  type Added,
  aFolder,
  ask,
  greeted,
  postPicture,
  printing,
  type Running,
  removeFolder,
  shown,
  up,
} from './support.ts'

const folder = aFolder()
let server: Running | undefined

afterAll(async () => {
  await server?.stop()
  removeFolder(folder)
})

const VICTIMS = ['postgres', 'child', 'keeper', 'postgres', 'all'] as const

/** Kills without a word; what only the keeper could start again is started by us, as systemd would. */
async function kill(victim: (typeof VICTIMS)[number], node: Running): Promise<Running> {
  const [child, postgres] = [node.childPid(), node.postgresPid() ?? 0]
  if (victim === 'child') process.kill(child, 'SIGKILL')
  if (victim === 'postgres') process.kill(postgres, 'SIGKILL')
  if (victim === 'child' || victim === 'postgres') return node
  node.process.kill('SIGKILL')
  if (victim === 'all') for (const pid of [child, postgres]) process.kill(pid, 'SIGKILL')
  await once(node.process, 'exit')
  return await eventually(() => up(folder, Number(new URL(node.url).port)).catch(() => undefined), 20_000)
}

it('kill -9 of any process while it writes loses nothing that was acknowledged', async () => {
  let node = (server = await up(folder))
  const cookie = await node.signIn()
  const [printed, ...renamed] = (await node.addPrinters(4)) as [Added, ...Added[]]
  const agent = await greeted(node, printed.auth_token)
  agent.send(printing(Math.floor(Date.now() / 1000), 1))
  await shown(node, cookie, printed.id, (one) => one.current_print !== null)

  let isOver = false
  const created: number[] = []
  const names = renamed.map(() => ({ tried: 0, acknowledged: 0 }))
  let pictures = 0
  const forEver = async (work: () => Promise<void>) => {
    while (!isOver) await work().catch(() => sleep(50))
  }
  const clients = [
    forEver(async () => {
      const { status, json } = await ask(node, 'POST', '/api/v1/printers/', {
        cookie,
        body: { name: 'new' },
        timeoutMs: 5_000,
      })
      if (status === 201) created.push(json.id)
      else await sleep(20)
      // As fast as it goes would only make the machine busy.
      await sleep(5)
    }),
    forEver(async () => {
      const { status } = await postPicture(node, printed.auth_token)
      if (status === 200) pictures++
      await sleep(10)
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
        await sleep(5)
      }),
    ),
  ]
  for (const [round, victim] of VICTIMS.entries()) {
    const before = created.length
    await eventually(
      () => (created.length >= before + 20 ? true : undefined),
      20_000,
      () => `nothing was written before ${victim}`,
    )
    await sleep(Math.random() * 150)
    const child = node.childPid()
    server = node = await kill(victim, node)
    await eventually(
      async () => {
        const health = await ask(node, 'GET', '/hc/', { timeoutMs: 2_000 }).catch(() => null)
        return health?.status === 200 ? true : undefined
      },
      20_000,
      () => `${victim} did not come back: ${node.log().slice(-2_000)}`,
    ).catch((error: unknown) => {
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
  const client = new pg.Client({
    connectionString: `postgres://vigil@localhost/vigil?host=${encodeURIComponent(join(folder, 'run'))}`,
  })
  await client.connect()
  const { rows } = await client.query('select picture from frames where printer_id = $1', [printed.id])
  await client.end()
  expect(rows.length).toBeGreaterThanOrEqual(pictures)
  for (const { picture } of rows)
    expect(existsSync(join(folder, 'files', picture.container, picture.path))).toBe(true)
  console.log(
    `${VICTIMS.length} kills: ${created.length} printers, ${names.map((one) => one.acknowledged).join('+')} names, ${pictures} pictures acknowledged, all there`,
  )
  agent.ws.terminate()
}, 120_000)
