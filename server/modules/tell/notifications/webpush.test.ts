import { aTaggedPicture, happens } from './events.fixture.ts'
import { createPublicKey } from 'node:crypto'
import { jwtVerify } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  aPrinter,
  aUser,
  buildTestApp,
  call,
  PASSWORD,
  type TestApp,
  type TestUser,
} from '../../../test/app.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { aStandIn, type StandIn, status } from './standin.fixture.ts'
import { aBrowser, type TestBrowser } from './webpush.fixture.ts'
import { asId } from '../../../test/ids.ts'

const SERVICE = 'https://push.example'
const PATH = '/api/v1/push_subscriptions/'

let app: TestApp
let service: StandIn
let owner: TestUser
let printer: { id: number }

beforeAll(async () => {
  service = await aStandIn()
  app = await buildTestApp({
    env: { PUBLIC_URL: 'https://vigil.example/house', OUTGOING_STAND_INS: `${SERVICE}=${service.url}` },
  })
})
afterAll(async () => {
  await app.close()
  await service.close()
})
beforeEach(async () => {
  service.asked.length = 0
  service.answers(status(201))
  owner = await aUser(app)
  printer = await aPrinter(app, owner, 'Voron')
})

const as = (who: TestUser) => ({ cookie: who.cookie })
let counter = 0
const browser = () => aBrowser(`${SERVICE}/wpush/${++counter}`)
const turnOn = async ({ endpoint, keys }: TestBrowser, who = owner, label = 'Firefox on Linux') =>
  await call(app, 'POST', PATH, { ...as(who), body: { endpoint, keys, label } })
const list = async (who = owner) => (await call(app, 'GET', PATH, as(who))).json
const channels = async (who = owner) =>
  (await call(app, 'GET', '/api/v1/notification_settings/', as(who))).json as { id: number; name: string }[]
const webpush = async (who = owner) => (await channels(who)).find(({ name }) => name === 'webpush')

async function fails(): Promise<{ outcome: string | null; problem: string | null }> {
  const image = await aTaggedPicture(app, printer.id, 1)
  await happens(app, {
    userId: owner.id,
    printerId: asId(printer.id),
    printId: null,
    type: 'FAILURE_ALERTED',
    class: 'ERROR',
    code: 'failure_paused',
    image,
  })
  return await eventually(
    () =>
      app.ctx.db
        .selectFrom('deliveries')
        .select(['outcome', 'problem'])
        .where('userId', '=', owner.id)
        .where('channel', '=', 'webpush')
        .where('outcome', 'is not', null)
        .orderBy('id', 'desc')
        .executeTakeFirst(),
    60_000,
  )
}

test('a browser that is turned on makes the channel, is listed, and turned off ends it', async () => {
  const one = browser()
  const made = await turnOn(one)
  expect(made.status).toBe(201)
  expect(made.json).toEqual({
    id: expect.any(Number),
    endpoint: one.endpoint,
    label: 'Firefox on Linux',
    created_at: expect.stringMatching(/Z$/),
  })
  const { public_key: key, subscriptions } = await list()
  expect(Buffer.from(key, 'base64url')).toHaveLength(65)
  expect(subscriptions).toEqual([made.json])
  expect(await webpush()).toMatchObject({ enabled: true, notify_on_failure_alert: true, config: {} })
  // The same browser, renewed; then somebody else signs in there, and turns it on.
  expect((await turnOn(one)).json.id).toBe(made.json.id)
  const other = await aUser(app)
  await turnOn(one, other)
  expect((await list()).subscriptions).toEqual([])
  expect(await webpush()).toBeUndefined()
  expect(await webpush(other)).toBeDefined()
  expect((await call(app, 'DELETE', `${PATH}${made.json.id}/`, as(owner))).status).toBe(404)
  expect((await call(app, 'DELETE', `${PATH}${made.json.id}/`, as(other))).status).toBe(204)
  expect(await webpush(other)).toBeUndefined()
  expect((await list(other)).public_key, 'the key is kept').toBe(key)
})

test('who signs out is told nothing there any more, nor who is signed out by a new password; others are', async () => {
  const signIn = async () => {
    const body = { email: owner.email, password: PASSWORD }
    const answer = await call(app, 'POST', '/api/v1/auth/login/', { body })
    return { ...owner, cookie: answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '' }
  }
  const [here, there, old] = [browser(), browser(), browser()]
  const [mine, elsewhere] = [owner, await signIn()]
  await turnOn(here, mine)
  await turnOn(there, elsewhere)
  const phone = { platform: 'android', app_version: '1', device_token: `phone of ${owner.id}` }
  const phones = '/api/v1/mobile_devices/'
  await call(app, 'POST', phones, { ...as(elsewhere), body: phone })
  await call(app, 'POST', PATH, { token: owner.token, body: { ...old, label: 'by a token' } })
  await call(app, 'POST', '/api/v1/auth/logout/', as(mine))
  const left = async () =>
    (await list(elsewhere)).subscriptions.map((one: { endpoint: string }) => one.endpoint)
  expect(await left()).toEqual([old.endpoint, there.endpoint])
  const fresh = await signIn()
  const passwords = { old: PASSWORD, new: 'another and better one' }
  const changed = await call(app, 'POST', '/api/v1/auth/password/change/', { ...as(fresh), body: passwords })
  expect(changed.status).toBe(204)
  expect((await list(fresh)).subscriptions.map((one: { endpoint: string }) => one.endpoint)).toEqual([
    old.endpoint,
  ])
  expect((await call(app, 'GET', phones, as(fresh))).json).toEqual([])
})

