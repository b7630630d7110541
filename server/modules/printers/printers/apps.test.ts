import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  aPrinter,
  aUser,
  blindDetector,
  buildTestApp,
  call,
  type TestApp,
  type TestUser,
} from '../../../test/app.ts'
import { connectAgent, eventually } from '../../../test/wire/agent.ts'
import { openBrowser } from '../../../test/wire/browser.ts'
import { asId } from '../../../test/ids.ts'

let app: TestApp
let owner: TestUser
let printer: { id: number; auth_token: string }
let score = 0
const inspection = () => ({
  score,
  boxes: [
    { x: 10, y: 20, w: 30, h: 40, score: 0.9 },
    { x: 0, y: 0, w: 1, h: 1, score: 0.05 },
  ],
  heat: null,
  model: 'test',
  modelKey: 'test',
  width: 64,
  height: 48,
  quality: { condition: null, hash: 'x', thumbnail: new Uint8Array(64 * 48) },
})

beforeAll(async () => {
  app = await buildTestApp({
    detector: blindDetector({ kind: 'obico', detect: () => Promise.resolve(inspection()) }),
  })
  owner = await aUser(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  score = 0
  printer = await aPrinter(app, owner)
})

const path = (rest: string) => `/api/v1/printers/${printer.id}/${rest}`
const post = (rest: string, body: object = {}) => call(app, 'POST', path(rest), { token: owner.token, body })
const get = (rest: string, more: object) => call(app, 'GET', path(rest), more)
const prints = () =>
  app.ctx.db
    .selectFrom('prints')
    .selectAll()
    .where('printerId', '=', asId(printer.id))
    .orderBy('id')
    .execute()

async function img(name = 'img', bytes?: Buffer): Promise<FormData> {
  const jpeg =
    bytes ??
    (await sharp({ create: { width: 64, height: 48, channels: 3, background: 'teal' } })
      .jpeg()
      .toBuffer())
  const form = new FormData()
  form.set(name, new Blob([new Uint8Array(jpeg)]), 'x.jpg')
  return form
}
const predict = async (form: FormData | Promise<FormData>) => {
  const answer = await fetch(app.url + path('predict/'), {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.token}` },
    body: await form,
  })
  return { status: answer.status, json: (await answer.json()) as any }
}

describe('an app without an agent', () => {
  it('starts a print, which finishes the one before, and ends it', async () => {
    const first = await post('start_print/', { filename: ' a.gcode ' })
    expect(first).toMatchObject({
      status: 200,
      json: { succeeded: true, printer: { current_print: { filename: 'a.gcode' } } },
    })
    const second = await post('start_print/', { filename: 'b.gcode' })
    expect(second.json.printer.current_print.filename).toBe('b.gcode')
    const [a, b] = await prints()
    expect(a).toMatchObject({ finishedAt: expect.any(Date), cancelledAt: null })
    expect(b?.extId).toBeGreaterThan(a?.extId ?? Infinity)
    const done = await post('finish_print/', { status: 'cancelled' })
    expect(done.json).toMatchObject({ succeeded: true, printer: { current_print: null } })
    expect((await prints())[1]).toMatchObject({
      finishedAt: null,
      cancelledAt: expect.any(Date),
      printTime: expect.any(Number),
    })
    expect((await post('finish_print/')).status).toBe(404)
  })

  it('finishes with success unless it says otherwise; a form is as good', async () => {
    await post('start_print/', { filename: 'a.gcode' })
    const answer = await fetch(app.url + path('finish_print'), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${owner.token}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'status=success',
    })
    expect(answer.status).toBe(200)
    expect((await prints())[0]).toMatchObject({ finishedAt: expect.any(Date), cancelledAt: null })
  })

  it.each([
    ['start_print/', {}, 'filename'],
    ['start_print/', { filename: '' }, 'filename'],
    ['start_print/', { filename: 7 }, 'filename'],
    ['start_print/', { filename: 'a\u0000b' }, 'filename'],
    ['start_print/', { filename: 'x'.repeat(1001) }, 'filename'],
    ['finish_print/', { status: 'maybe' }, 'status'],
    ['predict/', {}, 'img'],
    ['predict/', { img: 'x' }, 'img'],
  ])('is refused by hand: %s %#', async (rest, body, field) => {
    expect(await post(rest, body)).toMatchObject({ status: 400, json: { [field]: expect.any(String) } })
    expect(await prints()).toHaveLength(0)
  })

  it('has a picture judged: a frame, the gauge and a count, but no alert and no pause', async () => {
    expect((await predict(img())).status).toBe(404)
    await post('start_print/', { filename: 'a.gcode' })
    expect(await predict(img('img', Buffer.from('no picture')))).toMatchObject({
      status: 400,
      json: { img: expect.any(String) },
    })
    expect(await predict(img('pic'))).toMatchObject({ status: 400, json: { img: expect.any(String) } })
    score = 3
    for (let i = 0; i < 40; i++) {
      const { status, json } = await predict(img())
      expect(status).toBe(200)
      if (i > 0) continue
      expect(json).toEqual({
        result: {
          p: 3,
          temporal_stats: {
            ewm_mean: expect.any(Number),
            rolling_mean_short: expect.any(Number),
            rolling_mean_long: expect.any(Number),
            prediction_num: 1,
            prediction_num_lifetime: 1,
          },
          detections: [['failure', 0.9, [25, 40, 30, 40]]],
        },
      })
    }
    const [print] = await prints()
    expect(print).toMatchObject({ alertedAt: null, pausedAt: null, detections: 40, pictures: 40 })
    const { json } = await get('', { cookie: owner.cookie })
    expect(json.normalized_p).toBeGreaterThan(0)
    expect(json.pic.img_url).toContain('tagged')
    const events = await app.ctx.db
      .selectFrom('printerEvents')
      .select('code')
      .where('printerId', '=', asId(printer.id))
      .execute()
    expect(events.map(({ code }) => code)).toEqual(['print_started'])
  })
})

describe('the gauge', () => {
  it('moves on both sockets with each look', async () => {
    await post('start_print/', { filename: 'a.gcode' })
    const one = await openBrowser(app, `/ws/web/${printer.id}/`, owner.cookie)
    const all = await openBrowser(app, '/ws/web/all/', owner.cookie)
    all.send({ watch: [printer.id] })
    await all.hear(({ printers }) => printers?.[0].normalized_p === 0)
    score = 3
    for (let i = 0; i < 40; i++) await predict(img())
    await one.hear(({ normalized_p }) => normalized_p > 0)
    await all.hear(({ patches }) => patches?.some(({ patch }: any) => patch.normalized_p > 0))
    for (const { ws } of [one, all]) ws.close()
  })
})

describe('commands by GET', () => {
  const COMMANDS = ['pause_print/', 'resume_print/', 'cancel_print/', 'mute_current_print/?mute_alert=true']

  it.each(COMMANDS)('%s: token holders and the mobile app, nobody else', async (rest) => {
    await post('start_print/', { filename: 'a.gcode' })
    const page = await get(rest, { cookie: owner.cookie, headers: { 'user-agent': 'Mozilla/5.0' } })
    expect([page.status, page.headers.get('allow')]).toEqual([405, 'POST'])
    expect((await prints())[0]?.alertMutedAt).toBeNull()
    for (const who of [
      { token: owner.token },
      { cookie: owner.cookie, headers: { 'x-tsd-platform': 'ios' } },
      { cookie: owner.cookie, headers: { 'user-agent': 'TSDApp-android/2.3' } },
    ])
      expect(await get(rest, who)).toMatchObject({ status: 200, json: { printer: { id: printer.id } } })
    const head = await call(app, 'HEAD', path(rest), { token: owner.token })
    expect(head.status).toBe(405)
    const other = await aUser(app)
    expect((await get(rest, { token: other.token })).status).toBe(404)
  })
})

describe('a command for a print that has ended', () => {
  it('does nothing and says so', async () => {
    const agent = await connectAgent(app, printer.auth_token)
    await agent.hear(({ remote_status }) => remote_status !== undefined)
    const ts = Math.floor(Date.now() / 1000)
    const report = (current_print_ts: number, printing: boolean) =>
      agent.send({
        current_print_ts,
        status: {
          _ts: Date.now() / 1000,
          state: { text: 'x', flags: { printing, operational: true } },
          job: { file: { name: 'a.gcode' } },
          progress: {},
        },
      })
    report(ts, true)
    const isPrinting = async () =>
      (await get('', { cookie: owner.cookie })).json.current_print?.filename === 'a.gcode'
    await eventually(async () => (await isPrinting()) || undefined)
    expect((await post('pause_print/')).json).toMatchObject({ succeeded: true })
    await agent.hear(({ commands }) => commands?.[0]?.cmd === 'pause')
    // Who paused it is told until it goes on, by whatever way.
    const pausedBy = async () => (await get('', { cookie: owner.cookie })).json.current_print.paused_by
    expect(await pausedBy()).toBe('owner')
    agent.send({ current_print_ts: ts, event: { event_type: 'PrintResumed' } })
    await eventually(async () => (await pausedBy()) === null || undefined)
    // What the page still shows is another print than the one that the agent works on by now.
    await app.ctx.db
      .updateTable('printers')
      .set({ currentPrintId: null })
      .where('id', '=', asId(printer.id))
      .execute()
    const [first] = await prints()
    const other = await app.ctx.db
      .insertInto('prints')
      .values(asId({ userId: owner.id, printerId: printer.id, filename: 'old.gcode' }))
      .returning('id')
      .executeTakeFirstOrThrow()
    await app.ctx.db
      .updateTable('printers')
      .set({ currentPrintId: other.id })
      .where('id', '=', asId(printer.id))
      .execute()
    expect((await post('cancel_print/')).json).toMatchObject({
      succeeded: false,
      detail: 'The printer is working on another print by now.',
    })
    await app.ctx.db
      .updateTable('printers')
      .set({ currentPrintId: first?.id ?? null })
      .where('id', '=', asId(printer.id))
      .execute()
    // A page that is behind names the print that it shows.
    for (const command of [
      'pause_print',
      'resume_print',
      'cancel_print',
      'mute_current_print',
      'acknowledge_alert',
    ]) {
      const answer = await post(`${command}/?print_id=${other.id}`)
      expect(answer.json, command).toMatchObject({
        succeeded: false,
        detail: 'The printer is working on another print by now.',
      })
    }
    expect((await post('pause_print/?print_id=x')).status).toBe(400)
    expect((await prints())[0]?.alertMutedAt).toBeNull()
    report(-1, false)
    await eventually(async () => !(await isPrinting()) || undefined)
    expect((await post('pause_print/')).json).toMatchObject({
      succeeded: false,
      detail: 'The printer is not printing.',
    })
    expect(agent.heard.flatMap(({ commands }) => commands ?? []).map(({ cmd }) => cmd)).toEqual(['pause'])
    agent.close()
  })
})
