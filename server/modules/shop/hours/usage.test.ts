/** What is watched is booked: each print once, to the second, whoever else books and whatever stops. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inSuite } from '../../../../scripts/suites.ts'
import { aNode, aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { asId } from '../../../test/ids.ts'
import { openTestSmtp, type TestSmtp } from '../../../test/smtp.ts'
import { connectAgent, eventually } from '../../../test/wire/agent.ts'
import { setPlan } from '../../people/accounts/index.ts'
import { hoursOf } from './hours.service.ts'
import { bookPrint, credit, grantDue } from './index.ts'

const DAY_MS = 86_400_000
let mailbox: TestSmtp
let app: TestApp
let second: TestApp
beforeAll(async () => {
  mailbox = await openTestSmtp()
  app = await buildTestApp({ env: { ...mailbox.env, IS_ENT: 'true', PUBLIC_URL: 'https://vigil.example' } })
  second = await aNode(app.databaseUrl, { ...mailbox.env, IS_ENT: 'true' })
})
afterAll(async () => {
  await second.close()
  await app.close()
  await mailbox.close()
})

const get = async (who: TestUser, path = '') =>
  (await call(app, 'GET', `/ent/api/detection_hours/${path}`, { cookie: who.cookie })).json
const freeUser = async () => {
  const user = await aUser(app)
  await setPlan(app.ctx, { email: user.email, plan: 'free' })
  return user
}
let keys = 0
const give = (who: TestUser, bucket: 'included' | 'earned', hours: number) =>
  credit(app.ctx, { userId: who.id, kind: 'adjustment', bucket, hours, reason: 'opening', key: `k${keys++}` })

/** Prints that are over, of which so many seconds each were watched. */
async function prints(who: TestUser, watched: readonly number[]) {
  const now = new Date(app.ctx.clock.now())
  const shared = { userId: who.id, filename: 'vase.gcode', startedAt: now, finishedAt: now }
  const rows = watched.map((seconds) => ({ ...shared, printTime: seconds + 60, watchedSeconds: seconds }))
  const made = await app.ctx.db
    .insertInto('prints')
    .values(asId(rows))
    .returning(['id', 'watchedSeconds'])
    .execute()
  return made.map(({ id, watchedSeconds }) => ({ id, seconds: Number(watchedSeconds) }))
}
async function aPrint(who: TestUser, seconds: number) {
  const [made] = await prints(who, [seconds])
  return made!.id
}
const book = (node: TestApp, who: TestUser, printId: Awaited<ReturnType<typeof aPrint>>, seconds: number) =>
  node.ctx.db
    .transaction()
    .execute((db) => bookPrint({ ...node.ctx, db }, { userId: who.id, printId, seconds }))

test('included hours go first, then earned ones, a row for each of a print', async () => {
  const owner = await freeUser()
  await give(owner, 'included', 1)
  await give(owner, 'earned', 5)
  const print = await aPrint(owner, 5400)
  await book(app, owner, print, 5400)
  expect((await get(owner, 'transactions/?limit=2')) as unknown).toMatchObject([
    {
      hours: -0.5,
      kind: 'usage',
      bucket: 'earned',
      print,
      description: 'A print was watched',
      balance_after: 4.5,
    },
    { hours: -1, kind: 'usage', bucket: 'included', print, balance_after: 5 },
  ])
  expect(await get(owner)).toMatchObject({ balance: 4.5, included: 0, earned: 4.5 })
})

test('a print is booked once, also when its hours would come from elsewhere by now', async () => {
  const owner = await freeUser()
  await give(owner, 'included', 1)
  await give(owner, 'earned', 5)
  const print = await aPrint(owner, 3600)
  await book(app, owner, print, 3600)
  await book(second, owner, print, 3600)
  expect(await get(owner)).toMatchObject({ balance: 5, included: 0, earned: 5 })
})

test('hours come on the monthly day, each month once, however long nobody looked', async () => {
  const pro = await aUser(app)
  const free = await freeUser()
  await give(free, 'included', 3)
  await give(free, 'earned', 2)
  app.advance(32 * DAY_MS)
  await Promise.all([grantDue(app.ctx), grantDue({ ...second.ctx, clock: app.ctx.clock })])
  // What is left of the Free plan's is gone, what was earned stays, and Pro's roll over.
  expect(await hoursOf(app.ctx, free.id)).toMatchObject({ included: 10, earned: 2 })
  expect(await hoursOf(app.ctx, pro.id)).toMatchObject({ included: 100, next_grant: { hours: 50 } })
  app.advance(95 * DAY_MS)
  await grantDue(app.ctx)
  await grantDue(app.ctx)
  expect(await hoursOf(app.ctx, free.id)).toMatchObject({ included: 10, earned: 2 })
  expect(await hoursOf(app.ctx, pro.id)).toMatchObject({ included: 250 })
})