test('what is no subscription is refused by its field; of many browsers the newest are kept', async () => {
  const { endpoint, keys } = browser()
  for (const [body, field] of [
    [{ endpoint: 'http://push.example/1', keys, label: '' }, 'endpoint'],
    [{ endpoint, keys: { ...keys, auth: 'AAAA' }, label: '' }, 'keys'],
    [{ endpoint, keys: { ...keys, p256dh: 'no bytes' }, label: '' }, 'keys'],
  ] as const) {
    const refused = await call(app, 'POST', PATH, { ...as(owner), body })
    expect(refused.status).toBe(400)
    expect(Object.keys(refused.json)).toEqual([field])
  }
  for (let i = 0; i < 22; i++) expect((await turnOn(browser(), owner, `${i}`)).status).toBe(201)
  const { subscriptions } = await list()
  expect(subscriptions).toHaveLength(20)
  expect(subscriptions[0].label).toBe('21')
})

test('an alert reaches each browser, encrypted for it alone and signed by this server', async () => {
  const both = [browser(), browser()] as const
  for (const one of both) await turnOn(one)
  expect(await fails()).toEqual({ outcome: 'accepted', problem: null })
  expect(service.asked).toHaveLength(2)
  for (const one of both) {
    const asked = service.asked.find(({ path }) => one.endpoint.endsWith(path))
    expect(asked?.headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      ttl: '3600',
      urgency: 'high',
      topic: expect.stringMatching(/^[\w-]{32}$/),
    })
    expect(one.read(asked?.body ?? Buffer.alloc(0))).toEqual({
      title: 'Vigil failure alert',
      body: expect.stringContaining('The printer is paused.'),
      tag: expect.stringMatching(/^event:\d+:\d+$/),
      lang: 'en',
      brand: 'base',
      isAlert: true,
      url: expect.stringMatching(/^\/house\/alerts\/[\w-]{43}\/$/),
      picture: expect.stringMatching(/^\/house\/media\/.+digest=/),
      buttons: [
        { text: expect.any(String), url: expect.stringMatching(/^\/house\//) },
        { text: expect.any(String), url: expect.stringMatching(/^\/house\//) },
      ],
    })
    // RFC 8292: the token is for this push service, from the key that browsers subscribe with.
    const [, token = '', key = ''] =
      /^vapid t=([^,]+), ?k=(.+)$/.exec(asked?.headers.authorization ?? '') ?? []
    expect(key).toBe((await list()).public_key)
    const point = Buffer.from(key, 'base64url')
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
    const jwk = { kty: 'EC', crv: 'P-256', x, y }
    const { payload } = await jwtVerify(token, createPublicKey({ key: jwk, format: 'jwk' }))
    expect(payload).toMatchObject({ aud: SERVICE, sub: 'https://vigil.example/house' })
  }
})

test('a browser that is gone is forgotten, and the others hear of it all the same', async () => {
  const [gone, here] = [browser(), browser()]
  await turnOn(gone)
  await turnOn(here)
  service.answers((asked, response) =>
    status(gone.endpoint.endsWith(asked.path) ? 410 : 201)(asked, response),
  )
  expect(await fails()).toMatchObject({ outcome: 'accepted' })
  expect((await list()).subscriptions.map(({ endpoint }: { endpoint: string }) => endpoint)).toEqual([
    here.endpoint,
  ])
  // The last one goes too: its owner is told that nothing would arrive.
  service.answers(status(404))
  const { id } = (await webpush()) ?? { id: 0 }
  const tested = await call(app, 'POST', `/api/v1/notification_settings/${id}/send_test_message/`, as(owner))
  expect(tested.status).toBe(418)
  expect((await list()).subscriptions).toEqual([])
  const { json: reach } = await call(app, 'GET', '/api/v1/notification_reach/', as(owner))
  expect(reach.channels.map(({ name }: { name: string }) => name)).not.toContain('webpush')
})

test('a push service that a browser names is called like any address that people name: never inside', async () => {
  for (const host of [
    '127.0.0.1',
    'localhost',
    '[::1]',
    '169.254.169.254',
    '10.0.0.1',
    '[::ffff:127.0.0.1]',
  ]) {
    const refused = await turnOn(aBrowser(`https://${host}/${++counter}`))
    expect(refused).toMatchObject({
      status: 400,
      json: { endpoint: [expect.stringContaining('may not be')] },
    })
  }
  // What was saved before is not called all the same.
  const { json } = await turnOn(aBrowser(`https://push.invalid/${++counter}`))
  await app.ctx.db
    .updateTable('pushSubscriptions')
    .set({ endpoint: 'https://10.0.0.1/' })
    .where('id', '=', json.id)
    .execute()
  const { id } = (await webpush()) ?? { id: 0 }
  const tested = await call(app, 'POST', `/api/v1/notification_settings/${id}/send_test_message/`, as(owner))
  expect(tested.status).toBe(418)
  expect(tested.json.detail).toMatch(/is an address that may not be called/)
})
