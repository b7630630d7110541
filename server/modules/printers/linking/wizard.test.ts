import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { LinkFrame } from '@vigil/contract/printers/linking.ts'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { isBelow, listing } from './linking.rules.ts'

let app: TestApp
let owner: TestUser
let stranger: TestUser

beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
  stranger = await aUser(app)
})
afterAll(() => app.close())

const openCode = async (query = '', who = owner) =>
  (await call(app, 'GET', `/api/v1/onetimeverificationcodes/${query}`, { cookie: who.cookie })).json
const verify = (code: string) => call(app, 'POST', `/api/v1/octo/verify/?code=${code}`)

/** The wizard's socket with everything it hears. */
async function listen(codeId: number | string, cookie: string, headers: Record<string, string> = {}) {
  const ws = new WebSocket(`${app.wsUrl}/ws/link/${codeId}/`, { headers: { cookie, ...headers } })
  const page = { ws, heard: [] as LinkFrame[], closed: null as number | null, status: 0 }
  ws.on('message', (data: Buffer) => page.heard.push(JSON.parse(data.toString()) as LinkFrame))
  ws.on('close', (code) => (page.closed = code))
  ws.on('error', () => undefined)
  const refused = once(ws, 'unexpected-response').then(
    ([, answer]) => (answer as { statusCode: number }).statusCode,
  )
  page.status = await Promise.race([once(ws, 'open').then(() => 101), refused])
  if (page.status === 101) await eventually(() => page.heard[0])
  return page
}

describe('the wizard’s socket', () => {
  test('says that it waits, then that the printer is linked, and ends', async () => {
    const { id, code, expired_at } = await openCode()
    const page = await listen(id, owner.cookie)
    expect(page.heard).toEqual([{ waiting: true, expired_at, discovery: 'on' }])
    const since = performance.now()
    const { printer } = (await verify(code)).json
    const linked = await eventually(() => page.heard[1])
    expect(performance.now() - since).toBeLessThan(1_000)
    const verified_at = (
      await call(app, 'GET', `/api/v1/onetimeverificationcodes/${id}/`, { cookie: owner.cookie })
    ).json.verified_at
    expect(linked).toEqual({ verified_at, printer: { id: printer.id, name: printer.name } })
    await eventually(() => (page.closed === null ? undefined : true))
    expect(page.closed).toBe(1000)
  })

  test('says so of a re-link, by the printer’s own name', async () => {
    const mine = await aPrinter(app, owner, 'Old friend')
    const { id, code } = await openCode(`?printer_id=${mine.id}`)
    const page = await listen(id, owner.cookie)
    await verify(code)
    expect(await eventually(() => page.heard[1])).toMatchObject({
      printer: { id: mine.id, name: 'Old friend' },
    })
  })

  test('says at once what has happened before it came', async () => {
    const { id, code } = await openCode()
    await verify(code)
    expect((await listen(id, owner.cookie)).heard).toEqual([
      { verified_at: expect.any(String), printer: { id: expect.any(Number), name: expect.any(String) } },
    ])
    const late = await openCode()
    app.advance(2 * 3_600_000 + 1)
    expect((await listen(late.id, owner.cookie)).heard).toEqual([{ expired: true }])
  })

  test('says that the code has expired', async () => {
    const { id } = await openCode()
    const soon = new Date(app.ctx.clock.now() + 300)
    await app.ctx.db.updateTable('verificationCodes').set({ expiredAt: soon }).where('id', '=', id).execute()
    const page = await listen(id, owner.cookie)
    // Its first word, where a busy machine lets it come only after that.
    expect(await eventually(() => page.heard.find((one) => !('waiting' in one)))).toEqual({ expired: true })
    await eventually(() => (page.closed === null ? undefined : true))
    expect((await openCode()).id).not.toBe(id)
  })

  test('is for the owner of the code, from our own pages', async () => {
    const { id } = await openCode()
    expect((await listen(id, stranger.cookie)).status).toBe(404)
    expect((await listen(id, '')).status).toBe(403)
    expect((await listen(id, owner.cookie, { origin: 'https://evil.example' })).status).toBe(403)
    for (const odd of ['0', '-1', 'abc', '99999999999', '%00'])
      expect((await listen(odd, owner.cookie)).status).toBe(404)
  })

  test('closes when its session ends', async () => {
    const person = await aUser(app)
    const { id } = await openCode('', person)
    const page = await listen(id, person.cookie)
    await call(app, 'POST', '/api/v1/auth/logout/', { cookie: person.cookie })
    await eventually(() => (page.closed === null ? undefined : true))
    expect(page.closed).toBe(4401)
  })

  test('says why the list of printers stays empty', async () => {
    const { id } = await openCode()
    const discovery = async (address: string) => {
      const page = await listen(id, owner.cookie, { 'x-forwarded-for': address })
      page.ws.terminate()
      return (page.heard[0] as { discovery?: string }).discovery
    }
    expect(await discovery('62.12.113.60')).toBe('on')
    expect(await discovery('10.0.0.7')).toBe('unknown_network')
    for (let i = 0; i < 3; i++)
      await call(app, 'POST', '/api/v1/octo/unlinked/', {
        headers: { 'x-forwarded-for': '62.12.113.61' },
        body: { device_id: String(i).repeat(32), host_or_ip: '192.168.1.20', port: 80 },
      })
    expect(await discovery('62.12.113.61')).toBe('crowded')
  })
})

