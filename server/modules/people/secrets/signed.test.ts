import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { currentKey } from '../../../lib/keyring.ts'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { asId } from '../../../test/ids.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { byServer } from '../../core/access/index.ts'
import { entranceFor, visitAt } from '../../remote/doors/doors.fixture.ts'
import { internalTunnel } from '../../remote/grants/grants.service.ts'
import { aStandIn, type StandIn } from '../../tell/notifications/standin.fixture.ts'
import { rotateSecrets } from './index.ts'
import { LEAD_MS } from './secrets.rules.ts'
import { LOOK_MS } from './secrets.service.ts'

const OVERLAP_MS = 3_600_000
const HOOK = 'https://hooks.example.org'
const ASK = '/o/authorize/?response_type=token&client_id=OrcaSlicer'
let app: TestApp
let receiver: StandIn
let owner: TestUser
let printer: { id: number }

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  receiver = await aStandIn()
  app = await buildTestApp({
    env: { OUTGOING_STAND_INS: `${HOOK}=${receiver.url}`, TUNNEL_DOMAIN: 'vigil.test' },
  })
  owner = await aUser(app)
  printer = await aPrinter(app, owner)
})
afterAll(async () => {
  await app.close()
  await receiver.close()
  vi.useRealTimers()
})

const own = (method: string, path: string, body?: unknown, cookie = owner.cookie) =>
  call(app, method, path, { cookie, body })
const cookieIn = (headers: Headers) => headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''

/** What one key has signed, each with how it is shown again: whether it counts. */
const KINDS: Record<string, () => Promise<() => Promise<boolean>>> = {
  async 'the secret of a webhook'() {
    const settings = '/api/v1/notification_settings/'
    const config = { custom_webhook_URL: `${HOOK}/a` }
    const all = (await own('GET', settings)).json as {
      id: number
      name: string
      config: { signing_secret: string }
    }[]
    const held = all.find(({ name }) => name === 'webhook')
    const known = held ?? (await own('POST', settings, { name: 'webhook', config })).json
    const key = Buffer.from(known.config.signing_secret.replace('whsec_', ''), 'base64')
    return async () => {
      receiver.asked.length = 0
      await own('POST', `${settings}${known.id}/send_test_message/`, {})
      const { headers, text } = await eventually(() => receiver.asked[0])
      const signed = [headers['webhook-id'], headers['webhook-timestamp'], text].join('.')
      const word = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
      return String(headers['webhook-signature']).split(' ').includes(word)
    }
  },
  async 'the pass of a share link with a PIN'() {
    const made = await own('POST', `/api/v1/printers/${printer.id}/share_links/`, { pin: '4711' })
    const { share_token } = made.json
    const letIn = await call(app, 'POST', '/api/v1p/printer/pin/', { body: { share_token, pin: '4711' } })
    const cookie = cookieIn(letIn.headers)
    return async () =>
      (await call(app, 'GET', `/api/v1p/printer/?share_token=${share_token}`, { cookie })).status === 200
  },
  async 'the pass of a tunnel'() {
    const tunnel = await internalTunnel(app.ctx, byServer(asId(printer.id)))
    const { host, pathname, search } = await entranceFor(app, tunnel, owner)
    const { headers } = await visitAt(app, host, pathname + search)
    const cookie = String(headers['set-cookie']?.[0]?.split(';', 1)[0])
    return async () =>
      (await visitAt(app, host, '/_tsd_/tunnelusage/', { headers: { cookie } })).status === 200
  },
  async 'the form that lets an app in'() {
    const page = (await own('GET', ASK)).text
    const fields = [...page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)]
    const said = fields.map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')] as const)
    const form = new URLSearchParams(Object.fromEntries(said))
    form.set('allow', '1')
    return async () => {
      const headers = { cookie: owner.cookie, 'sec-fetch-site': 'same-origin' }
      const sent = { method: 'POST', redirect: 'manual', headers, body: form } as const
      const { headers: told } = await fetch(`${app.url}/o/authorize/`, sent)
      return told.get('location')?.includes('access_token=') === true
    }
  },
}

/** A new key signs; the one before counts for an hour more. */
async function rotate(): Promise<void> {
  const { number } = currentKey(app.ctx.config)
  await rotateSecrets(app.ctx, OVERLAP_MS)
  app.advance(LEAD_MS + 1)
  vi.advanceTimersByTime(LOOK_MS)
  await eventually(() => currentKey(app.ctx.config).number === number + 1 || undefined)
}

it.each(Object.keys(KINDS))(
  '%s counts through the overlap and no longer, that of the new key goes on',
  async (kind) => {
    const sign = KINDS[kind]!
    const before = await sign()
    expect(await before()).toBe(true)
    await rotate()
    expect(await before()).toBe(true)
    const after = await sign()
    expect(await after()).toBe(true)
    app.advance(OVERLAP_MS)
    vi.advanceTimersByTime(LOOK_MS)
    await eventually(async () => !(await before()) || undefined)
    expect(await after()).toBe(true)
  },
)
