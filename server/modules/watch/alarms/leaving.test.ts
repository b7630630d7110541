/** Printers that leave in the same second, and come back: their owners are told by a few statements and jobs. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { livePictures } from '../../../engines/inference/fixtures/live.fixture.ts'
import { printsLookedAt, printsWatched } from '../../../engines/metrics/index.ts'
import { aUser, buildTestApp, call, type TestApp } from '../../../test/app.ts'
import { greeted, printing } from '../../../test/faults/support.ts'
import { allStatements } from '../../../test/queries.ts'
import { eventually, type WireAgent } from '../../../test/wire/agent.ts'
import { aStandIn, type StandIn } from '../../tell/notifications/standin.fixture.ts'
import { addPrinter } from '../../printers/printers/index.ts'
import { allLookedAt } from '../detection/index.ts'
import { aDetector } from './faults.fixture.ts'

const GOTIFY = 'https://gotify.example'
const HOOK = 'https://hooks.example'
const FARM = 180
/** People with one printer each. */
const OTHERS = 20
const MANY = FARM + OTHERS
/** Printers that come back: the last of the farm, the first of others. */
const BACK = 20
/** What is written of an alarm or its end: one by one each would be so 200 times. */
const WRITES = [
  /insert into watch_alarms/,
  /update watch_alarms a set cleared_at = \$1\s+from unnest/,
  /insert into "printer_events"/,
  /update users set unseen/,
  /insert into "deliveries"/,
  /insert into "alert_links"/,
  /INSERT INTO pgboss/,
]

let app: TestApp
let people: StandIn
let programs: StandIn
let live: Buffer[]
const agents: WireAgent[] = []
const tokens: string[] = []
const { detector } = aDetector()

beforeAll(async () => {
  live = await livePictures(8)
  people = await aStandIn()
  programs = await aStandIn()
  const env = {
    DETECTION_TIME_SCALE: '100',
    OUTGOING_STAND_INS: `${GOTIFY}=${people.url},${HOOK}=${programs.url}`,
  }
  app = await buildTestApp({ env, detector })
  const { id, cookie, email } = await aUser(app)
  const wants = async (body: object) =>
    await call(app, 'POST', '/api/v1/notification_settings/', { cookie, body })
  await wants({ name: 'gotify', config: { gotify_url: GOTIFY, app_token: 'A' } })
  const emails = Array.from({ length: OTHERS }, (_, at) => `other${at}@example.org`)
  await sql`insert into users (email) select unnest(${emails}::text[])`.execute(app.ctx.db)
  await sql`insert into notification_settings (user_id, name, config, notify_on_not_watching)
    select u.id, s.name, s.config, s.notify_on_not_watching from users u, notification_settings s
    where u.id <> ${id} and s.user_id = ${id} and s.name = 'gotify'`.execute(app.ctx.db)
  await wants({ name: 'webhook', config: { custom_webhook_URL: `${HOOK}/x` } })
  for (const ownerEmail of [...Array.from({ length: FARM }, () => email), ...emails])
    tokens.push((await addPrinter(app.ctx, { ownerEmail, name: `P${tokens.length}` })).auth_token)
}, 120_000)
afterAll(async () => {
  for (const { ws } of agents) ws.terminate()
  await app.close()
  await Promise.all([people.close(), programs.close()])
})

async function come(some: readonly string[]): Promise<void> {
  for (let at = 0; at < some.length; at += 20) {
    const several = await Promise.all(some.slice(at, at + 20).map((token) => greeted(app, token)))
    for (const agent of several) agent.send(printing(1_790_000_000))
    agents.push(...several)
  }
}
/** Whether all are to be watched, from the same moment on. */
const areWatched = (on: boolean) => sql`update printers set watching_enabled = ${on}`.execute(app.ctx.db)
/** A round has seen all of them so. */
const areSeen = (watch: string) =>
  eventually(async () => {
    const { values } = await printsWatched.get()
    return values.find(({ labels }) => labels.watch === watch)?.value === MANY || undefined
  })