describe('an unlinked printer that cannot be linked from the list', () => {
  const announced = (more: object) => listing({ device_id: 'd', host_or_ip: '192.168.1.20', ...more })

  test.each([
    ['an OctoPrint plugin before 1.8.0', { plugin_version: '1.7.9', agent: 'octoprint_obico' }, true],
    ['one that does not name its agent', { plugin_version: '1.6' }, true],
    ['an OctoPrint plugin of 1.8.0', { plugin_version: '1.8.0', agent: 'octoprint_obico' }, undefined],
    [
      'a Klipper agent, whatever its version',
      { plugin_version: '0.9.0', agent: 'moonraker_obico' },
      undefined,
    ],
    ['an odd version', { plugin_version: 'dev' }, undefined],
    ['no version', {}, undefined],
    ['an agent’s own word', { too_old: true, plugin_version: '2.0.0' }, undefined],
  ])('%s', (_name, more, tooOld) => {
    expect(announced(more)?.['too_old']).toBe(tooOld)
    expect(announced(more)?.['min_version']).toBe(tooOld && '1.8.0')
  })

  test.each([
    ['1.8.0', '1.8.0', false],
    ['1.8.0rc1', '1.8.0', false],
    ['1.10.0', '1.8.0', false],
    ['1.7.99', '1.8.0', true],
    ['1', '1.8.0', true],
    ['v2', '1.8.0', false],
    ['', '1.8.0', false],
  ])('%s below %s: %s', (version, least, below) => expect(isBelow(version, least)).toBe(below))
})

describe('products that ship with the agent', () => {
  const list = async () => (await call(app, 'GET', '/api/v1/wizard/products/')).json

  test('are ours, the operator’s file once there is one, and ours again when it is broken', async () => {
    const ours = await list()
    expect(ours.length).toBeGreaterThan(3)
    for (const product of ours)
      expect(product).toEqual({ brand: expect.any(String), model: expect.any(String), image_url: null })
    const path = join(app.dataFolder, 'products.json')
    const write = (content: unknown) =>
      writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
    const dot = 'data:image/png;base64,AAAA'
    await write([
      { brand: 'Acme', model: 'One', image_url: '/static/one.png', price: 1 },
      { brand: 'Acme', model: 'Two', image_url: dot },
      { brand: 'Acme', model: 'Three', image_url: 'https://elsewhere.example/three.png' },
      { brand: 'Acme', model: 'Four' },
      { brand: 'Acme', model: 'Five', image_url: '//elsewhere.example/five.png' },
    ])
    expect(await list()).toEqual([
      { brand: 'Acme', model: 'One', image_url: '/static/one.png' },
      { brand: 'Acme', model: 'Two', image_url: dot },
      ...['Three', 'Four', 'Five'].map((model) => ({ brand: 'Acme', model, image_url: null })),
    ])
    for (const bad of ['not json', '{}', '[{"brand":"x"}]', `[{"brand":"${'x'.repeat(101)}","model":"y"}]`]) {
      await write(bad)
      expect(await list()).toEqual(ours)
    }
    await write([])
    expect(await list()).toEqual([])
  })
})
