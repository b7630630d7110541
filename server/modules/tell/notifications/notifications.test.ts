import { happens, ofBenchy } from './events.fixture.ts'
import { createHmac } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Delivery, NotificationSetting } from '@vigil/contract/tell/notifications.ts'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { writeEvent } from '../../core/events/index.ts'
import { applyHeaters } from '../../prints/prints/index.ts'
import { aStandIn, type StandIn, status } from './standin.fixture.ts'
import { asId } from '../../../test/ids.ts'

const HOOK = 'https://hooks.example.org'
let app: TestApp
let receiver: StandIn
let owner: TestUser
let stranger: TestUser
let printer: Awaited<ReturnType<typeof aPrinter>>
let printId: number

beforeAll(async () => {
  receiver = await aStandIn()
  app = await buildTestApp({
    env: { OUTGOING_STAND_INS: `${HOOK}=${receiver.url}`, PUBLIC_URL: 'https://vigil.example' },
  })
})
afterAll(async () => {
  await app.close()
  await receiver.close()
})
beforeEach(async () => {
  receiver.asked.length = 0
  receiver.answers(() => ({}))
  owner = await aUser(app)
  stranger = await aUser(app)
  printer = await aPrinter(app, owner, 'Voron')
  const row = await app.ctx.db
    .insertInto('prints')
    .values({ userId: owner.id, printerId: printer.id, filename: 'benchy.gcode', startedAt: new Date(0) })
    .returning('id')
    .executeTakeFirstOrThrow()
  printId = row.id
})

const path = '/api/v1/notification_settings/'
const api = (method: string, rest = '', body?: unknown, who = owner) =>
  call(app, method, path + rest, { cookie: who.cookie, body })
const hook = (more: object = {}, who = owner) =>
  api('POST', '', { name: 'webhook', config: { custom_webhook_URL: `${HOOK}/a` }, ...more }, who)
const log = async (who = owner) =>
  (await call(app, 'GET', '/api/v1/notification_deliveries/', { cookie: who.cookie })).json as Delivery[]
const ended = (count = 1) =>
  eventually(async () => {
    const all = await log()
    return all.length >= count && all.every(({ outcome }) => outcome !== null) ? all : undefined
  })

const event = (code: string, type: string, more: object = {}) => {
  const of = { userId: owner.id, printerId: printer.id, printId: asId(printId) }
  return happens(app, { ...ofBenchy(of, code, type), ...more })
}
const failure = (code = 'failure_alerted', more: object = {}) => event(code, 'FAILURE_ALERTED', more)

