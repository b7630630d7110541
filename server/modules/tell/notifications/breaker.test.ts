import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { owe } from './index.ts'
import { createBreaker } from '../sending/breaker.rules.ts'
import { aStandIn, type StandIn, status } from './standin.fixture.ts'
import { asId } from '../../../test/ids.ts'

test('five failures leave a receiver alone, longer each time; one try decides, and one success ends it', () => {
  const breaker = createBreaker()
  for (let i = 0; i < 4; i++) breaker.failed('a', 0)
  expect(breaker.wait('a', 0)).toBe(0)
  breaker.failed('a', 0)
  expect(breaker.wait('a', 0)).toBe(10_000)
  expect(breaker.wait('b', 0), 'no other waits for it').toBe(0)
  // It may be tried: by one alone.
  expect(breaker.wait('a', 10_000)).toBe(0)
  expect(breaker.wait('a', 10_000)).toBe(10_000)
  breaker.failed('a', 10_000)
  expect(breaker.wait('a', 10_000)).toBe(20_000)
  for (let at = 30_000; at < 10_000_000; at += 300_000) breaker.failed('a', at)
  expect(breaker.wait('a', 9_930_000), 'no longer than five minutes').toBeLessThanOrEqual(300_000)
  breaker.succeeded('a')
  expect(breaker.wait('a', 0)).toBe(0)
})

let app: TestApp
let away: StandIn
let here: StandIn

beforeAll(async () => {
  away = await aStandIn(status(503))
  here = await aStandIn()
  const standIns = [`http://away.example=${away.url}`, `http://here.example=${here.url}`]
  app = await buildTestApp({ env: { OUTGOING_STAND_INS: standIns.join(',') } })
})
afterAll(async () => {
  await app.close()
  await Promise.all([away.close(), here.close()])
})

async function anOwner(host: string): Promise<TestUser & { printerId: number }> {
  const owner = await aUser(app)
  const body = { name: 'webhook', config: { custom_webhook_URL: `http://${host}/` } }
  await call(app, 'POST', '/api/v1/notification_settings/', { cookie: owner.cookie, body })
  const { id } = await aPrinter(app, owner)
  return { ...owner, printerId: id }
}
let keys = 0
const alert = async ({ printerId }: { printerId: number }) =>
  await app.ctx.db.transaction().execute((tx) =>
    owe(
      { ...app.ctx, db: tx },
      {
        key: `breaker:${++keys}`,
        kind: 'PrintFailure',
        code: 'failure_paused',
        printerId: asId(printerId),
        printId: null,
        picture: null,
      },
    ),
  )
const hooksOf = async ({ id }: TestUser) =>
  await app.ctx.db
    .selectFrom('deliveries')
    .select(['outcome', 'attempts'])
    .where('userId', '=', id)
    .where('channel', '=', 'webhook')
    .execute()

test(
  'a receiver that is away is called no more for a while, loses nothing, and costs no other a second',
  { timeout: 60_000 },
  async () => {
    const [unlucky, lucky] = [await anOwner('away.example'), await anOwner('here.example')]
    for (let i = 0; i < 20; i++) await alert(unlucky)
    await eventually(() => (away.asked.length >= 5 ? true : undefined))
    await alert(lucky)
    await eventually(() => (here.asked.length === 1 ? true : undefined))
    // At most those that were on their way already when it was left alone.
    const before = away.asked.length
    expect(before).toBeLessThanOrEqual(5 + 16)
    await alert(unlucky)
    await alert(lucky)
    await eventually(() => (here.asked.length === 2 ? true : undefined))
    expect(away.asked.length, 'it is left alone').toBe(before)
    expect(
      (await hooksOf(unlucky)).every(({ outcome }) => outcome === null),
      'nothing is given up',
    ).toBe(true)
    // It is back: what is owed arrives.
    away.answers(() => ({}))
    await eventually(async () => {
      app.advance(20_000)
      const rows = await hooksOf(unlucky)
      return rows.length === 21 && rows.every(({ outcome }) => outcome === 'accepted') ? true : undefined
    })
    const accepted = away.asked.filter(({ wasAccepted }) => wasAccepted)
    expect(new Set(accepted.map(({ headers }) => headers['webhook-id'])).size).toBe(21)
  },
)
