import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { aUser, buildTestApp, call, PASSWORD, type TestApp, type TestUser } from '../../../test/app.ts'
import { aStandIn, type StandIn } from '../../tell/notifications/standin.fixture.ts'
import { codeAt } from '../factors/codes.rules.ts'

const LIST = 'https://breached.example.org'
const DAY_MS = 86_400_000
const STOLEN = 'stolen from somewhere else'
const digest = createHash('sha1').update(STOLEN).digest('hex').toUpperCase()
let app: TestApp
let list: StandIn

beforeAll(async () => {
  list = await aStandIn()
  app = await buildTestApp({
    env: {
      ACCOUNT_ALLOW_SIGN_UP: 'true',
      ADMIN_SECOND_FACTOR: 'true',
      HSTS_SECONDS: '31536000',
      BREACHED_PASSWORDS_URL: `${LIST}/range/`,
      OUTGOING_STAND_INS: `${LIST}=${list.url}`,
      SESSION_MAX_DAYS: '2',
    },
  })
  await aUser(app, { isAdmin: true })
})
afterAll(async () => {
  await app.close()
  await list.close()
})
beforeEach(() => {
  app.newWindows()
  list.asked.length = 0
  list.answers((_, response) =>
    response.end(`${'0'.repeat(35)}:7\r\n${digest.slice(5)}:3\r\n${'F'.repeat(35)}:0`),
  )
})

let counter = 0
const signUp = (password: string) =>
  call(app, 'POST', '/api/v1/auth/signup/', { body: { email: `new-${++counter}@example.org`, password } })
const by = (who: TestUser, method: string, path: string, body?: unknown) =>
  call(app, method, path, { cookie: who.cookie, body })

it('a password that was breached is refused, and who is asked learns five digits of its hash', async () => {
  expect(await signUp(STOLEN)).toMatchObject({
    status: 400,
    json: { password: [expect.stringContaining('stolen')] },
  })
  expect(list.asked.map(({ path, text }) => [path, text])).toEqual([[`/range/${digest.slice(0, 5)}`, '']])
  // A line with none is padding.
  list.answers((_, response) => response.end(`${digest.slice(5)}:0\r\n`))
  expect((await signUp(STOLEN)).status).toBe(201)
})

it.each([
  ['is away', (response: ServerResponse) => void response.destroy()],
  ['is broken', (response: ServerResponse) => void response.writeHead(500).end()],
])('nobody is kept out because the list %s', async (_, answer) => {
  list.answers((__, response) => answer(response))
  expect((await signUp(STOLEN)).status).toBe(201)
  expect(list.asked.length).toBe(1)
})

it('a session ends when its time is over, however it is used', async () => {
  const user = await aUser(app)
  const use = async () => (await by(user, 'GET', '/api/v1/users/me/')).status
  app.advance(1.5 * DAY_MS)
  expect(await use()).toBe(200)
  app.advance(DAY_MS / 4)
  expect(await use()).toBe(200)
  app.advance(DAY_MS / 4)
  expect(await use()).toBe(403)
})

it('a browser that remembers is told anew how long is left, in whole seconds', async () => {
  const { email } = await aUser(app)
  const body = { email, password: PASSWORD, remember: true }
  const { headers } = await call(app, 'POST', '/api/v1/auth/login/', { body })
  const cookie = headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
  app.advance(DAY_MS + 1_501)
  const renewed = await call(app, 'GET', '/api/v1/users/me/', { cookie })
  expect(renewed.status).toBe(200)
  expect(renewed.headers.getSetCookie()[0]).toMatch(/; Max-Age=863\d\d;/)
})

it('every answer says that browsers shall come by HTTPS alone', async () => {
  const { headers } = await call(app, 'GET', '/api/v1/bootstrap/')
  expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
})

it('nobody administers without a second factor', async () => {
  const admin = await aUser(app, { isAdmin: true })
  const people = () => by(admin, 'GET', '/api/v1/admin/people/')
  expect(await people()).toMatchObject({
    status: 403,
    json: { detail: expect.stringContaining('second factor') },
  })
  const { secret } = (await by(admin, 'POST', '/api/v1/auth/factors/totp/', {})).json
  await by(admin, 'POST', '/api/v1/auth/factors/totp/confirm/', { code: codeAt(secret, app.ctx.clock.now()) })
  expect((await people()).status).toBe(200)
})