describe('the channels of an account', () => {
  test('begin with e-mail; another is set up, changed and removed', async () => {
    expect((await api('GET')).json).toMatchObject([{ name: 'email', config: {}, enabled: true }])
    const made = await hook({ notify_on_print_done: 'f', user: 99 })
    expect(made.status).toBe(201)
    expect(made.json).toEqual({
      id: expect.any(Number),
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      name: 'webhook',
      config: { custom_webhook_URL: `${HOOK}/a`, signing_secret: expect.stringMatching(/^whsec_/) },
      enabled: true,
      notify_on_failure_alert: true,
      notify_on_not_watching: true,
      notify_on_print_done: false,
      notify_on_print_cancelled: false,
      notify_on_filament_change: true,
      notify_on_heater_status: false,
      notify_on_print_start: false,
      notify_on_print_pause: false,
      notify_on_print_resume: false,
    } satisfies NotificationSetting)
    const at = `${made.json.id}/`
    expect((await api('PATCH', at, { notify_on_print_start: true })).json).toMatchObject({
      notify_on_print_start: true,
      notify_on_print_done: false,
    })
    const other = { name: 'webhook', config: { custom_webhook_URL: `${HOOK}/b` } }
    expect((await api('PUT', at, other)).json.config).toMatchObject(other.config)
    expect((await api('GET', at)).json.config).toMatchObject(other.config)
    for (const [method, body] of [['GET'], ['PATCH', {}], ['PUT', {}], ['DELETE']] as const)
      expect((await api(method, at, body, stranger)).status).toBe(404)
    expect((await api('POST', `${at}send_test_message/`, {}, stranger)).status).toBe(404)
    expect((await api('DELETE', at)).status).toBe(204)
    expect((await api('GET', at)).status).toBe(404)
  })

  test('are refused by field: unknown, twice, unset, without or with a wrong configuration', async () => {
    expect(await api('POST', '', { name: 'pigeon', config: {} })).toMatchObject({
      status: 400,
      json: { name: ['This is no channel of this server: pigeon.'] },
    })
    expect(await api('POST', '', { name: 'webhook' })).toMatchObject({
      status: 400,
      json: { config: [expect.any(String)] },
    })
    expect(await api('POST', '', { name: 'webhook', config: {} })).toMatchObject({
      status: 400,
      json: { config: { custom_webhook_URL: ['This field is required.'] } },
    })
    for (const url of ['ftp://x', 'javascript:alert(1)', 'nonsense'])
      expect((await hook({ config: { custom_webhook_URL: url } })).json).toMatchObject({
        config: { custom_webhook_URL: [expect.stringContaining('Enter a valid web address')] },
      })
    expect((await hook()).status).toBe(201)
    expect(await hook()).toMatchObject({
      status: 400,
      json: { non_field_errors: ['The fields user, name must make a unique set.'] },
    })
    const twice = await aUser(app)
    const both = await Promise.all([hook({}, twice), hook({}, twice)])
    expect(both.map((one) => one.status).toSorted()).toEqual([201, 400])
  })

  test('are named with what they can do, and which variables they have', async () => {
    const { plugins } = (await api('GET', 'available_plugins/')).json
    expect(plugins.webhook).toEqual({ features: expect.any(Array), env_vars: {} })
    expect(plugins.webhook.features).toHaveLength(9)
  })
})

describe('a test message', () => {
  test('is sent now, and proves the channel', async () => {
    const reach = async () =>
      (await call(app, 'GET', '/api/v1/notification_reach/', { cookie: owner.cookie })).json
    expect(await reach()).toEqual({ reach: 'none', channels: [] })
    const { id } = (await hook()).json
    expect(await reach()).toEqual({
      reach: 'unproven',
      channels: [{ name: 'webhook', alerts: true, accepted_at: null, failing_since: null, refusal: null }],
    })
    expect(await api('POST', `${id}/send_test_message/`)).toMatchObject({
      status: 200,
      json: { status: 'sent' },
    })
    expect(receiver.asked[0]?.json).toEqual({ event: 'TestEvent' })
    expect((await reach()).reach).toBe('works')
  })

  test('that is not accepted says why: 418', async () => {
    const { id } = (await hook()).json
    receiver.answers(status(403, { error: 'go away' }))
    expect(await api('POST', `${id}/send_test_message/`)).toMatchObject({
      status: 418,
      json: { status: 'error', detail: expect.stringContaining('go away') },
    })
    const { json } = await call(app, 'GET', '/api/v1/notification_reach/', { cookie: owner.cookie })
    expect(json).toMatchObject({
      reach: 'failing',
      channels: [{ name: 'webhook', refusal: expect.stringContaining('go away') }],
    })
  })

  test('goes to no address of this machine or its network', async () => {
    for (const url of [
      receiver.url,
      'http://127.1/',
      'http://2130706433/',
      'http://[::1]/',
      'http://[::ffff:127.0.0.1]/',
      'http://localhost:1/',
      'http://169.254.169.254/latest/meta-data/',
      'http://10.0.0.1/',
      'http://192.168.1.2/',
      'http://0.0.0.0/',
    ]) {
      const who = await aUser(app)
      const refused = await hook({ config: { custom_webhook_URL: url } }, who)
      expect(refused, url).toMatchObject({
        status: 400,
        json: { config: { custom_webhook_URL: [expect.stringContaining('may not be called')] } },
      })
      // What was saved before, or means something else now, is not called all the same.
      const made = await hook({ config: { custom_webhook_URL: 'https://hook.invalid/' } }, who)
      const config = JSON.stringify({ custom_webhook_URL: url })
      const { id } = made.json
      await app.ctx.db.updateTable('notificationSettings').set({ config }).where('id', '=', id).execute()
      const sent = await api('POST', `${id}/send_test_message/`, {}, who)
      expect(sent, url).toMatchObject({
        status: 418,
        json: { detail: expect.stringContaining('may not be called') },
      })
    }
    expect(receiver.asked).toEqual([])
  })
})

