/** How often a print is looked at: what the plan of its owner gives, with a clock that is moved. */
import { anInspection } from '../../../test/inspection.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import {
  aPrinter,
  aUser,
  blindDetector,
  buildTestApp,
  call,
  type TestApp,
  type TestUser,
} from '../../../test/app.ts'
import { connectAgent, eventually, type WireAgent } from '../../../test/wire/agent.ts'
import { setPlan } from '../../people/accounts/index.ts'
import { allLookedAt } from './index.ts'

/** What the scripted detector says, and after how many seconds of posting it was asked. */
let score = 0
let isStill = false
let looks: number[] = []
let posted = 0

const now = () => app.ctx.clock.now()

function inspectionOf() {
  looks.push(posted * 10)
  return anInspection(isStill ? 0 : looks.length, score)
}
const detector = blindDetector({
  submit: () => Promise.resolve({ kind: 'inspected', inspection: inspectionOf() }),
})

let app: TestApp
let owner: TestUser
let picture: Blob
let printer: Awaited<ReturnType<typeof aPrinter>>
let agent: WireAgent
let begun = 0
let printTs = 1_700_000_000

beforeAll(async () => {
  app = await buildTestApp({ detector, env: { IS_ENT: 'true' } })
  const bytes = await sharp({ create: { width: 320, height: 240, channels: 3, background: '#456' } })
    .jpeg()
    .toBuffer()
  picture = new Blob([new Uint8Array(bytes)])
})
afterAll(() => app.close())

beforeEach(async () => {
  score = 0
  isStill = false
  looks = []
  owner = await aUser(app)
  printer = await aPrinter(app, owner)
})

const shown = async () =>
  (await call(app, 'GET', `/api/v1/printers/${printer.id}/`, { cookie: owner.cookie })).json as Printer

const report = () =>
  agent.send({
    current_print_ts: printTs,
    status: {
      _ts: now() / 1000,
      state: { text: 'Printing', flags: { printing: true, paused: false } },
      job: { file: { name: 'vase.gcode' } },
      progress: { completion: 20, printTime: Math.round((now() - begun) / 1000) },
    },
  })

/** A print on this plan, whose camera has posted nothing yet. */
async function print(plan: 'free' | 'pro'): Promise<void> {
  await setPlan(app.ctx, { email: owner.email, plan })
  agent = await connectAgent(app, printer.auth_token)
  printTs += 100
  begun = now()
  posted = 0
  report()
  await eventually(async () => ((await shown()).current_print ? true : undefined))
}

/** The agent posts so many pictures, ten seconds apart; all of them are stored. */
async function post(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    app.advance(10_000)
    posted++
    report()
    const form = new FormData()
    form.set('is_primary_camera', 'True')
    form.set('viewing_boost', 'False')
    form.set('pic', picture, 'pic')
    const headers = { authorization: `Token ${printer.auth_token}` }
    const answer = await fetch(`${app.url}/api/v1/octo/pic/`, { method: 'POST', headers, body: form })
    expect(answer.status).toBe(200)
    await allLookedAt()
  }
}

const frames = async () =>
  (await app.ctx.db.selectFrom('frames').select('id').where('printerId', '=', printer.id).execute()).length

it('is 10 s on Pro', async () => {
  await print('pro')
  await post(7)
  expect(looks).toEqual([10, 20, 30, 40, 50, 60, 70])
  expect((await shown()).watch).toMatchObject({ state: 'watching', checked_every: 10 })
})

it('is 30 s on Free: every picture is kept and shown, every third is looked at, and the page says so', async () => {
  await print('free')
  await post(7)
  expect(looks).toEqual([10, 40, 70])
  expect(await frames()).toBe(7)
  await post(2)
  const { watch } = await shown()
  expect(watch).toMatchObject({ state: 'watching', code: null, checked_every: 30 })
  expect(Date.parse(watch.picture_at!) - Date.parse(watch.checked_at!)).toBeGreaterThan(15_000)
})

it('changes with the plan, in the middle of a print', async () => {
  await print('free')
  await post(4)
  await setPlan(app.ctx, { email: owner.email, plan: 'pro' })
  await post(3)
  expect(looks).toEqual([10, 40, 50, 60, 70])
  await setPlan(app.ctx, { email: owner.email, plan: 'free' })
  await post(4)
  expect(looks).toEqual([10, 40, 50, 60, 70, 100])
})

it('counts what lies between two looks as watched, on Free too', async () => {
  await print('free')
  await post(40)
  expect((await shown()).watch.watched_percent).toBeGreaterThan(90)
})

const setWatching = (watchingEnabled: boolean) =>
  app.ctx.db.updateTable('printers').set({ watchingEnabled }).where('id', '=', printer.id).execute()

it('is no claim: what nobody looked at for longer than the plan says is not watched', async () => {
  await print('free')
  await post(4)
  await setWatching(false)
  await post(5)
  await setWatching(true)
  expect((await shown()).watch).toMatchObject({ state: 'watching', code: null })
  await setPlan(app.ctx, { email: owner.email, plan: 'pro' })
  expect((await shown()).watch).toMatchObject({ state: 'blind', code: 'detector_down' })
  await setPlan(app.ctx, { email: owner.email, plan: 'free' })
  await setWatching(false)
  await post(2)
  await setWatching(true)
  expect((await shown()).watch).toMatchObject({ state: 'blind', code: 'detector_down' })
})

it('is that of the pictures from a warning on, so that the pause it may become comes no later', async () => {
  await print('free')
  await post(12)
  score = 0.97
  await eventually(async () => {
    await post(1)
    return (await shown()).alert ? true : undefined
  })
  const warnedAt = looks.at(-1)!
  expect(agent.heard.some((message) => 'commands' in message)).toBe(false)
  const before = looks.length
  await eventually(async () => {
    await post(1)
    return agent.heard.some((message) => 'commands' in message) ? true : undefined
  })
  const since = looks.slice(before)
  expect(since).toEqual(since.map((_, i) => warnedAt + 10 * (i + 1)))
  expect(since.length).toBeGreaterThan(0)
})

it('is that of the plan again when the owner has answered, or wants no pause', async () => {
  await call(app, 'PATCH', `/api/v1/printers/${printer.id}/`, {
    cookie: owner.cookie,
    body: { action_on_failure: 'NONE' },
  })
  await print('free')
  await post(12)
  score = 0.97
  await eventually(async () => {
    await post(1)
    return (await shown()).alert ? true : undefined
  })
  const from = looks.at(-1)!
  looks = []
  await post(6)
  expect(looks).toEqual([from + 30, from + 60])
})

it('is that of the pictures while something is strange about what the camera shows, until that is told', async () => {
  await print('free')
  await post(4)
  isStill = true
  await post(30)
  expect((await shown()).watch).toMatchObject({ state: 'blind', code: 'picture_frozen' })
  const [first, second, third] = looks.slice(2)
  expect(second! - first!).toBeLessThanOrEqual(30)
  expect(third! - second!).toBe(10)
})