test('what was watched of a print is booked when it ends; hours that are lacking then keep the next from being watched, never this one', async () => {
  const owner = await freeUser()
  const printer = await aPrinter(app, owner)
  const shown = async () =>
    (await call(app, 'GET', `/api/v1/printers/${printer.id}/`, { cookie: owner.cookie })).json
  const agent = await connectAgent(app, printer.auth_token)
  const report = (printTs: number, printing: boolean, printTime: number) =>
    agent.send({
      current_print_ts: printTs,
      status: {
        _ts: app.ctx.clock.now() / 1000,
        state: { text: printing ? 'Printing' : 'Operational', flags: { printing, operational: true } },
        job: { file: { name: 'vase.gcode' } },
        progress: { completion: printing ? 50 : 100, printTime },
      },
    })
  await give(owner, 'earned', 0.25)
  report(1_700_000_000, true, 10)
  const print = await eventually(async () => (await shown()).current_print?.id as number | undefined)
  // Hours may be gone while it runs: it began with some.
  await give(owner, 'earned', -0.5)
  expect((await shown()).watch.code).not.toBe('no_hours')
  await agent.hear(({ remote_status: told }) => told?.should_watch === true)
  await sql`update prints set watched_seconds = 1234.4 where id = ${print}`.execute(app.ctx.db)
  app.advance(1_300_000)
  report(-1, false, 1300)
  await eventually(async () => ((await shown()).current_print === null ? true : undefined))
  const over = (await call(app, 'GET', `/api/v1/prints/${print}/`, { cookie: owner.cookie })).json
  expect(over.watched.seconds).toBe(1234)
  expect((await get(owner, 'transactions/?limit=1')) as unknown).toMatchObject([
    { hours: -1234 / 3600, kind: 'usage', bucket: 'included', print },
  ])
  report(1_700_005_000, true, 1)
  const next = await eventually(async () => (await shown()).current_print?.id as number | undefined)
  await eventually(async () => ((await shown()).watch.code === 'no_hours' ? true : undefined))
  expect((await shown()).watch).toMatchObject({
    state: 'blind',
    reason: 'You have run out of AI Detection Hours',
  })
  await agent.hear(({ remote_status: told }) => told?.should_watch === false)
  // What comes while it runs is for the print after it.
  await give(owner, 'earned', 9)
  expect((await shown()).watch.code).toBe('no_hours')
  expect((await shown()).current_print.id).toBe(next)
  agent.close()
})

test('few hours are told once, and none once, until there are more', async () => {
  const owner = await freeUser()
  await give(owner, 'earned', 10.5)
  const spendAll = async (seconds: number) => await book(app, owner, await aPrint(owner, seconds), seconds)
  const letters = async () =>
    (
      await app.ctx.db
        .selectFrom('mails')
        .select('key')
        .where('userId', '=', owner.id)
        .where('template', '=', 'hours-low')
        .execute()
    ).length
  await spendAll(3600)
  await eventually(async () => ((await letters()) === 1 ? true : undefined))
  await spendAll(3600)
  await spendAll(10 * 3600)
  await eventually(async () => ((await letters()) === 2 ? true : undefined))
  await spendAll(60)
  await give(owner, 'earned', 15)
  await spendAll(7200)
  await spendAll(14_400)
  await eventually(async () => ((await letters()) === 3 ? true : undefined))
})

/** So many accounts live at once, each its lives one after the other. */
const [OWNERS, LIVES] = inSuite([1, 4], [8, 1_250])

test('in any life the rows sum to the balance, and those of prints to what was watched of them', async () => {
  await Promise.all(Array.from({ length: OWNERS }, (_, seed) => lives(seed + 30)))
}, 3_600_000)

async function lives(seed: number): Promise<void> {
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed % below
  }
  const owner = await freeUser()
  for (let life = 0; life < LIVES; life++) {
    // Ten printers print at once; both nodes hear of each end, and some die in the middle of it.
    const ends = await prints(
      owner,
      Array.from({ length: 10 }, () => random(30_000)),
    )
    if (random(2) === 0) await give(owner, random(2) === 0 ? 'included' : 'earned', 1 + random(20))
    await Promise.all(
      ends.flatMap(({ seconds, id }) => [
        random(3) === 0 ? dies(owner, id, seconds) : book(app, owner, id, seconds),
        book(second, owner, id, seconds),
      ]),
    )
  }
  const { rows } = await sql<{ torn: number; sum: number; balance: number }>`
    select
      (select count(*) from prints p left join (
        select print_id, -sum(seconds) as seconds, count(*) as rows, count(distinct bucket) as buckets
        from hour_transactions where kind = 'usage' group by print_id) t on t.print_id = p.id
       where p.user_id = ${owner.id} and (coalesce(t.seconds, 0) <> p.watched_seconds or t.rows <> t.buckets))::int as torn,
      (select sum(seconds) from hour_transactions where user_id = ${owner.id})::float8 as sum,
      (select sum(seconds) from hour_balances where user_id = ${owner.id})::float8 as balance`.execute(
    app.ctx.db,
  )
  expect(rows[0]).toMatchObject({ torn: 0, sum: rows[0]!.balance })
  expect((await hoursOf(app.ctx, owner.id)).balance).toBeCloseTo(rows[0]!.sum / 3600, 6)
}

/** A node that is killed before its transaction has ended. */
const dies = (who: TestUser, printId: Awaited<ReturnType<typeof aPrint>>, seconds: number) =>
  app.ctx.db
    .transaction()
    .execute(async (db) => {
      await bookPrint({ ...app.ctx, db }, { userId: who.id, printId, seconds })
      throw new Error('killed')
    })
    .catch(() => undefined)