describe('an event', () => {
  test('and what is owed of it are written together, or not at all', async () => {
    await hook()
    await expect(
      app.ctx.db.transaction().execute(async (tx) => {
        const inside = { ...app.ctx, db: tx }
        await writeEvent(inside, {
          userId: owner.id,
          printerId: printer.id,
          printId: asId(printId),
          type: 'FAILURE_ALERTED',
          class: 'ERROR',
          code: 'failure_alerted',
        })
        const owed = await tx.selectFrom('deliveries').select('id').where('userId', '=', owner.id).execute()
        expect(owed).toHaveLength(1)
        throw new Error('changed my mind')
      }),
    ).rejects.toThrow('changed my mind')
    expect(await log()).toEqual([])
  })

  test('reaches the receiver with its picture, signed, once; its owner reads so, and nobody else', async () => {
    await app.ctx.db
      .updateTable('printers')
      .set({ agentSettings: JSON.stringify({ webcams: [{ flipH: false, flipV: false, rotation: 90 }] }) })
      .where('id', '=', printer.id)
      .execute()
    const image = { container: 'tsd-pics', path: `tagged/${printer.id}/${printId}/1.jpg` } as const
    const jpeg = await sharp({ create: { width: 64, height: 48, channels: 3, background: 'teal' } })
      .jpeg()
      .toBuffer()
    await app.ctx.files.put(image, jpeg)
    const made = await hook()
    await failure('failure_alerted', { image })
    const [one] = await ended()
    expect(one).toMatchObject({
      channel: 'webhook',
      kind: 'PrintFailure',
      outcome: 'accepted',
      attempts: 1,
      printer: 'Voron',
    })
    expect(await log(stranger)).toEqual([])
    expect(receiver.asked).toHaveLength(1)
    const { json, headers, text } = receiver.asked[0]!
    expect(json).toEqual({
      event: { type: 'PrintFailure', is_warning: true, print_paused: false },
      printer: { id: printer.id, name: 'Voron' },
      print: { id: printId, filename: 'benchy.gcode', started_at: 0, ended_at: '' },
      img_url: expect.stringContaining('https://vigil.example/media/tsd-pics/snapshots/'),
    })
    const { pathname, search } = new URL(json.img_url)
    const shown = await fetch(app.url + pathname + search)
    expect(await sharp(await shown.arrayBuffer()).metadata()).toMatchObject({ width: 48, height: 64 })
    const { signing_secret: told } = made.json.config
    const secret = Buffer.from(String(told).replace('whsec_', ''), 'base64')
    const signed = [headers['webhook-id'], headers['webhook-timestamp'], text].join('.')
    expect(headers['webhook-signature']).toBe(
      `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`,
    )
    expect(Math.abs(Number(headers['webhook-timestamp']) - app.ctx.clock.now() / 1000)).toBeLessThan(60)
  })

  test('has its picture as documented: an address that works without a cookie, and what stands for none', async () => {
    await hook({ notify_on_print_start: true, notify_on_print_cancelled: true })
    const kept = { container: 'tsd-pics', path: `snapshots/${printer.id}/kept.jpg` } as const
    const gone = { container: 'tsd-pics', path: `snapshots/${printer.id}/gone.jpg` } as const
    const jpeg = sharp({ create: { width: 64, height: 48, channels: 3, background: 'teal' } }).jpeg()
    await app.ctx.files.put(kept, await jpeg.toBuffer())
    const addressOf = async (write: () => Promise<unknown>) => {
      const before = receiver.asked.length
      await write()
      const { json } = await eventually(() => receiver.asked[before])
      expect(json).toHaveProperty('img_url')
      return json.img_url as unknown
    }
    for (const [write, none] of [
      [(image: object | null) => failure('failure_alerted', { image }), ''],
      [(image: object | null) => event('print_started', 'STARTED', { image }), null],
      [(image: object | null) => event('print_cancelled', 'ENDED', { image }), null],
      [(image: object | null) => event('filament_change', 'FILAMENT_CHANGE', { image }), null],
    ] as const) {
      const address = await addressOf(() => write(kept))
      const { origin, pathname, search } = new URL(String(address))
      expect(origin).toBe('https://vigil.example')
      const shown = await fetch(app.url + pathname + search)
      expect(shown.headers.get('content-type')).toBe('image/jpeg')
      for (const image of [gone, null]) expect(await addressOf(() => write(image))).toBe(none)
    }
  })

  test('is told by the switches of the channel; alerts alone in spite of the master switch', async () => {
    const { id } = (await hook({ notify_on_print_cancelled: true })).json
    await event('print_started', 'STARTED')
    await event('print_paused', 'PAUSED')
    await event('print_finished', 'ENDED')
    await event('print_cancelled', 'ENDED')
    await event('filament_change', 'FILAMENT_CHANGE', { isToBeTold: false })
    await event('alert_muted', 'ALERT_MUTED')
    await ended(2)
    expect(receiver.asked.map(({ json }) => json.event.type).toSorted()).toEqual([
      'PrintCancelled',
      'PrintDone',
    ])
    await call(app, 'PATCH', '/api/v1/users/me/', {
      cookie: owner.cookie,
      body: { notification_enabled: false },
    })
    await event('print_finished', 'ENDED')
    await failure('failure_paused')
    await ended(3)
    expect(receiver.asked.at(-1)?.json.event).toEqual({
      type: 'PrintFailure',
      is_warning: false,
      print_paused: true,
    })
    expect(await log()).toHaveLength(3)
    await api('PATCH', `${id}/`, { enabled: false })
    await failure('failure_paused')
    expect(await log()).toHaveLength(3)
  })

  test('of a heater says which, and how hot it is', async () => {
    await hook({ notify_on_heater_status: true })
    const fired = [{ name: 'tool0', actual: 209.6, target: 210, offset: 0, what: 'reached' as const }]
    const change = { changes: new Map([['tool0', { target: 210, reached: true }]]), fired }
    await applyHeaters(app.ctx, { printerId: printer.id, printId: null, change })
    await ended()
    expect(receiver.asked[0]?.json).toMatchObject({
      event: { type: 'HeaterTargetReached' },
      print: { id: 0, filename: '', started_at: '', ended_at: '' },
      img_url: null,
      extra: { heater_name: 'tool0', heater_actual: 209.6, heater_target: 210, heater_offset: 0 },
    })
  })
})

