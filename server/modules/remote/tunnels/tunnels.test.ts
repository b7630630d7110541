import { afterAll, beforeAll, expect, it } from 'vitest'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'

let app: TestApp
let owner: TestUser
let printerId: number
const TUNNELS = '/api/v1/tunnels/'
const FIRST = 25_853
beforeAll(async () => {
  app = await buildTestApp({ env: { OCTOPRINT_TUNNEL_PORT_RANGE: `${FIRST}-${FIRST + 1}` } })
  owner = await aUser(app)
  printerId = (await aPrinter(app, owner, 'Ender')).id
})
afterAll(() => app.close())

const post = (body: object, who = owner) => call(app, 'POST', TUNNELS, { cookie: who.cookie, body })
const wanted = (over: object = {}) => ({ app_name: ' OctoApp ', target_printer_id: printerId, ...over })

it('an app is let in by an endpoint that is told once, listed without it, and shut out', async () => {
  const made = await post(wanted())
  expect([made.status, made.json]).toEqual([
    201,
    { tunnel_endpoint: expect.stringMatching(/^http:\/\/[0-9a-f]{64}:[0-9a-f]{64}@127\.0\.0\.1:25853$/) },
  ])
  const { username, password } = new URL(made.json.tunnel_endpoint)
  const listed = await call(app, 'GET', TUNNELS, { token: owner.token })
  const { printer, ...tunnel } = listed.json[0]
  expect(tunnel).toEqual({
    id: expect.any(Number),
    app: 'OctoApp',
    subdomain_code: expect.stringMatching(/^[0-9a-f]{16}$/),
    port: FIRST,
    basicauth_username: username,
    created_at: expect.any(String),
    updated_at: expect.any(String),
    last_used_at: null,
  })
  expect(printer).toMatchObject({ id: printerId, name: 'Ender' })
  expect(JSON.stringify(listed.json)).not.toContain(password)
  const path = `${TUNNELS}${tunnel.id}/`
  expect((await call(app, 'GET', path, { cookie: owner.cookie })).json).toMatchObject(tunnel)
  expect((await call(app, 'DELETE', path, { cookie: owner.cookie })).status).toBe(204)
  for (const method of ['GET', 'DELETE'])
    expect((await call(app, method, path, { cookie: owner.cookie })).status).toBe(404)
  expect((await call(app, 'GET', TUNNELS, { cookie: owner.cookie })).json).toEqual([])
})

it('is refused under a name of ours, without a name, for another’s printer, and where no port is left', async () => {
  for (const name of ['Obico', 'vigil'])
    expect(await post(wanted({ app_name: name }))).toMatchObject({ status: 403 })
  expect(await post(wanted({ app_name: ' ' }))).toMatchObject({
    status: 400,
    json: { app_name: expect.any(Array) },
  })
  expect((await post(wanted({ app_name: 'x'.repeat(65) }))).status).toBe(400)
  expect((await post(wanted(), await aUser(app))).status).toBe(404)
  expect((await post(wanted())).status).toBe(201)
  expect((await post(wanted())).status).toBe(201)
  const full = await post(wanted())
  expect([full.status, full.headers.get('retry-after')]).toEqual([503, '5'])
  const page = await fetch(`${app.url}/octoprint/${printerId}/`, {
    headers: { cookie: owner.cookie, accept: 'text/html' },
    redirect: 'manual',
  })
  expect([page.status, await page.text()]).toEqual([484, expect.stringContaining('<html')])
  for (const { id } of (await call(app, 'GET', TUNNELS, { cookie: owner.cookie })).json)
    await call(app, 'DELETE', `${TUNNELS}${id}/`, { cookie: owner.cookie })
})

it('the owner is led into the printer’s page by a ticket, and the viewer may frame that one origin', async () => {
  const open = (path: string, cookie = owner.cookie) =>
    fetch(app.url + path, { headers: { cookie, accept: 'text/html' }, redirect: 'manual' })
  const entrance = await open(`/octoprint/${printerId}/`)
  expect(entrance.status).toBe(302)
  const to = new URL(entrance.headers.get('location') ?? '')
  expect([to.hostname, to.pathname]).toEqual(['127.0.0.1', '/_tsd_/enter/'])
  // Programs ask without the slash, and follow once.
  const bare = await open(`/octoprint/${printerId}`)
  expect([bare.status, new URL(bare.headers.get('location') ?? '').pathname]).toEqual([302, '/_tsd_/enter/'])
  expect((await open('/octoprint/x')).status).toBe(404)
  const policyOf = async (path: string, cookie?: string) =>
    (await open(path, cookie)).headers.get('content-security-policy') ?? ''
  for (const path of [`/tunnels/${printerId}/`, `/tunnel/${printerId}/`])
    expect(await policyOf(path)).toContain(`frame-src 'self' ${to.origin};`)
  for (const path of ['/tunnels/1000000/', '/printers/'])
    expect(await policyOf(path)).not.toContain('frame-src')
  expect(await policyOf(`/tunnels/${printerId}/`, (await aUser(app)).cookie)).not.toContain('frame-src')
  expect(await policyOf('/tunnels/new/?app=x')).toContain("frame-ancestors 'none'")
  expect((await open('/octoprint/x/')).status).toBe(404)
  const stranger = await open(`/octoprint/${printerId}/`, '')
  expect(stranger.headers.get('location')).toBe(`/accounts/login/?next=%2Foctoprint%2F${printerId}%2F`)
})

it('what was carried is told without a cap where nobody is limited', async () => {
  const { json } = await call(app, 'GET', '/api/v1/tunnelusage/', { cookie: owner.cookie })
  expect(json).toEqual({ total: 0, monthly_cap: -1, reset_in_seconds: expect.any(Number) })
  expect(json.reset_in_seconds).toBeGreaterThan(0)
})
