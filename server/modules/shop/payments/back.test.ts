/** Money for which nobody has a plan goes back, once, and nothing that is still there goes with it: docs/rules/plans.md 5. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Sandbox } from '../../../engines/billing/sandbox.ts'
import { aUser, type TestApp, type TestUser } from '../../../test/app.ts'
import { takeBack } from '../hours/index.ts'
import { endOver } from '../subscriptions/clock.service.ts'
import { takeStep } from '../subscriptions/index.ts'
import {
  aBuyer,
  active,
  aShop,
  buy,
  DAY_MS,
  get,
  pageFor,
  planIn,
  post,
  press,
  silently,
} from './buying.fixture.ts'
import { follow, followCheckout, followSubscription } from './follow.service.ts'
import { reconcile } from './news.service.ts'
import type { Shop } from './payments.jobs.ts'

let app: TestApp
let shop: Shop
let owner: TestUser

beforeAll(async () => {
  ;({ app, shop } = await aShop())
})
afterAll(() => app.close())
beforeEach(async () => {
  app.newWindows()
  owner = await aBuyer(app)
})

const sums = async () => {
  const { json } = await get(app, owner, '/ent/api/payments/')
  return json.map(({ cents }: { cents: number }) => cents)
}
/** Somebody pays at an open page, and nobody here hears of it. */
const paysAt = (url: string) =>
  silently(app, async (sandbox) => await sandbox.pay(theirsOf(url), 'works', false))
const theirsOf = (url: string) => url.split('/').at(-2) ?? ''
/** Somebody buys 200 hours. */
async function pack(): Promise<string> {
  const { json } = await get(app, owner, '/ent/generate_prepaid_dhpack_checkout_url/?dhpack_level=10')
  await fetch(String((await press(json.url, { card: 'works' })).to), { redirect: 'manual' })
  return theirsOf(json.url)
}
const earned = async () => (await get(app, owner, '/ent/api/detection_hours/')).json.earned
/** The bank sends the first refund of a pack back. */
const fails = (checkout: string) =>
  sql`update sandbox_objects set body = jsonb_set(body, '{refunds,0,hasFailed}', 'true')
    where kind = 'payment' and owner = ${checkout}`.execute(app.ctx.db)

it('what was paid in the grace, and heard of when the plan was over', async () => {
  const theirs = String((await buy(app, owner)).cb_subscription?.id)
  const { customerId } = await shop.billing.subscription(theirs)
  const card = (name: 'declined' | 'works') => (sandbox: Sandbox) => sandbox.setCard(customerId, name)
  await silently(app, card('declined'))
  await silently(app, (sandbox) => sandbox.letPass(theirs, 'bill'))
  await followSubscription(shop, theirs)
  await planIn(app, owner, 'past_due')
  await silently(app, card('works'))
  app.advance(8 * DAY_MS)
  await endOver(app.ctx)
  await followSubscription(shop, theirs)
  const after = await shop.billing.subscription(theirs)
  expect(after.state).toBe('ended')
  expect(after.payments.map(({ refunds }) => refunds.map(({ cents }) => cents))).toEqual([[5280], []])
})

it('what is paid for an account that is about to go', async () => {
  const url = await pageFor(app, owner)
  await app.ctx.db.updateTable('users').set({ isActive: false }).where('id', '=', owner.id).execute()
  await paysAt(url)
  await followCheckout(shop, theirsOf(url))
  const { subscriptionId } = await shop.billing.checkout(theirsOf(url))
  const { state, payments } = await shop.billing.subscription(String(subscriptionId))
  expect([state, payments[0]?.refunds[0]?.cents]).toEqual(['ended', 5280])
})

it('is asked for once in a look, also where a bank sends it back', async () => {
  const url = await pageFor(app, owner)
  await takeStep(app.ctx, owner.id, { edge: 'redeem', actor: 'account' })
  await paysAt(url)
  const { subscriptionId } = await shop.billing.checkout(theirsOf(url))
  await silently(app, (sandbox) => sandbox.end(String(subscriptionId)))
  let tries = 0
  const refund = () => (++tries > 3 ? Promise.reject(new Error('again and again')) : Promise.resolve())
  const stuck = { ...shop, billing: { ...shop.billing, refund } }
  await expect(followCheckout(stuck, theirsOf(url))).rejects.toThrow('has not gone back')
  expect(tries).toBe(1)
  await followCheckout(shop, theirsOf(url))
  expect(await sums()).toEqual([-5280, 5280])
})