async function post(token: string): Promise<void> {
  const form = new FormData()
  form.set('is_primary_camera', 'True')
  form.set('pic', new Blob([Uint8Array.from(live[pictures++ % live.length] ?? [])]), 'pic')
  const headers = { authorization: `Token ${token}` }
  await fetch(`${app.url}/api/v1/octo/pic/`, { method: 'POST', headers, body: form })
}
let pictures = 0
/** Time passes, and each print is looked at. */
async function step(ms: number): Promise<void> {
  app.advance(ms)
  const from = app.ctx.clock.now()
  await eventually(async () => {
    const [last] = (await printsLookedAt.get()).values
    return (last?.value ?? 0) * 1000 >= from ? true : undefined
  })
}
async function count(table: string, where: string): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from ${sql.table(table)} where ${sql.raw(where)}`.execute(app.ctx.db)
  return rows[0]?.n ?? 0
}
const events = (code: string) => count('printer_events', `code = '${code}'`)
const jobs = () => count('pgboss.job', `name in ('event-toast', 'event-unseen', 'deliver')`)
const heard = (type: string) =>
  programs.asked.filter(({ json }) => json.event.type === type).map(({ json }) => Number(json.printer.id))
const messages = (words: string) =>
  people.asked.flatMap(({ json }) => (String(json.message).includes(words) ? [String(json.message)] : []))

/** The messages of a kind, and how many prints they name. */
async function owed(kind: string) {
  const { rows } = await sql`select channel, count(*)::int as messages,
    sum(1 + jsonb_array_length(coalesce(notice -> 'others', '[]')))::int as prints
    from deliveries where kind = ${kind} group by channel order by channel`.execute(app.ctx.db)
  return rows
}

/** How often each write happened until `done`. */
async function writesUntil(
  code: string,
  { done, stepMs, each }: { done: number; stepMs: number; each: () => Promise<unknown> },
): Promise<number[]> {
  const all = await allStatements(async () => {
    for (let i = 0; i < 40 && (await events(code)) < done; i++) {
      await each()
      await step(stepMs)
    }
  })
  return WRITES.map((write) => all.filter((one) => write.test(one)).length)
}

test('all are told once, by a few statements and jobs', async () => {
  // However long it takes until the last one is there, no time to be watched passes.
  await areWatched(false)
  await come(tokens)
  await eventually(async () =>
    (await count('printers', 'current_print_id is not null')) === MANY ? true : undefined,
  )
  // what their prints' beginnings have to say is said
  await eventually(async () =>
    (await count('pgboss.job', `state < 'completed' and name like 'event-%'`)) === 0 ? true : undefined,
  )
  const before = await jobs()
  await areWatched(true)
  await areSeen('no_picture')
  for (const { ws } of agents.splice(0)) ws.terminate()
  await areSeen('agent_lost')

  // More than it took all to leave: of each it is time to be told of.
  const written = await writesUntil('not_watching', {
    done: MANY,
    stepMs: 40_000,
    each: async () => undefined,
  })
  expect(written[0]).toBeGreaterThan(0)
  expect(Math.max(...written), written.join(' ')).toBeLessThan(MANY / 10)
  expect(await count('watch_alarms', `cleared_at is null and code = 'agent_lost'`)).toBe(MANY)
  expect((await jobs()) - before).toBeLessThan(OTHERS + MANY / 10)

  const farm = Math.ceil(FARM / 101)
  await eventually(async () => {
    app.advance(1_000)
    return heard('NotWatching').length >= FARM && messages('no longer watches').length >= farm + OTHERS
      ? true
      : undefined
  })
  expect(new Set(heard('NotWatching')).size).toBe(FARM)
  expect([heard('NotWatching').length, messages('no longer watches').length]).toEqual([FARM, farm + OTHERS])
  expect(await owed('NotWatching')).toEqual([
    { channel: 'gotify', messages: farm + OTHERS, prints: MANY },
    { channel: 'webhook', messages: FARM, prints: FARM },
  ])
}, 180_000)

test('those that come back, too', async () => {
  const back = tokens.slice(FARM - BACK / 2, FARM + BACK / 2)
  await come(back)
  const before = await jobs()
  const written = await writesUntil('watching_again', {
    done: BACK,
    stepMs: 5_000,
    each: async () => {
      for (const agent of agents) agent.send(printing(1_790_000_000, pictures))
      await Promise.all(back.map(post))
      await allLookedAt()
    },
  })
  expect(written[1]).toBeGreaterThan(0)
  expect(Math.max(...written), written.join(' ')).toBeLessThan(BACK / 2)
  expect((await jobs()) - before).toBeLessThan(BACK)
  expect(await count('watch_alarms', 'cleared_at is null')).toBe(MANY - BACK)
  expect(await owed('WatchingAgain')).toEqual([
    { channel: 'gotify', messages: 1 + BACK / 2, prints: BACK },
    { channel: 'webhook', messages: BACK / 2, prints: BACK / 2 },
  ])
}, 180_000)
