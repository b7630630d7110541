import { anInspection } from '../../../test/inspection.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Inspection } from '../../../engines/inference/port.ts'
import {
  aPrinter,
  aUser,
  blindDetector,
  buildTestApp,
  call,
  type TestApp,
  type TestUser,
} from '../../../test/app.ts'
import { inSuite } from '../../../../scripts/suites.ts'
import { connectAgent, eventually } from '../../../test/wire/agent.ts'
import { sweepReplays } from './run.service.ts'
import { asId } from '../../../test/ids.ts'

const SOUND = 12
const FAILING = 20
const LOOKS = SOUND + FAILING
/** Where the scripted detector sees something hot. */
const HOT_ZONE = [
  { x: 0.2, y: 0.4 },
  { x: 0.7, y: 0.4 },
  { x: 0.7, y: 0.7 },
  { x: 0.2, y: 0.7 },
]

let looks = 0
/** How many looks are sound before it gets hot. */
let hotFrom = SOUND
let queued = 0
let isDown = false
function inspect(at: number): Inspection {
  const score = at >= hotFrom ? 0.97 : 0.02
  return anInspection(looks++, score, {
    boxes: score > 0.5 ? [{ x: 80, y: 120, w: 120, h: 20, score }] : [],
  })
}

let app: TestApp
let owner: TestUser
let live = 0
let again = 0
let printId: number
let printerId: number

beforeAll(async () => {
  const detector = blindDetector({
    model: 'scripted 1',
    submit: () => Promise.resolve({ kind: 'inspected', inspection: inspect(live++) }),
    detect: () => (isDown ? Promise.reject(new Error('down')) : Promise.resolve(inspect(again++ % LOOKS))),
    health: () => ({ state: 'ready', queued }),
  })
  app = await buildTestApp({ detector })
  owner = await aUser(app)
  await aFailingPrint()
})
afterAll(() => app?.close())

/** A print that goes well for two minutes and then fails, watched by the server itself. */
async function aFailingPrint(): Promise<void> {
  const printer = await aPrinter(app, owner)
  printerId = printer.id
  await call(app, 'PATCH', `/api/v1/printers/${printer.id}/`, {
    cookie: owner.cookie,
    body: { action_on_failure: 'NONE' },
  })
  const picture = await sharp({ create: { width: 320, height: 240, channels: 3, background: '#456' } })
    .jpeg()
    .toBuffer()
  const agent = await connectAgent(app, printer.auth_token)
  const say = () =>
    agent.send({
      current_print_ts: 1_700_000_000,
      status: {
        _ts: app.ctx.clock.now() / 1000,
        state: { text: 'Printing', flags: { printing: true } },
        job: { file: { name: 'vase.gcode' } },
        progress: { completion: 20, printTime: 600 },
      },
    })
  printId = await eventually(async () => {
    say()
    const { json } = await call(app, 'GET', `/api/v1/printers/${printer.id}/`, { cookie: owner.cookie })
    return json.current_print?.id as number | undefined
  })
  for (let at = 0; at < LOOKS; at++) {
    app.advance(10_000)
    say()
    const form = new FormData()
    form.set('pic', new Blob([new Uint8Array(picture)]), 'pic')
    const headers = { authorization: `Token ${printer.auth_token}` }
    await (await fetch(`${app.url}/api/v1/octo/pic/`, { method: 'POST', headers, body: form })).arrayBuffer()
    await eventually(async () => ((await records()) > at ? true : undefined))
  }
  agent.ws.terminate()
}

const records = async () =>
  (
    await app.ctx.db
      .selectFrom('decisions')
      .select('id')
      .where('printId', '=', asId(printId ?? 0))
      .execute()
  ).length
const ask = (method: string, rest = '', body?: unknown, who = owner) =>
  call(app, method, `/api/v1/prints/${printId}/replay/${rest}`, { cookie: who.cookie, body })
const decide = async (body: object) => (await ask('POST', 'decide/', body)).json
const NEW = { with_learnt: false }

