/** What an agent's frames come to at the owner's phone: heaters and filament (docs/rules/prints.md 5). */
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { greeted } from '../../../test/faults/support.ts'
import { eventually, type WireAgent } from '../../../test/wire/agent.ts'
import { aStandIn, type StandIn } from '../../tell/notifications/standin.fixture.ts'

const HOOK = 'https://hooks.example.org'
const KEY = 1_790_000_000
let app: TestApp
let owner: TestUser
let receiver: StandIn
let agent: WireAgent
let token: string

beforeAll(async () => {
  receiver = await aStandIn()
  app = await buildTestApp({
    env: { OUTGOING_STAND_INS: `${HOOK}=${receiver.url}`, PUBLIC_URL: 'https://vigil.example' },
  })
  owner = await aUser(app)
  const channel = {
    name: 'webhook',
    config: { custom_webhook_URL: `${HOOK}/x` },
    notify_on_heater_status: true,
    notify_on_print_start: true,
    notify_on_print_pause: true,
    notify_on_print_resume: true,
  }
  await call(app, 'POST', '/api/v1/notification_settings/', { cookie: owner.cookie, body: channel })
  ;({ auth_token: token } = await aPrinter(app, owner, 'Voron'))
  agent = await greeted(app, token)
})
afterAll(async () => {
  agent.ws.terminate()
  await app.close()
  await receiver.close()
})

let at = 0
/** A status of either agent, with the bed so hot. */
const report = (bed: { actual: number | null; target: number | null }, more: object = {}) =>
  agent.send({
    current_print_ts: KEY,
    status: {
      _ts: app.ctx.clock.now() / 1000 + at++ / 1000,
      state: { text: 'Printing', flags: { printing: true } },
      job: { file: { name: 'vase.gcode' } },
      temperatures: { bed: { ...bed, offset: 0 }, chamber: { actual: 31.5, target: null } },
    },
    ...more,
  })
const told = () => receiver.asked.map(({ json }) => json as { event: { type: string }; extra?: object })
const toldOf = (type: string, count = 1) =>
  eventually(() => {
    const all = told().filter(({ event }) => event.type === type)
    return all.length >= count ? all : undefined
  })

test('a heater that got where it was sent is told once, and once more for each new target', async () => {
  report({ actual: 22, target: 60 })
  report({ actual: 45, target: 60 })
  report({ actual: 59.6, target: 60 })
  report({ actual: 59.6, target: 60 })
  expect(await toldOf('HeaterTargetReached')).toMatchObject([
    {
      event: { type: 'HeaterTargetReached' },
      printer: { name: 'Voron' },
      print: { filename: 'vase.gcode' },
      extra: { heater_name: 'bed', heater_actual: 59.6, heater_target: 60, heater_offset: 0 },
    },
  ])
  report({ actual: 60, target: 80 })
  report({ actual: 79.8, target: 80 })
  await toldOf('HeaterTargetReached', 2)
  // Switched off, it is far from cold.
  report({ actual: 79, target: 0 })
  report({ actual: 50, target: 0 })
  report({ actual: null, target: 0 })
  report({ actual: 34.9, target: 0 })
  expect(await toldOf('HeaterCooledDown')).toMatchObject([{ extra: { heater_actual: 34.9 } }])
  report({ actual: 30, target: 0 })
  // An agent that comes back says nothing new.
  agent.ws.terminate()
  agent = await greeted(app, token)
  report({ actual: 29, target: 0 })
  report({ actual: 29, target: 0 }, { event: { event_type: 'FilamentChange', data: { name: 'vase.gcode' } } })
  expect(await toldOf('FilamentChange')).toMatchObject([
    { event: { type: 'FilamentChange' }, printer: { name: 'Voron' }, print: { filename: 'vase.gcode' } },
  ])
  const types = told().map(({ event }) => event.type)
  expect(types.filter((type) => type.startsWith('Heater')).toSorted()).toEqual([
    'HeaterCooledDown',
    'HeaterTargetReached',
    'HeaterTargetReached',
  ])
})