it('of hours that were spent takes none of those that were bought later', async () => {
  const admin = await aUser(app, { isAdmin: true })
  const spent = {
    bucket: 'earned',
    kind: 'adjustment',
    reason: 'refunded',
    hours: 200,
    key: 'spent',
  } as const
  const first = await pack()
  await takeBack(app.ctx, { ...spent, userId: owner.id })
  const [{ id }] = (await get(app, owner, '/ent/api/payments/')).json
  await post(app, admin, `/api/v1/admin/people/${owner.id}/payments/${id}/refund/`)
  expect(await sums()).toEqual([-1100, 1100])
  await pack()
  expect(await earned()).toBe(200)
  await follow(shop, { kind: 'checkout', id: first })
  expect(await earned()).toBe(200)
})

it('whose bank sends it back brings the hours again that went with it, and goes once more', async () => {
  const admin = await aUser(app, { isAdmin: true })
  const first = await pack()
  const payment = (await get(app, owner, '/ent/api/payments/')).json[0].id
  const give = () => post(app, admin, `/api/v1/admin/people/${owner.id}/payments/${payment}/refund/`)
  await give()
  expect([await earned(), await sums()]).toEqual([0, [-1100, 1100]])
  await fails(first)
  for (let looks = 0; looks < 2; looks++) await follow(shop, { kind: 'checkout', id: first })
  expect([await earned(), await sums()]).toEqual([200, [1100, -1100, 1100]])
  await give()
  expect([await earned(), (await sums()).length]).toEqual([0, 4])
})

it('whose bank sends it back, and that is given again before anybody looks, takes the hours of one pack', async () => {
  const first = await pack()
  const { paid } = await shop.billing.checkout(first)
  const give = (key: string) => silently(app, (sandbox) => sandbox.refund(paid!.id, paid!.cents, key))
  await pack()
  await give('once')
  await follow(shop, { kind: 'checkout', id: first })
  expect(await earned()).toBe(200)
  await fails(first)
  await give('again')
  for (let looks = 0; looks < 2; looks++) await follow(shop, { kind: 'checkout', id: first })
  expect([await earned(), (await sums()).toSorted()]).toEqual([200, [-1100, -1100, 1100, 1100, 1100]])
})

it('a plan is looked at and changed so often an hour by an account', async () => {
  const wish = { plan_id: 'pro', billing_cycle: 'annual', printers: 2, dhpack_level: '0' }
  const tries = async (count: number, path: string, body: object) => {
    const all = await Promise.all(Array.from({ length: count }, () => post(app, owner, path, body)))
    return all.filter(({ status }) => status === 429).length
  }
  expect(await tries(121, '/ent/api/subscriptions/preview/', wish)).toBe(1)
  const own = '/ent/api/subscriptions/1/'
  expect(await tries(15, `${own}resume/`, {})).toBe(0)
  expect(await tries(16, `${own}cancel/`, { reason: 'x', acknowledged: true })).toBe(1)
  expect((await post(app, owner, '/ent/api/subscriptions/', wish)).status).toBe(429)
})

it('of two changes at once one is made, the other is told to wait', async () => {
  await buy(app, owner)
  const change = (printers: number) =>
    post(app, owner, '/ent/api/subscriptions/', {
      plan_id: 'pro',
      billing_cycle: 'annual',
      printers,
      dhpack_level: '0',
    })
  const answers = await Promise.all([change(9), change(3)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 429])
  expect((await change(12)).status).toBe(200)
  expect((await active(app, owner)).subscription?.printers).toBe(12)
})

it('a checkout that came to no page lets its code go', async () => {
  const now = new Date(app.ctx.clock.now())
  const row = { id: 'died', userId: owner.id, provider: 'sandbox', kind: 'plan', deal: '{}' } as const
  await app.ctx.db
    .insertInto('billingCheckouts')
    .values({ ...row, expiresAt: now, createdAt: now })
    .execute()
  app.advance(1000)
  await reconcile(shop)
  const kept = app.ctx.db.selectFrom('billingCheckouts').select('state').where('id', '=', 'died')
  expect(await kept.executeTakeFirst()).toEqual({ state: 'closed' })
})