test('a print that is judged again as on its own new printer is judged as it was', async () => {
  const { json } = await ask('GET')
  expect(json).toMatchObject({
    print_id: printId,
    filename: 'vase.gcode',
    had_zones: false,
    printer: { id: printerId, sensitivity: 1, zones: [], has_learnt: true },
    frames: LOOKS,
    run: null,
    model: 'scripted 1',
    was: { looks: LOOKS, blind: 0, models: ['scripted 1'] },
  })
  expect(json.seconds).toBeGreaterThanOrEqual((LOOKS - 1) * 10)
  expect(json.was.warned).toBeGreaterThan(SOUND * 10)
  expect(await decide(NEW)).toEqual(json.was)
})

test('settings are tried at once: a zone over the place takes the alarm away, sensitivity moves it', async () => {
  const { was } = (await ask('GET')).json
  const without = await decide({ ...NEW, zones: [HOT_ZONE] })
  expect([without.warned, without.paused]).toEqual([null, null])
  expect(Math.max(...without.gauge)).toBeLessThan(Math.max(...was.gauge) / 4)
  const beside = await decide({ ...NEW, zones: [HOT_ZONE.map(({ x, y }) => ({ x: x * 0.2, y: y * 0.2 }))] })
  expect(beside).toEqual(was)
  const high = await decide({ ...NEW, sensitivity: 1.2 })
  const low = await decide({ ...NEW, sensitivity: 0.8 })
  expect(high.warned).toBeLessThanOrEqual(was.warned)
  expect(low.warned).toBeGreaterThanOrEqual(was.warned)
  expect(Math.max(...low.gauge.slice(0, 20))).toBeLessThan(Math.max(...high.gauge.slice(0, 20)))
  for (const bad of [{ sensitivity: 3 }, { zones: [[{ x: 0, y: 0 }]] }, { over: 'nothing' }])
    expect((await ask('POST', 'decide/', bad)).status).toBe(400)
})

test('today’s detector looks again in a job that yields to whoever prints, one print at a time', async () => {
  expect((await ask('POST', 'decide/', { over: 'run' })).status, 'it has not looked yet').toBe(409)
  hotFrom = SOUND + 10
  queued = 3
  const begun = await ask('POST')
  expect([begun.status, begun.json.frames]).toEqual([202, LOOKS])
  const other = await app.ctx.db
    .insertInto('prints')
    .values(asId({ userId: owner.id, printerId, filename: 'other.gcode' }))
    .returning('id')
    .executeTakeFirstOrThrow()
  await app.ctx.db
    .insertInto('frames')
    .values(
      asId({
        printId: other.id,
        printerId,
        picture: JSON.stringify({ container: 'tsd-pics', path: 'x.jpg' }),
        numBytes: 1,
        width: 1,
        height: 1,
      }),
    )
    .execute()
  const second = await call(app, 'POST', `/api/v1/prints/${other.id}/replay/`, { cookie: owner.cookie })
  expect([second.status, second.json.detail]).toEqual([
    409,
    'A print of yours is being looked at already. Please wait until that is done.',
  ])
  await eventually(async () => ((await ask('GET')).json.run.state === 'running' ? true : undefined))
  expect([again, (await ask('GET')).json.run.looked], 'pictures of running prints wait').toEqual([0, 0])
  queued = 0
  const { run } = await eventually(async () => {
    const { json } = await ask('GET')
    return json.run.state === 'done' ? json : undefined
  })
  expect((await ask('GET', 'run/')).json).toEqual({ run })
  expect(run).toMatchObject({ looked: LOOKS, frames: LOOKS, model: 'scripted 1' })

  const { was } = (await ask('GET')).json
  const now = await decide({ ...NEW, over: 'run' })
  expect(now.looks).toBe(LOOKS)
  expect(now.warned, 'it sees the failure later').toBeGreaterThan(was.warned)
  expect((await decide({ ...NEW, over: 'run', zones: [HOT_ZONE] })).warned).toBeNull()
  expect(await decide(NEW), 'the scores of then are as they were').toEqual(was)
})

