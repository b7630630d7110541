import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { aStandIn } from '../../modules/notifications/standin.fixture.ts'
import { eventually } from '../wire/agent.ts'
import { aFolder, ask, removeFolder, type Running, up } from './support.ts'

const HOOK = 'https://hooks.example.org'
/** As many deliveries of one channel are under way at once on a node (docs/architecture.md). */
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
  const node = (server = await up(folder, 0, { OUTGOING_STAND_INS: `${HOOK}=${receiver.url}` }))
  const cookie = await node.signIn()
  const [printer] = await node.addPrinters(1)
  const body = { name: 'webhook', config: { custom_webhook_URL: `${HOOK}/x` } }
  expect((await ask(node, 'POST', '/api/v1/notification_settings/', { cookie, body })).status).toBe(201)

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
    await eventually(() => (receiver.asked.length >= kills * 10 ? true : undefined), 60_000)
    process.kill(node.childPid(), 'SIGKILL')
    await eventually(async () => ((await fetch(`${node.url}/hc/`)).ok ? true : undefined), 30_000).catch(
      () => undefined,
    )
  }
  await reporting
  const ended = await eventually(async () => {
    const path = '/api/v1/notification_deliveries/?limit=100'
    const { json } = await ask(node, 'GET', path, { cookie }).catch(() => ({ json: null }))
    const rows = (json ?? []) as { id: number; outcome: string | null }[]
    return rows.length >= EVENTS && rows.every(({ outcome }) => outcome !== null) ? rows : undefined
  }, 90_000)

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
}, 240_000)
