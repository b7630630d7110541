import { anInspection } from '../../../test/inspection.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Zone } from '@vigil/contract/printers/zones.ts'
import type { Inspection, Polygon } from '../../../engines/inference/port.ts'
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

const WHOLE: Zone = [
  { x: 0, y: 0 },
  { x: 1, y: 0 },
  { x: 1, y: 1 },
  { x: 0, y: 1 },
]
const CORNER: Zone = [
  { x: 0, y: 0 },
  { x: 0.2, y: 0 },
  { x: 0.2, y: 0.2 },
]

/** Sees a bad failure in the middle of the picture once it has begun, unless a rectangle hides the middle. */
let isFailing = false
let looks = 0
function inspect(ignore: readonly Polygon[] = []): Inspection {
  looks++
  const isHidden = ignore.some((zone) => {
    const xs = zone.map(({ x }) => x)
    const ys = zone.map(({ y }) => y)
    return (
      Math.min(...xs) <= 0.5 && Math.max(...xs) >= 0.5 && Math.min(...ys) <= 0.5 && Math.max(...ys) >= 0.5
    )
  })
  const score = isHidden || !isFailing ? 0 : 0.97
  return anInspection(looks, score, {
    boxes: score === 0 ? [] : [{ x: 140, y: 100, w: 40, h: 40, score }],
  })
}

let app: TestApp
let owner: TestUser
let stranger: TestUser

beforeAll(async () => {
  const detector = blindDetector({
    submit: (_key, _picture, options) =>
      Promise.resolve({ kind: 'inspected', inspection: inspect(options?.ignore) }),
  })
  app = await buildTestApp({ detector })
  owner = await aUser(app)
  stranger = await aUser(app)
})
afterAll(() => app.close())

const path = (printerId: number) => `/api/v1/printers/${printerId}/ignore_zones/`
const put = (printerId: number, zones: unknown, who = owner) =>
  call(app, 'PUT', path(printerId), { cookie: who.cookie, body: { zones } })

describe('ignore zones', () => {
  test('are none at first, are kept as drawn, and are replaced as a whole', async () => {
    const { id } = await aPrinter(app, owner)
    const read = async () => (await call(app, 'GET', path(id), { cookie: owner.cookie })).json
    expect(await read()).toEqual({ zones: [] })
    expect(await put(id, [CORNER, WHOLE])).toMatchObject({ status: 200, json: { zones: [CORNER, WHOLE] } })
    expect(await read()).toEqual({ zones: [CORNER, WHOLE] })
    const precise = [{ x: 0.123456789, y: 0 }, ...CORNER.slice(1)]
    expect((await put(id, [precise])).json.zones[0][0]).toEqual({ x: 0.1235, y: 0 })
    expect((await put(id, [])).json).toEqual({ zones: [] })
  })

  test('tell how much of the picture they leave out together', async () => {
    const { id } = await aPrinter(app, owner)
    const left = async () =>
      (await call(app, 'GET', `/api/v1/printers/${id}/`, { cookie: owner.cookie })).json.ignored_percent
    const band = (top: number, bottom: number) => [
      { x: 0, y: top },
      { x: 1, y: top },
      { x: 1, y: bottom },
      { x: 0, y: bottom },
    ]
    expect(await left()).toBe(0)
    await put(id, [band(0, 0.5), band(0.25, 0.75)])
    expect(await left(), 'what two zones share counts once').toBe(75)
    await put(id, [WHOLE])
    expect(await left()).toBe(100)
  })

  test('of others do not exist', async () => {
    const { id } = await aPrinter(app, owner)
    expect((await put(id, [WHOLE], stranger)).status).toBe(404)
    expect((await call(app, 'GET', path(id), { cookie: stranger.cookie })).status).toBe(404)
  })

  test.each<[string, unknown]>([
    ['two points', [CORNER.slice(0, 2)]],
    ['65 points', [Array.from({ length: 65 }, (_, i) => ({ x: (i % 9) / 10, y: i / 100 }))]],
    ['17 zones', Array.from({ length: 17 }, () => CORNER)],
    ['a point outside the picture', [[...CORNER, { x: 1.01, y: 0 }]]],
    ['a negative point', [[...CORNER, { x: -0.01, y: 0 }]]],
    ['a point without y', [[...CORNER, { x: 0.5 }]]],
    ['words for numbers', [[...CORNER, { x: '0.5', y: '0.5' }]]],
    ['a line', [[0, 0.5, 1].map((x) => ({ x, y: x }))]],
    [
      'pairs',
      [
        [
          [0, 0],
          [1, 0],
          [1, 1],
        ],
      ],
    ],
    ['no list', { zones: 1 }],
    ['null', null],
    ['nothing', undefined],
  ])('%s is refused by name', async (_name, zones) => {
    const { id } = await aPrinter(app, owner)
    const answer = await put(id, zones)
    expect(answer.status).toBe(400)
    expect(Object.keys(answer.json)).toEqual(['zones'])
  })

  test('infinite numbers are refused', async () => {
    const { id } = await aPrinter(app, owner)
    const body = '{"zones":[[{"x":1e999,"y":0},{"x":1,"y":0},{"x":1,"y":1}]]}'
    const headers = { cookie: owner.cookie, 'content-type': 'application/json' }
    expect((await fetch(app.url + path(id), { method: 'PUT', headers, body })).status).toBe(400)
  })
})