test('a replay is given up, and what fails says so', async () => {
  queued = 1
  expect((await ask('POST')).status).toBe(202)
  expect((await ask('DELETE')).status).toBe(204)
  queued = 0
  expect((await ask('GET')).json.run).toBeNull()
  isDown = true
  expect((await ask('POST')).status).toBe(202)
  await eventually(async () => ((await ask('GET')).json.run?.state === 'failed' ? true : undefined))
  isDown = false
})

test('pictures of a print are found by their moment', async () => {
  const { json } = await ask('GET', 'frame/?t=104')
  expect(json.t).toBeGreaterThan(90)
  expect(json.t).toBeLessThan(110)
  expect((await fetch(json.url)).status).toBe(200)
})

test('is nobody else’s business', async () => {
  const stranger = await aUser(app)
  for (const [method, rest] of [
    ['GET', ''],
    ['POST', ''],
    ['DELETE', ''],
    ['POST', 'decide/'],
    ['GET', 'run/'],
    ['GET', 'frame/'],
  ] as const)
    expect((await ask(method, rest, method === 'POST' ? {} : undefined, stranger)).status).toBe(404)
})

test('without pictures the stored scores are left, and without the print nothing', async () => {
  const { was } = (await ask('GET')).json
  await app.ctx.db.deleteFrom('frames').where('printId', '=', asId(printId)).execute()
  const refused = await ask('POST')
  expect([refused.status, refused.json.detail]).toEqual([
    409,
    'The pictures of this print are no longer stored. It can be judged again over the scores that were kept.',
  ])
  expect((await ask('GET')).json).toMatchObject({ frames: 0 })
  expect(await decide(NEW)).toEqual(was)
  expect((await ask('GET', 'frame/')).json).toEqual({ url: null, t: null })
  await app.ctx.db
    .updateTable('prints')
    .set({ deletedAt: new Date() })
    .where('id', '=', asId(printId))
    .execute()
  expect((await ask('GET')).status).toBe(404)
  await sweepReplays(app.ctx, AbortSignal.timeout(60_000))
  const rows = await app.ctx.db
    .selectFrom('replays')
    .select('printId')
    .where('printId', '=', asId(printId))
    .execute()
  expect(rows).toEqual([])
})

test('two days of a print are judged again in pieces that keep nobody waiting', async () => {
  const start = Date.now() - 50 * 3_600_000
  const { id } = await app.ctx.db
    .insertInto('prints')
    .values(asId({ userId: owner.id, printerId, filename: 'long.gcode' }))
    .returning('id')
    .executeTakeFirstOrThrow()
  const grid = Buffer.alloc(192, 60).toString('base64')
  const heat = JSON.stringify({
    width: 36,
    height: 27,
    values: Buffer.alloc(972, 2).toString('base64'),
    grid,
  })
  const state = JSON.stringify({ normalizedP: 0.1 })
  const count = inSuite(2_000, 6_000)
  for (let from = 0; from < count; from += 1_000)
    await app.ctx.db
      .insertInto('decisions')
      .values(
        asId(
          Array.from({ length: 1_000 }, (_, at) => ({
            printId: id,
            printerId,
            createdAt: new Date(start + (from + at) * 30_000),
            model: 'scripted 1',
            score: 0.05,
            heat,
            state,
            decision: 'none',
          })),
        ),
      )
      .execute()
  const path = `/api/v1/prints/${id}/replay/`
  const times: Record<string, number> = {}
  const timed = async (name: string, work: () => Promise<{ json: { looks?: number; was?: object } }>) => {
    const before = performance.now()
    const { json } = await work()
    times[name] = Math.round(performance.now() - before)
    return json
  }
  const body = { zones: [HOT_ZONE] }
  const read = await timed('read', () => call(app, 'GET', path, owner))
  const plain = await timed('decide', () => call(app, 'POST', `${path}decide/`, { ...owner, body: {} }))
  const zoned = await timed('zones', () => call(app, 'POST', `${path}decide/`, { ...owner, body }))
  expect([read.was, plain.looks, zoned.looks]).toEqual([
    expect.objectContaining({ looks: count }),
    count,
    count,
  ])
  if (process.env['TEST_TIMES']) console.log(times)
})
