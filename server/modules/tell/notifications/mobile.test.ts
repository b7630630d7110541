import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jwtVerify } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { connectAgent, eventually } from '../../../test/wire/agent.ts'
import { owe } from './index.ts'
import { type Asked, aStandIn, type StandIn, status } from './standin.fixture.ts'
import { asId } from '../../../test/ids.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})
const SEND = '/v1/projects/vigil-test/messages:send'

let app: TestApp
let google: StandIn
let folder: string
let owner: TestUser
let printer: Awaited<ReturnType<typeof aPrinter>>
let printId: number

beforeAll(async () => {
  google = await aStandIn()
  folder = await mkdtemp(join(tmpdir(), 'vigil-keys-'))
  await writeFile(
    join(folder, 'base-firebase-admin-key.json'),
    JSON.stringify({
      type: 'service_account',
      project_id: 'vigil-test',
      private_key_id: 'k1',
      private_key: privateKey,
      client_email: 'push@vigil-test.iam.example',
    }),
  )
  app = await buildTestApp({
    env: {
      FIREBASE_KEYS_FOLDER: folder,
      PUBLIC_URL: 'https://vigil.example',
      OUTGOING_STAND_INS: ['https://oauth2.googleapis.com', 'https://fcm.googleapis.com']
        .map((origin) => `${origin}=${google.url}`)
        .join(','),
    },
  })
})
afterAll(async () => {
  await app.close()
  await google.close()
  await rm(folder, { recursive: true })
})
beforeEach(async () => {
  google.asked.length = 0
  answers(() => ({ name: 'projects/vigil-test/messages/1' }))
  owner = await aUser(app)
  printer = await aPrinter(app, owner, 'Voron')
  const row = await app.ctx.db
    .insertInto('prints')
    .values({ userId: owner.id, printerId: printer.id, filename: 'benchy.gcode', startedAt: new Date(0) })
    .returning('id')
    .executeTakeFirstOrThrow()
  printId = row.id
})

/** Google gives tokens; Firebase answers so. */
function answers(firebase: Parameters<StandIn['answers']>[0]): void {
  google.answers((asked, response) =>
    asked.path === '/token' ? { access_token: 'ya29.x', expires_in: 3599 } : firebase(asked, response),
  )
}
const as = (who: TestUser) => ({ cookie: who.cookie })
const register = async (token: string, platform = 'android') =>
  await call(app, 'POST', '/api/v1/mobile_devices/', {
    ...as(owner),
    body: { platform, app_version: '2.1', device_token: token },
  })
const phones = async () =>
  ((await call(app, 'GET', '/api/v1/mobile_devices/', as(owner))).json as { device_token: string }[]).map(
    (phone) => phone.device_token,
  )
const sent = () => google.asked.filter(({ path }) => path === SEND)

let told = 0
/** Has an owner told of something, and what came of it. */
async function tell(news: Pick<Parameters<typeof owe>[1], 'kind' | 'code'> & { heater?: object }) {
  const key = `test:${++told}`
  const picture = { container: 'tsd-pics', path: `tagged/${printer.id}/1/1.jpg` } as const
  await app.ctx.files.put(picture, Buffer.from('a picture'))
  await app.ctx.db.transaction().execute((tx) =>
    owe({ ...app.ctx, db: tx }, {
      picture,
      printerId: printer.id,
      printId,
      ...news,
      key,
    } as Parameters<typeof owe>[1]),
  )
  return await eventually(
    () =>
      app.ctx.db
        .selectFrom('deliveries')
        .select(['outcome', 'problem', 'attempts'])
        .where('noticeKey', '=', key)
        .where('channel', '=', 'mobile')
        .where('outcome', 'is not', null)
        .executeTakeFirst(),
    60_000,
  )
}

test('an alert reaches each phone as the apps know it, all of it text, by a token that our key was exchanged for', async () => {
  await register('phone-1')
  await register('phone-2', 'ios')
  expect(await tell({ kind: 'PrintFailure', code: 'failure_paused' })).toMatchObject({ outcome: 'accepted' })
  const [asked] = google.asked as [Asked]
  const form = new URLSearchParams(asked.text)
  expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer')
  const { payload, protectedHeader } = await jwtVerify(
    form.get('assertion') ?? '',
    createPublicKey(publicKey),
  )
  expect(protectedHeader).toMatchObject({ alg: 'RS256', kid: 'k1' })
  expect(payload).toMatchObject({
    iss: 'push@vigil-test.iam.example',
    aud: 'https://oauth2.googleapis.com/token',
    scope: 'https://www.googleapis.com/auth/firebase.messaging',
  })
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3600)
  expect(sent().map(({ json }) => json.message.token)).toEqual(['phone-1', 'phone-2'])
  expect(sent()[0]?.headers.authorization).toBe('Bearer ya29.x')
  expect(sent()[0]?.json).toEqual({
    message: {
      token: 'phone-1',
      data: {
        type: 'failureAlert',
        title: '🔴 Probably failing | paused',
        body: 'benchy.gcode',
        picUrl: expect.stringMatching(/^https:\/\/vigil\.example\/media\/.+digest=/),
        printerId: String(printer.id),
      },
      android: { priority: 'HIGH', ttl: '3600s' },
      apns: {
        headers: {
          'apns-push-type': 'background',
          'apns-priority': '5',
          'apns-expiration': expect.stringMatching(/^\d{10}$/),
        },
        payload: { aps: { 'content-available': 1, category: 'post' } },
      },
    },
  })
})

