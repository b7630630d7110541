import { anInspection } from '../../../test/inspection.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

/** Sees something hot in the middle of the picture while it is told to. */
let isHot = false
let looks = 0
const inspect = () => anInspection(++looks, isHot ? 0.97 : 0.02)

let app: TestApp
let owner: TestUser
let picture: Buffer

beforeAll(async () => {
  const detector = blindDetector({
    submit: () => Promise.resolve({ kind: 'inspected', inspection: inspect() }),
  })
  app = await buildTestApp({ detector })
  owner = await aUser(app)
  picture = await sharp({ create: { width: 320, height: 240, channels: 3, background: '#456' } })
    .jpeg()
    .toBuffer()
})
afterAll(() => app.close())

async function aPrint() {
  const printer = await aPrinter(app, owner)
  const agent = await connectAgent(app, printer.auth_token)
  const url = (rest: string) => `/api/v1/printers/${printer.id}/${rest}`
  const ask = async (method: string, rest: string, who = owner) =>
    await call(app, method, url(rest), { cookie: who.cookie })
  const records = () =>
    app.ctx.db
      .selectFrom('decisions')
      .select(['decision', 'state'])
      .where('printerId', '=', printer.id)
      .orderBy('id')
      .execute()
  const say = (text: string, ts: number) =>
    agent.send({
      current_print_ts: ts,
      status: {
        _ts: app.ctx.clock.now() / 1000,
        state: { text, flags: { printing: text === 'Printing' } },
        job: { file: { name: 'vase.gcode' } },
        progress: { completion: 20, printTime: 600 },
      },
    })
  await eventually(async () => {
    say('Printing', 1_700_000_000)
    return (await ask('GET', '')).json.current_print ? true : undefined
  })
  /** A picture each 10 s; what was decided on them. */
  const watch = async (count: number) => {
    const before = (await records()).length
    for (let i = 0; i < count; i++) {
      app.advance(10_000)
      say('Printing', 1_700_000_000)
      const form = new FormData()
      form.set('pic', new Blob([new Uint8Array(picture)]), 'pic')
      const headers = { authorization: `Token ${printer.auth_token}` }
      const seen = (await records()).length
      const answer = await fetch(`${app.url}/api/v1/octo/pic/`, { method: 'POST', headers, body: form })
      expect(answer.status).toBe(200)
      await eventually(async () => ((await records()).length > seen ? true : undefined))
    }
    return (await records()).slice(before).map(({ decision }) => decision)
  }
  return { ask, watch, records, printer, end: () => agent.ws.terminate() }
}

test('what the owner says of an alert teaches the camera, is told, and is forgotten when asked for', async () => {
  const { ask, watch, records, printer, end } = await aPrint()
  await call(app, 'PATCH', `/api/v1/printers/${printer.id}/`, {
    cookie: owner.cookie,
    body: { action_on_failure: 'NONE' },
  })
  expect((await ask('GET', 'learnt/')).json).toMatchObject({ sound_answers: 0, last_sound_answer: null })
  isHot = false
  expect(new Set(await watch(10))).toEqual(new Set(['none']))
  isHot = true
  expect(await watch(20)).toContain('warn')

  expect((await ask('POST', 'acknowledge_alert/?alert_overwrite=NOT_FAILED')).status).toBe(200)
  const learnt = (await ask('GET', 'learnt/')).json
  expect(learnt).toMatchObject({ sound_answers: 1, confirmed_failures: 0 })
  expect(Date.parse(learnt.last_sound_answer)).toBeLessThanOrEqual(app.ctx.clock.now())
  expect(learnt.dismissed).toBeGreaterThan(0)
  expect(new Set(await watch(20)), 'the same sight again').toEqual(new Set(['none']))
  const { state } = (await records()).at(-1)!
  expect(state).toMatchObject({ taught: { sound: 1, failures: 0 } })
  expect((state as { takenOff: number }).takenOff).toBeGreaterThan(1)

  expect((await ask('DELETE', 'learnt/')).json).toEqual({
    sound_answers: 0,
    last_sound_answer: null,
    dismissed: 0,
    confirmed_failures: 0,
    seconds: 0,
  })
  expect(await watch(20), 'as if nobody had said so').toContain('warn')
  end()
})

test('a failure that the owner confirms is counted', async () => {
  const { ask, watch, end } = await aPrint()
  isHot = false
  await watch(10)
  isHot = true
  await watch(20)
  expect((await ask('POST', 'acknowledge_alert/?alert_overwrite=FAILED')).status).toBe(200)
  expect((await ask('GET', 'learnt/')).json).toMatchObject({ sound_answers: 0, confirmed_failures: 1 })
  end()
})

test('is nobody else’s business', async () => {
  const { ask, end } = await aPrint()
  const stranger = await aUser(app)
  expect((await ask('GET', 'learnt/', stranger)).status).toBe(404)
  expect((await ask('DELETE', 'learnt/', stranger)).status).toBe(404)
  end()
})