test('what happens to a print is told and listed with what the camera showed, and keeps its picture', async () => {
  const { id, auth_token: camera } = await aPrinter(app, owner, 'Ender')
  const filmed = await greeted(app, camera)
  const say = (key: number, event: string) =>
    filmed.send({
      current_print_ts: key,
      event: { event_type: event, data: { name: 'part.gcode' } },
      status: {
        _ts: app.ctx.clock.now() / 1000,
        state: { text: 'Printing', flags: { printing: true } },
        job: { file: { name: 'part.gcode' } },
        progress: { completion: 100, printTime: 60 },
      },
    })
  interface Told {
    readonly printer: { readonly name: string }
    readonly event: { readonly type: string }
    readonly img_url: string | null
  }
  const all = () =>
    receiver.asked.map(({ json }) => json as Told).filter(({ printer: { name } }) => name === 'Ender')
  const pictures = new Map<string, Buffer>()
  const colours = {
    PrintStarted: '#844',
    PrintPaused: '#484',
    FilamentChange: '#448',
    PrintResumed: '#848',
    PrintDone: '#884',
  }
  for (const [event, colour] of Object.entries(colours)) {
    await post(camera, colour)
    say(KEY + 1, event)
    const one = await eventually(() => all().find(({ event: { type } }) => type === event))
    pictures.set(event, await fetched(one.img_url))
  }
  for (const [event, colour] of Object.entries(colours)) {
    const { channels } = await sharp(pictures.get(event)).stats()
    expect([event, channels.map(({ mean }) => (Math.round(mean / 34) * 2).toString()).join('')]).toEqual([
      event,
      colour.slice(1),
    ])
  }
  const { json: feed } = await call(app, 'GET', '/api/v1/printer_events/', { cookie: owner.cookie })
  const shown = (feed as { printer: number; event_type: string; image_url: string | null }[]).filter(
    ({ printer }) => printer === id,
  )
  expect(shown.map(({ event_type: type }) => type).toSorted()).toEqual([
    'ENDED',
    'FILAMENT_CHANGE',
    'PAUSED',
    'RESUMED',
    'STARTED',
  ])
  for (const { image_url: url } of shown) expect((await fetched(url)).length).toBeGreaterThan(100)
  filmed.ws.terminate()
})

test('a print that begins before its camera has shown anything gets the first picture, in the feed', async () => {
  const { auth_token: camera } = await aPrinter(app, owner, 'Prusa')
  const filmed = await greeted(app, camera)
  filmed.send({
    current_print_ts: KEY + 2,
    event: { event_type: 'PrintStarted', data: { name: 'late.gcode' } },
    status: {
      _ts: app.ctx.clock.now() / 1000,
      state: { text: 'Printing', flags: { printing: true } },
      job: { file: { name: 'late.gcode' } },
    },
  })
  const begun = async () => {
    const { json } = await call(app, 'GET', '/api/v1/printer_events/', { cookie: owner.cookie })
    const feed = json as { event_type: string; event_text: string; image_url: string | null }[]
    return feed.find(
      ({ event_type: type, event_text: text }) => type === 'STARTED' && text.includes('late.gcode'),
    )
  }
  expect(await eventually(begun)).toMatchObject({ image_url: null })
  const shown = async () => (await begun())?.image_url ?? undefined
  await post(camera, '#844')
  const url = await eventually(shown)
  const { channels } = await sharp(await fetched(url)).stats()
  expect(channels[0]?.mean).toBeGreaterThan(120)
  await post(camera, '#488')
  await post(camera, '#488')
  expect(new URL((await shown()) ?? '').pathname).toBe(new URL(url).pathname)
  filmed.ws.terminate()
})

/** The camera of a printer shows one colour. */
async function post(camera: string, background: string): Promise<void> {
  const picture = sharp({ create: { width: 32, height: 24, channels: 3, background } })
  const form = new FormData()
  form.set('pic', new Blob([Uint8Array.from(await picture.jpeg().toBuffer())]), 'pic')
  form.set('is_primary_camera', 'True')
  const headers = { authorization: `Token ${camera}` }
  await fetch(`${app.url}/api/v1/octo/pic/`, { method: 'POST', headers, body: form })
}

/** A stored picture, by its address. */
async function fetched(address: string | null): Promise<Buffer> {
  const { pathname, search } = new URL(address ?? '', app.url)
  const answer = await fetch(app.url + pathname + search)
  expect(answer.headers.get('content-type')).toBe('image/jpeg')
  return Buffer.from(await answer.arrayBuffer())
}