describe('a failing print', () => {
  /** Ten seconds and a picture, `count` times, with these zones; what was decided. */
  async function watch(zones: Zone[], count: number) {
    const printer = await aPrinter(app, owner)
    expect((await put(printer.id, zones)).status).toBe(200)
    const picture = await sharp({ create: { width: 320, height: 240, channels: 3, background: '#456' } })
      .jpeg()
      .toBuffer()
    const agent = await connectAgent(app, printer.auth_token)
    const decisions = () =>
      app.ctx.db
        .selectFrom('decisions')
        .selectAll()
        .where('printerId', '=', printer.id)
        .orderBy('id')
        .execute()
    for (let i = 0; i < count; i++) {
      isFailing = i >= 8
      app.advance(10_000)
      agent.send({
        current_print_ts: 1_700_000_000,
        status: {
          _ts: app.ctx.clock.now() / 1000,
          state: { text: 'Printing', flags: { printing: true } },
          job: { file: { name: 'vase.gcode' } },
          progress: { completion: 20, printTime: 600 },
        },
      })
      if (i === 0) {
        await eventually(async () => {
          const { json } = await call(app, 'GET', `/api/v1/printers/${printer.id}/`, { cookie: owner.cookie })
          return json.current_print ? true : undefined
        })
      }
      const before = (await decisions()).length
      const form = new FormData()
      form.set('pic', new Blob([new Uint8Array(picture)]), 'pic')
      const headers = { authorization: `Token ${printer.auth_token}` }
      const answer = await fetch(`${app.url}/api/v1/octo/pic/`, { method: 'POST', headers, body: form })
      expect(answer.status).toBe(200)
      await eventually(async () => ((await decisions()).length > before ? true : undefined))
    }
    agent.ws.terminate()
    const commands = agent.heard.filter((message) => 'commands' in message)
    return { decisions: await decisions(), commands }
  }

  test('whose picture is masked whole gives no alert; every decision names the mask', async () => {
    const { decisions, commands } = await watch([WHOLE], 30)
    expect(new Set(decisions.map(({ decision }) => decision))).toEqual(new Set(['none']))
    expect(commands).toEqual([])
    for (const { ignoreZones, score } of decisions) expect([ignoreZones, score]).toEqual([[WHOLE], 0])
  })

  test('is still seen beside a mask elsewhere', async () => {
    const { decisions } = await watch([CORNER], 30)
    expect(decisions.map(({ decision }) => decision)).toContain('pause')
    expect(decisions.at(-1)?.ignoreZones).toEqual([CORNER])
  })
})