test('events of prints and heaters are told in the apps’ words; the token is asked for once', async () => {
  await register('phone')
  await call(app, 'PATCH', '/api/v1/users/me/', { ...as(owner), body: { language: 'en' } })
  await tell({ kind: 'PrintDone', code: 'print_finished' })
  await tell({
    kind: 'HeaterTargetReached',
    code: null,
    heater: { name: 'Extruder', actual: 209.8, target: 210, offset: 0 },
  })
  expect(sent().map(({ json }) => json.message.data)).toEqual([
    {
      type: 'printEvent',
      eventType: 'PrintDone',
      printId: String(printId),
      printerId: String(printer.id),
      title: 'Print done | Voron',
      body: 'benchy.gcode',
      picUrl: expect.any(String),
    },
    {
      type: 'heaterEvent',
      eventType: 'ReachedTarget',
      printerId: String(printer.id),
      title: 'Extruder 210 °C, target reached',
      body: 'Voron',
    },
  ])
  expect(google.asked.filter(({ path }) => path === '/token').length).toBeLessThanOrEqual(1)
})

test('a phone that has the app no more is forgotten; one trouble of Firebase’s own loses none', async () => {
  for (const name of ['gone', 'foreign', 'broken', 'here']) await register(name)
  const codes: Record<string, [number, string]> = {
    gone: [404, 'UNREGISTERED'],
    foreign: [403, 'SENDER_ID_MISMATCH'],
    broken: [400, 'INVALID_ARGUMENT'],
  }
  answers((asked, response) => {
    const [code, errorCode] = codes[asked.json.message.token] ?? [200, '']
    const message = 'The registration token is not a valid FCM registration token'
    const type = 'type.googleapis.com/google.firebase.fcm.v1.FcmError'
    return status(code, { error: { code, message, details: [{ '@type': type, errorCode }] } })(
      asked,
      response,
    )
  })
  expect(await tell({ kind: 'PrintFailure', code: 'failure_alerted' })).toMatchObject({ outcome: 'accepted' })
  expect(await phones()).toEqual(['here'])
  // A trouble of Firebase's own: tried again, and the phone stays.
  answers((asked, response) =>
    sent().length > 5 ? {} : status(500, { error: { status: 'INTERNAL' } })(asked, response),
  )
  expect(await tell({ kind: 'PrintFailure', code: 'failure_alerted' })).toMatchObject({
    outcome: 'accepted',
    attempts: 2,
  })
  expect(await phones()).toEqual(['here'])
  // A token that is not taken any more is exchanged for another.
  const before = google.asked.length
  answers((asked, response) => (google.asked.length > before + 1 ? {} : status(401)(asked, response)))
  expect(await tell({ kind: 'PrintFailure', code: 'failure_alerted' })).toMatchObject({ outcome: 'accepted' })
  expect(google.asked.slice(before).map(({ path }) => path)).toEqual([SEND, '/token', SEND])
})

test('phones are shown how a print gets on, no oftener than their platform bears it', async () => {
  await register('droid')
  await register('apple', 'ios')
  await app.ctx.db.updateTable('prints').set({ extId: 1700000000 }).where('id', '=', asId(printId)).execute()
  await app.ctx.db
    .updateTable('printers')
    .set({ currentPrintId: asId(printId) })
    .where('id', '=', printer.id)
    .execute()
  await app.ctx.db
    .updateTable('mobileDevices')
    .set({ preferredTimezone: 'Europe/Berlin' })
    .where('deviceToken', '=', 'apple')
    .execute()
  const agent = await connectAgent(app, printer.auth_token)
  const says = (completion: number) =>
    agent.send({
      current_print_ts: 1700000000,
      status: {
        _ts: app.ctx.clock.now() / 1000,
        state: { text: 'Printing', flags: { printing: true, operational: true } },
        progress: { completion, printTime: 60, printTimeLeft: 5400 },
      },
    })
  const titles = async (count: number) =>
    await eventually(
      () => (sent().length >= count ? sent().map(({ json }) => json.message) : undefined),
      60_000,
    )
  says(45.4)
  const [first, second] = await titles(2)
  expect(first.data).toEqual({
    type: 'printProgress',
    printId: String(printId),
    printerId: String(printer.id),
    title: '45% | ⏱ 01:30 | 😴',
    body: 'benchy.gcode',
    picUrl: '',
    completion: '45',
  })
  expect(first.android.ttl).toBe('300s')
  expect(second.data.title).toMatch(/^45% \| ⏱ 01:30 \| 🏁 \d\d:\d\d[AP]M \| 😴$/)
  // What is said in between is not told.
  says(46)
  await tell({ kind: 'PrintFailure', code: 'failure_alerted' })
  expect((await titles(4)).map(({ data }) => data.type)).toEqual([
    'printProgress',
    'printProgress',
    'failureAlert',
    'failureAlert',
  ])
  agent.close()
})

test('who has a phone has the channel, heaters included; who has none is told so', async () => {
  const channel = async () =>
    ((await call(app, 'GET', '/api/v1/notification_settings/', as(owner))).json as any[]).find(
      ({ name }) => name === 'mobile',
    )
  expect(await channel()).toBeUndefined()
  const { json } = await register('phone')
  expect(await channel()).toMatchObject({ enabled: true, notify_on_heater_status: true })
  const address = `/api/v1/notification_settings/${(await channel()).id}/send_test_message/`
  expect((await call(app, 'POST', address, as(owner))).status).toBe(200)
  expect(sent()[0]?.json.message).toMatchObject({
    data: { type: 'message', eventType: 'Test', title: 'Vigil test message' },
    notification: { title: 'Vigil test message' },
  })
  await call(app, 'DELETE', `/api/v1/mobile_devices/${json.id}/`, as(owner))
  const refused = await call(app, 'POST', address, as(owner))
  expect(refused).toMatchObject({ status: 418, json: { detail: 'No phone with our app is registered.' } })
})