describe('a receiver', () => {
  test('that stumbles is asked again until it accepts', async () => {
    await hook()
    receiver.answers((asked, response) =>
      receiver.asked.length < 3 ? status(503)(asked, response) : status(200)(asked, response),
    )
    await failure()
    const [one] = await ended()
    expect(one).toMatchObject({ outcome: 'accepted', attempts: 3 })
    expect(new Set(receiver.asked.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  test('that refuses is not asked again; an alert that nobody took stands in the feed', async () => {
    await hook()
    receiver.answers(status(410, { gone: true }))
    await failure()
    const [one] = await ended()
    expect(one).toMatchObject({ outcome: 'refused', attempts: 1, problem: expect.stringContaining('410') })
    const said = await app.ctx.db
      .selectFrom('printerEvents')
      .select('code')
      .where('userId', '=', owner.id)
      .orderBy('id', 'desc')
      .executeTakeFirst()
    expect(said?.code).toBe('alert_undelivered')
  })

  test('that is away is not told what is worth nothing any more', async () => {
    await hook()
    receiver.answers(status(503))
    await failure()
    // Its answer is written down, not only that it was asked.
    await eventually(async () => ((await log())[0]?.problem ? true : undefined))
    app.advance(3_600_000)
    const [one] = await ended()
    expect(one).toMatchObject({ outcome: 'expired', problem: expect.stringContaining('503') })
  })
})
