/** What a provider tells: forged, again, out of order, at once, never (docs/rules/plans.md 5). */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { aUser, type TestApp, type TestUser } from '../../../test/app.ts'
import { setPlan } from '../../people/accounts/index.ts'
import { takeStep } from '../subscriptions/index.ts'
import {
  aBuyer,
  active,
  aShop,
  buy,
  DAY_MS,
  deliver,
  get,
  pageFor,
  planIn,
  press,
  silently,
} from './buying.fixture.ts'
import { followCheckout } from './follow.service.ts'
import { reconcile } from './news.service.ts'
import { findCheckout } from './payments.queries.ts'
import type { Shop } from './payments.jobs.ts'

let app: TestApp
let shop: Shop
let owner: TestUser
let theirs: string

beforeAll(async () => {
  ;({ app, shop } = await aShop())
})
afterAll(() => app.close())
beforeEach(async () => {
  app.newWindows()
  owner = await aBuyer(app)
  theirs = String((await buy(app, owner, 'printers=2')).cb_subscription?.id)
})

const steps = async () => {
  const { rows } = await sql<{ edge: string }>`select edge from plan_steps
    where user_id = ${owner.id} order by id`.execute(app.ctx.db)
  return rows.map(({ edge }) => edge).slice(2)
}
const ending = (willEnd: boolean) => silently(app, (sandbox) => sandbox.setEnding(theirs, willEnd))

it('is heard only if it is signed, and not long ago', async () => {
  const [letter] = await ending(true)
  const { payload, headers } = letter!
  const [name, value] = Object.entries(headers)[0]!
  for (const bad of [
    { payload, headers: {} },
    { payload: payload.replace('subscription', 'checkout'), headers },
    { payload, headers: { [name]: value.replace(/.$/, value.endsWith('0') ? '1' : '0') } },
  ])
    expect(await deliver(app, bad)).toBe(400)
  app.advance(600_000)
  expect(await deliver(app, { payload, headers })).toBe(400)
  expect(await steps()).toEqual(['buy'])
})

it('counts once, however often it comes, and however many at once', async () => {
  const [letter] = await ending(true)
  const answers = await Promise.all(Array.from({ length: 8 }, () => deliver(app, letter!)))
  expect(answers).toEqual(Array(8).fill(200))
  await planIn(app, owner, 'cancelled')
  expect(await deliver(app, letter!)).toBe(200)
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from billing_events
    where event_id = ${letter!.id}`.execute(app.ctx.db)
  expect(rows[0]!.count).toBe(1)
  expect(await steps()).toEqual(['buy', 'cancel'])
})

it('may come out of order: what counts is how it stands now', async () => {
  const [first] = await ending(true)
  const [second] = await ending(false)
  const [third] = await ending(true)
  await Promise.all([third, first, second].map((letter) => deliver(app, letter!)))
  await planIn(app, owner, 'cancelled')
  expect(await steps()).toEqual(['buy', 'cancel'])
})

it('that was lost is found within the hour', async () => {
  await ending(true)
  await reconcile(shop)
  await planIn(app, owner, 'cancelled')
})

it('of a renewal that nobody told of is found, too', async () => {
  app.advance(366 * DAY_MS)
  await silently(app, (sandbox) => sandbox.turn())
  await sql`update sandbox_objects set created_at = created_at - interval '60 days' where kind = 'event'`.execute(
    app.ctx.db,
  )
  await reconcile(shop)
  const { rows } = await sql<{ paid: number }>`select count(*)::int as paid from payments`.execute(app.ctx.db)
  expect(rows[0]!.paid).toBeGreaterThan(1)
})

it('of a plan that ended here ends it there', async () => {
  await takeStep(app.ctx, owner.id, { edge: 'take', actor: 'operator' })
  await reconcile(shop)
  await expect.poll(async () => (await shop.billing.subscription(theirs)).state).toBe('ended')
  // What was paid before it was taken stays paid: that is for who runs the server to say.
  expect((await shop.billing.subscription(theirs)).payments[0]!.refunds).toEqual([])
})

it('who pays for two plans has one, and the other money back', async () => {
  const second = await aUser(app)
  await setPlan(app.ctx, { email: second.email, plan: 'free' })
  await app.ctx.db
    .updateTable('users')
    .set({ isPrimaryEmailVerified: true })
    .where('id', '=', second.id)
    .execute()
  const url = await pageFor(app, second)
  // While the page is open, a partner's plan begins.
  await takeStep(app.ctx, second.id, { edge: 'redeem', actor: 'account' })
  const { to } = await press(url, { card: 'works' })
  await fetch(String(to), { redirect: 'manual' })
  expect((await active(app, second)).subscription).toMatchObject({ state: 'partner' })
  const { json } = await get(app, second, '/ent/api/payments/')
  expect(json.map(({ cents }: { cents: number }) => cents)).toEqual([-5280, 5280])
})

it('is looked at anew when others look in the same moment', async () => {
  const { rows } = await sql<{
    id: string
  }>`select id from billing_checkouts where user_id = ${owner.id}`.execute(app.ctx.db)
  const checkout = await findCheckout(app.ctx.db, rows[0]!.id)
  await ending(true)
  await Promise.all(Array.from({ length: 4 }, () => followCheckout(shop, checkout!.providerId!)))
  expect(await steps()).toEqual(['buy', 'cancel'])
})
