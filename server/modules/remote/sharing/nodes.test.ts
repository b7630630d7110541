import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { ShareLink } from '@vigil/contract/remote/sharing.ts'
import { aNode, aPrinter, aUser, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { openRedis } from '../../../test/faults/nodes.ts'
import { cloneDatabase, type TestDatabase } from '../../../test/pg.ts'
import { eventually } from '../../../test/wire/agent.ts'

const redis = await openRedis()
let database: TestDatabase
let a: TestApp
let b: TestApp
let owner: TestUser

afterAll(async () => {
  await a?.close()
  await b?.close()
  await redis?.close()
  await database?.drop()
})

async function listen(node: TestApp, path: string, cookie = '') {
  const ws = new WebSocket(node.wsUrl + path, { headers: cookie ? { cookie } : {} })
  const page = { ws, heard: [] as Record<string, unknown>[], closed: null as number | null }
  ws.on('message', (data: Buffer) => page.heard.push(JSON.parse(data.toString()) as Record<string, unknown>))
  ws.on('close', (code) => (page.closed = code))
  await once(ws, 'open')
  await eventually(() => page.heard[0])
  return page
}

describe.runIf(redis)('two nodes on one PostgreSQL and one Redis', () => {
  beforeAll(async () => {
    database = await cloneDatabase()
    const env = { REDIS_URL: redis?.url ?? '', VIGIL_SECRET: randomBytes(32).toString('hex') }
    a = await aNode(database.url, env)
    b = await aNode(database.url, { ...env, VIGIL_DATA: a.dataFolder })
    owner = await aUser(a)
  })

  /** A shared printer with fifty viewers, every other one at the second node, and all of them counted. */
  async function crowd() {
    const printer = await aPrinter(a, owner)
    const links = `/api/v1/printers/${printer.id}/share_links/`
    const link = (await call(a, 'POST', links, { cookie: owner.cookie, body: {} })).json as ShareLink
    const path = `/ws/share_token/web/${link.share_token}/`
    const viewers = await Promise.all(Array.from({ length: 50 }, (_, i) => listen(i % 2 ? a : b, path)))
    for (const node of [a, b])
      await eventually(async () => {
        const [{ viewers: counted }] = (await call(node, 'GET', links, { cookie: owner.cookie })).json
        return counted === 50 ? true : undefined
      })
    return { printer, link, viewers }
  }

  test.each([
    ['revoked', (link: ShareLink) => `/api/v1/share_links/${link.id}/`],
    ['without its printer', (link: ShareLink) => `/api/v1/printers/${link.printer_id}/`],
  ])('close all fifty viewers of a link within a second when it is %s', async (_how, path) => {
    const { link, viewers } = await crowd()
    const since = performance.now()
    expect((await call(a, 'DELETE', path(link), { cookie: owner.cookie })).status).toBe(204)
    await eventually(() => viewers.every(({ closed }) => closed === 4401) || undefined)
    expect(performance.now() - since).toBeLessThan(1_000)
  })

  test('show viewers a new name, wherever it was given', async () => {
    const { printer, viewers } = await crowd()
    const body = { name: 'Renamed' }
    await call(b, 'PATCH', `/api/v1/printers/${printer.id}/`, { cookie: owner.cookie, body })
    for (const { heard } of viewers) await eventually(() => heard.find(({ name }) => name === 'Renamed'))
    for (const { ws } of viewers) ws.terminate()
  })

  test('let a PIN given at one open the other', async () => {
    const { id } = await aPrinter(a, owner)
    const path = `/api/v1/printers/${id}/share_links/`
    const { json: link } = await call(a, 'POST', path, { cookie: owner.cookie, body: { pin: '1234' } })
    const body = { share_token: link.share_token, pin: '1234' }
    const set = (await call(a, 'POST', '/api/v1p/printer/pin/', { body })).headers.get('set-cookie') ?? ''
    const shared = `/api/v1p/printer/?share_token=${link.share_token}`
    expect((await call(b, 'GET', shared, { cookie: set.split(';')[0] ?? '' })).status).toBe(200)
    expect((await call(b, 'GET', shared)).status).toBe(401)
  })

  test('tell the wizard at one what an agent did at the other', async () => {
    const { json } = await call(a, 'GET', '/api/v1/onetimeverificationcodes/', { cookie: owner.cookie })
    const page = await listen(a, `/ws/link/${json.id}/`, owner.cookie)
    const { json: verified } = await call(b, 'POST', `/api/v1/octo/verify/?code=${json.code}`)
    expect(await eventually(() => page.heard[1])).toMatchObject({ printer: { id: verified.printer.id } })
  })
})
