import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { redisLab } from '../../../engines/live/redis.fixture.ts'
import { aNode, aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { commandsOf, greeted, idle, postPicture, printing } from '../../../test/faults/support.ts'
import { cloneDatabase } from '../../../test/pg.ts'
import { eventually, type WireAgent } from '../../../test/wire/agent.ts'
import { owe } from '../../tell/notifications/index.ts'
import {
  aLineTo,
  aMosquitto,
  hasMosquitto,
  type Line,
  type Listener,
  type Mosquitto,
} from './mosquitto.fixture.ts'
import { asId } from '../../../test/ids.ts'

const BROKER = 'mqtt://broker.example:1883'
const CONFIG = { broker_url: BROKER, username: 'vigil', password: 'secret' }

describe.skipIf(!hasMosquitto())('on a real broker', { timeout: 120_000 }, () => {
  let broker: Mosquitto
  let line: Line
  let app: TestApp
  let owner: TestUser
  let printer: { id: number; auth_token: string }
  let agent: WireAgent
  let home: Listener
  let settingId = 0

  beforeAll(async () => {
    broker = await aMosquitto()
    line = await aLineTo(broker.address)
    app = await buildTestApp({
      env: { PUBLIC_URL: 'https://vigil.example', OUTGOING_STAND_INS: `${BROKER}=${line.address}` },
    })
    owner = await aUser(app)
    printer = await aPrinter(app, owner, 'Voron {{ 7*7 }}')
    agent = await greeted(app, printer.auth_token)
    home = await broker.listener()
  })
  afterAll(async () => {
    await app.close()
    await line.close()
    await broker.close()
  })

  const as = (who: TestUser) => ({ cookie: who.cookie })
  const settings = '/api/v1/notification_settings/'
  const setUp = async (config: object) =>
    await call(app, 'POST', settings, { ...as(owner), body: { name: 'mqtt', config } })
  const testMessage = async () =>
    await call(app, 'POST', `${settings}${settingId}/send_test_message/`, as(owner))
  const state = async (told: (state: any) => boolean) =>
    JSON.parse(
      String(
        await home.on(
          `/printer/${printer.id}/state`,
          (payload) => payload.length > 0 && told(JSON.parse(String(payload))),
        ),
      ),
    )
  const topic = (what: string) => {
    const [found] = home.heard.filter((one) => one.topic.endsWith(`/printer/${printer.id}/state`))
    return (found?.topic ?? '').replace(/state$/, what)
  }
  const results = () => home.heard.filter((one) => one.topic === topic('result')).length
  /** Presses a button, and waits until something came of it. */
  const press = async (button: string) => {
    const before = results()
    await home.say(topic('command'), button)
    await eventually(() => (results() > before ? true : undefined))
    return JSON.parse(String(await home.on('/result')))
  }

  test('what is no broker is refused by its field; one that refuses us says so', async () => {
    for (const [config, field] of [
      [{ broker_url: 'http://x' }, 'broker_url'],
      [{ broker_url: 'mqtt://user:pass@x' }, 'broker_url'],
      [{ ...CONFIG, ca: 'no certificate' }, 'ca'],
      [{ ...CONFIG, discovery_prefix: 'a/#' }, 'discovery_prefix'],
    ] as const) {
      const refused = await setUp(config)
      expect(refused.status).toBe(400)
      expect(Object.keys(refused.json.config)).toEqual([field])
    }
    settingId = (await setUp({ ...CONFIG, password: 'wrong' })).json.id
    const refused = await testMessage()
    expect(refused.status).toBe(418)
    expect(refused.json.detail).toMatch(/not authorized/i)
    for (const inside of ['mqtt://127.0.0.1:1883', 'mqtts://10.1.2.3', 'mqtt://[::1]', 'mqtt://localhost']) {
      const saved = await call(app, 'PATCH', `${settings}${settingId}/`, {
        ...as(owner),
        body: { config: { broker_url: inside } },
      })
      expect(saved, inside).toMatchObject({
        status: 400,
        json: { config: { broker_url: [expect.stringContaining('may not be called')] } },
      })
    }
    const body = { config: CONFIG }
    expect((await call(app, 'PATCH', `${settings}${settingId}/`, { ...as(owner), body })).status).toBe(200)
    expect((await testMessage()).status).toBe(200)
    expect(JSON.parse(String(await home.on('/test')))).toMatchObject({
      event_type: 'Test',
      title: 'Vigil test message',
    })
  })

  test('the printer appears in Home Assistant by itself, with what is known of it', async () => {
    expect(String(await home.on('/status'))).toBe('online')
    agent.send({
      ...printing(1_700_000_000, 1, 'PrintStarted'),
      status: {
        ...printing(1).status,
        progress: { completion: 41.26, printTime: 60.4, printTimeLeft: 90 },
        temperatures: { tool0: { actual: 209.83, target: 210 }, '{{evil}}': { actual: 20, target: null } },
      },
    })
    await postPicture(app, printer.auth_token)
    expect(await state((told) => told.file !== null)).toMatchObject({
      state: 'printing',
      file: 'part.gcode',
      progress: 41.3,
      elapsed: 60,
      left: 90,
      failure: 'OFF',
      temperatures: { tool0: { actual: 209.8, target: 210 }, _evil_: { actual: 20, target: null } },
    })
    const seen = String(await home.on('/config', (payload) => payload.includes('heat_tool0')))
    const found = JSON.parse(seen)
    const id = found.device.identifiers[0]
    expect(home.heard.find((one) => one.topic.endsWith('/config'))?.topic).toBe(
      `homeassistant/device/${id}/config`,
    )
    expect(found).toMatchObject({
      device: {
        name: 'Voron {{ 7*7 }}',
        manufacturer: 'Vigil',
        configuration_url: `https://vigil.example/printers/${printer.id}/control/`,
      },
      origin: { name: 'Vigil' },
      availability_topic: expect.stringMatching(/^vigil\/\w+\/user\/\d+\/status$/),
    })
    expect(Object.keys(found.components)).toEqual(
      expect.arrayContaining([
        'state',
        'progress',
        'watching',
        'failure',
        'camera',
        'pause',
        'resume',
        'not_a_failure',
      ]),
    )
    expect(found.components.cancel, 'nothing undoes a print').toBeUndefined()
    for (const part of Object.values<any>(found.components)) {
      expect(part).toMatchObject({
        platform: expect.any(String),
        unique_id: expect.any(String),
        name: expect.any(String),
      })
      // What an agent says never becomes part of a template.
      expect(part.value_template ?? '').toMatch(/^$|^\{\{ value_json\.[a-z0-9_.]+ \}\}$/)
    }
    const picture = await home.on(`/printer/${printer.id}/picture`)
    expect((await sharp(picture).metadata()).format).toBe('jpeg')
    // Whoever comes later hears of what is kept: not of pictures.
    const late = await broker.listener()
    await late.on('/state')
    expect(
      late.heard
        .filter(({ retain }) => retain)
        .map((one) => one.topic.split('/').at(-1))
        .toSorted(),
    ).toEqual(['config', 'state', 'status'])
  })

  test('buttons act through the envelope, and say what came of it; what is kept never acts', async () => {
    await home.say(topic('command'), 'pause', true)
    expect(await press('resume')).toMatchObject({ command: 'resume', succeeded: true })
    expect(commandsOf(agent), 'the one that was kept did nothing').toEqual(['resume'])
    expect(await press('pause')).toEqual({ command: 'pause', succeeded: true })
    await home.say(topic('command'), 'cancel')
    await home.say(topic('command'), 'pause; rm -rf')
    expect(await press('not_a_failure')).toEqual({
      command: 'not_a_failure',
      succeeded: false,
      detail: 'No alert waits for an answer.',
    })
    expect(commandsOf(agent)).toEqual(['resume', 'pause'])
    const audits = await app.ctx.db
      .selectFrom('audit')
      .select(['actor', 'action', 'outcome', 'userId'])
      .where('printerId', '=', asId(printer.id))
      .execute()
    expect(audits).toContainEqual({
      actor: 'api',
      action: 'command.pause',
      outcome: 'sent',
      userId: owner.id,
    })
    await app.ctx.db
      .updateTable('prints')
      .set({ alertedAt: new Date() })
      .where('printerId', '=', asId(printer.id))
      .execute()
    await state((told) => told.failure === 'ON')
    expect(await press('not_a_failure')).toEqual({ command: 'not_a_failure', succeeded: true })
    const print = await app.ctx.db
      .selectFrom('prints')
      .select(['alertOverwrite', 'alertAcknowledgedAt'])
      .where('printerId', '=', asId(printer.id))
      .executeTakeFirstOrThrow()
    expect(print.alertOverwrite).toBe('NOT_FAILED')
    await state((told) => told.failure === 'OFF')
  })

  test('"not a failure" resumes the print that we have paused for it', async () => {
    const [alertedAt, pausedAt] = [new Date(), new Date()]
    await app.ctx.db
      .updateTable('prints')
      .set({ alertedAt, pausedAt, alertAcknowledgedAt: null, alertOverwrite: null })
      .where('printerId', '=', asId(printer.id))
      .execute()
    const { status } = printing(1_700_000_000, 1)
    const stands = { text: 'Paused', flags: { paused: true } }
    agent.send({
      ...printing(1_700_000_000, 1),
      status: { ...status, _ts: Date.now() / 1000, state: stands },
    })
    await state((told) => told.failure === 'ON' && told.state === 'paused')
    agent.heard.length = 0
    expect(await press('not_a_failure')).toEqual({ command: 'not_a_failure', succeeded: true })
    expect(commandsOf(agent)).toEqual(['resume'])
    await state((told) => told.failure === 'OFF')
  })

  test('an alert is told as an event, with its picture before it', async () => {
    const image = { container: 'tsd-pics', path: `tagged/${printer.id}/1/1.jpg` } as const
    await app.ctx.files.put(
      image,
      await sharp({ create: { width: 64, height: 48, channels: 3, background: 'teal' } })
        .jpeg()
        .toBuffer(),
    )
    await app.ctx.db.transaction().execute((tx) =>
      owe(
        { ...app.ctx, db: tx },
        {
          key: 'test:mqtt',
          kind: 'PrintFailure',
          code: 'failure_paused',
          printerId: asId(printer.id),
          printId: null,
          picture: image,
        },
      ),
    )
    const event = JSON.parse(String(await home.on('/event')))
    expect(event).toMatchObject({
      event_type: 'PrintFailure',
      title: 'Vigil failure alert',
      message: expect.stringContaining('The printer is paused.'),
      printer: { id: printer.id },
      is_warning: false,
      print_paused: true,
      url: `https://vigil.example/printers/${printer.id}/control/`,
    })
    const order = home.heard.map((one) => one.topic).filter((name) => /\/(?:event|alert)$/.test(name))
    expect(order.map((name) => name.split('/').at(-1))).toEqual(['alert', 'event'])
  })

  test('what is pressed while the line is cut, or comes after a silence, is never done', async () => {
    const before = commandsOf(agent).length
    line.cut()
    // The broker says so in our place: the last will.
    await home.on('/status', (payload) => String(payload) === 'offline')
    await home.say(topic('command'), 'pause')
    await home.say(topic('command'), 'pause', true)
    home.heard.length = 0
    line.mend()
    await home.on('/status', (payload) => String(payload) === 'online')
    await home.on(`/printer/${printer.id}/state`)
    expect(await press('resume')).toMatchObject({ command: 'resume', succeeded: true })
    expect(commandsOf(agent).slice(before)).toEqual(['resume'])
    app.advance(60_000)
    expect(await press('pause')).toEqual({
      command: 'pause',
      succeeded: false,
      detail: 'It came too late, and nothing was done.',
    })
    expect(commandsOf(agent).slice(before)).toEqual(['resume'])
  })

  test('a broker that was restarted is told anew', async () => {
    await broker.stop('SIGKILL')
    await broker.start()
    home.heard.length = 0
    await home.on('/status', (payload) => String(payload) === 'online')
    agent.send(idle(9))
    await state((told) => told.state === 'idle')
    expect(line.count()).toBe(1)
  })

  test('switched off it says so; removed it takes its printers with it', async () => {
    const switched = async (enabled: boolean) =>
      await call(app, 'PATCH', `${settings}${settingId}/`, { ...as(owner), body: { enabled } })
    await switched(false)
    await home.on('/status', (payload) => String(payload) === 'offline')
    home.heard.length = 0
    await switched(true)
    await home.on('/status', (payload) => String(payload) === 'online')
    await home.on('/config', (payload) => payload.length > 0)
    await call(app, 'DELETE', `${settings}${settingId}/`, as(owner))
    await home.on('/config', (payload) => payload.length === 0)
    await home.on(`/printer/${printer.id}/state`, (payload) => payload.length === 0)
  })
})

const redis = redisLab({ warn: () => undefined, error: () => undefined })

describe.skipIf(!redis.isThere || !hasMosquitto())('of two nodes', { timeout: 120_000 }, () => {
  test('one alone speaks; the other follows when it is gone', async () => {
    const broker = await aMosquitto()
    const lines = [await aLineTo(broker.address), await aLineTo(broker.address)] as const
    const database = await cloneDatabase()
    const nodes = await Promise.all(
      lines.map((line) =>
        aNode(database.url, {
          VIGIL_SECRET: 'of both nodes, which share a database',
          REDIS_URL: redis.url(),
          OUTGOING_STAND_INS: `${BROKER}=${line.address}`,
        }),
      ),
    )
    try {
      const [first, second] = nodes as [TestApp, TestApp]
      const owner = await aUser(first)
      const printer = await aPrinter(first, owner)
      const home = await broker.listener()
      const body = { name: 'mqtt', config: CONFIG }
      await call(first, 'POST', '/api/v1/notification_settings/', { cookie: owner.cookie, body })
      await home.on('/state')
      const [holds, other] = lines[0].count() === 1 ? [first, second] : [second, first]
      expect(lines.map((line) => line.count()).toSorted()).toEqual([0, 1])
      const agent = await greeted(other, printer.auth_token)
      agent.send(printing(1_700_000_000, 1, 'PrintStarted'))
      await home.on('/state', (payload) => payload.includes('part.gcode'))
      const topic = home.heard.find((one) => one.topic.endsWith('/state'))?.topic.replace(/state$/, 'command')
      await home.say(topic ?? '', 'pause')
      await home.on('/result', (payload) => payload.includes('true'))
      home.heard.length = 0
      await holds.close()
      await home.on('/status', (payload) => String(payload) === 'online')
      await home.on('/state', (payload) => payload.includes('part.gcode'))
      await home.say(topic ?? '', 'resume')
      await home.on('/result', (payload) => payload.includes('true'))
      expect(commandsOf(agent)).toEqual(['pause', 'resume'])
      expect(lines.map((line) => line.count()).toSorted()).toEqual([0, 1])
      agent.close()
    } finally {
      await Promise.all(nodes.map((node) => node.close().catch(() => undefined)))
      await Promise.all(lines.map((line) => line.close()))
      await broker.close()
      await database.drop()
    }
  })
})
