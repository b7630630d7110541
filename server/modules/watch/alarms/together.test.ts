/** One fault of the server's is one message to an owner, whatever number of prints it leaves unwatched; and so is its end. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { livePictures } from '../../../engines/inference/fixtures/live.fixture.ts'
import { openDb } from '../../../engines/db/postgres.ts'
import { printsLookedAt } from '../../../engines/metrics/index.ts'
import { aNode, aPrinter, aUser, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { openWay, type Way } from '../../../test/faults/nodes.ts'
import { greeted, printing } from '../../../test/faults/support.ts'
import { cloneDatabase, type TestDatabase } from '../../../test/pg.ts'
import { eventually, type WireAgent } from '../../../test/wire/agent.ts'
import { allLookedAt } from '../detection/index.ts'
import { serverTrouble } from '../watching/trouble.service.ts'
import { aDetector } from './faults.fixture.ts'
import { aStandIn, type StandIn } from '../../tell/notifications/standin.fixture.ts'

const GOTIFY = 'https://gotify.example'
const HOOK = 'https://hooks.example'
const NAMES = ['Voron', 'Ender', 'Prusa']
const ALL = NAMES.map((name) => `part.gcode on ${name}`)
let database: TestDatabase
let way: Way
let app: TestApp
let owner: TestUser
let people: StandIn
let programs: StandIn
let env: Record<string, string>
let live: Buffer[]
const { detector } = aDetector()
/** Cameras send pictures. */
let hasCameras = true
const printers: Awaited<ReturnType<typeof aPrinter>>[] = []
let agents: WireAgent[] = []

beforeAll(async () => {
  live = await livePictures(20)
  people = await aStandIn()
  programs = await aStandIn()
  database = await cloneDatabase()
  way = await openWay(database.url)
  env = {
    VIGIL_SECRET: 'of both, before and after the restart',
    DETECTION_TIME_SCALE: '100',
    OUTGOING_STAND_INS: `${GOTIFY}=${people.url},${HOOK}=${programs.url}`,
  }
  app = await aNode(way.url, env, detector)
  owner = await aUser(app)
  for (const name of NAMES) printers.push(await aPrinter(app, owner, name))
  const set = (body: object) =>
    call(app, 'POST', '/api/v1/notification_settings/', { cookie: owner.cookie, body })
  await set({ name: 'gotify', config: { gotify_url: GOTIFY, app_token: 'A' }, notify_on_print_done: false })
  await set({ name: 'webhook', config: { custom_webhook_URL: `${HOOK}/x` } })
  await come(3)
  await untilWatched(3)
})
afterAll(async () => {
  for (const agent of agents) agent.ws.terminate()
  await way.restore()
  await app.close()
  await way.close()
  await database.drop()
  await Promise.all([people.close(), programs.close()])
})

/** The agents of so many printers connect. */
async function come(count: number): Promise<void> {
  for (const { auth_token: token } of printers.slice(agents.length, count))
    agents.push(await greeted(app, token))
}
/** Five seconds pass, in which agents report and send pictures; then each print has been looked at. */
async function step(): Promise<void> {
  app.advance(5_000)
  for (const [i, agent] of agents.entries()) {
    const said = printing(1_790_000_000)
    agent.send({ ...said, status: { ...said.status, _ts: app.ctx.clock.now() / 1000 } })
    if (hasCameras) await post(printers[i]!.auth_token)
  }
  await allLookedAt()
  const from = app.ctx.clock.now()
  await eventually(async () => {
    const [last] = (await printsLookedAt.get()).values
    return (last?.value ?? 0) * 1000 >= from ? true : undefined
  })
}
async function post(token: string): Promise<void> {
  const picture = live[pictures++ % live.length]!
  const form = new FormData()
  form.set('is_primary_camera', 'True')
  form.set('pic', new Blob([Uint8Array.from(picture)]), 'pic')
  const headers = { authorization: `Token ${token}` }
  await fetch(`${app.url}/api/v1/octo/pic/`, { method: 'POST', headers, body: form })
}
let pictures = 0
async function untilWatched(count: number): Promise<void> {
  const list = async () => (await call(app, 'GET', '/api/v1/printers/', { cookie: owner.cookie })).json
  for (let i = 0; i < 40; i++) {
    await step()
    const watched = (await list()).filter(
      (one: { watch: { state: string } }) => one.watch.state === 'watching',
    )
    if (watched.length === count) return
  }
  throw new Error('not watched')
}
/** What was told of being watched or not. */
const told = () =>
  people.asked.flatMap(({ json }) =>
    String(json.message).includes(' watches ') ? [String(json.message)] : [],
  )
const steps = async (done: () => boolean) => {
  for (let i = 0; i < 60 && !done(); i++) await step()
}
/** The first line, and the prints that are named, in whatever order. */
const saidIn = (message: string | undefined) => {
  const [first, ...more] = (message ?? '').split('\n').map((line) => line.replaceAll(/[*_]/g, ''))
  return { first, named: more.filter((line) => line.startsWith('part.gcode on ')).toSorted() }
}
const nothingMore = async (count: number) => {
  for (let i = 0; i < 8; i++) await step()
  expect(told()).toHaveLength(count)
}

test('a server that was away: one message with all prints, though one agent alone is back; one when it is over', async () => {
  for (const agent of agents) agent.ws.terminate()
  agents = []
  await app.close()
  const store = openDb(database.url, { log: app.ctx.log })
  await sql`update watch_rounds set at = at - interval '1 hour'`.execute(store.db)
  await store.close()
  app = await aNode(way.url, env, detector)
  await come(1)
  hasCameras = false
  await steps(() => told().length > 0)
  expect(saidIn(told()[0])).toEqual({
    first: 'Vigil no longer watches 3 prints: the server was not running.',
    named: ALL.toSorted(),
  })
  await come(3)
  hasCameras = true
  await steps(() => told().length > 1)
  expect(saidIn(told()[1])).toEqual({ first: 'Vigil watches 3 prints again.', named: ALL.toSorted() })
  await nothingMore(2)
  const types = programs.asked.map(({ json }) => String(json.event.type))
  expect(
    types.filter((type) => type === 'NotWatching'),
    'programs hear of each',
  ).toHaveLength(3)
}, 300_000)

test('a database that is away: one message, and nobody is told again when it is back', async () => {
  people.asked.length = 0
  await way.cut()
  await eventually(() => (serverTrouble(app.ctx) === 'database_down' ? true : undefined))
  await steps(() => told().length > 0)
  expect(saidIn(told()[0])).toEqual({
    first: "Vigil no longer watches 3 prints: the server's database does not answer.",
    named: ALL.toSorted(),
  })
  await way.restore()
  await steps(() => told().length > 1)
  expect(saidIn(told()[1])).toEqual({ first: 'Vigil watches 3 prints again.', named: ALL.toSorted() })
  await nothingMore(2)
}, 300_000)
