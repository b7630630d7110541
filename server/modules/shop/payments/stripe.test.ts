/** The same shop with Stripe as who takes the money: its news, forged, again, out of order, at once and lost. */
import { sql } from 'kysely'
import { Stripe } from 'stripe'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openBilling } from '../../../engines/billing/index.ts'
import { buildTestApp, type TestApp, type TestUser } from '../../../test/app.ts'
import { erase } from '../../people/leaving/erase.service.ts'
import { takeStep } from '../subscriptions/index.ts'
import { aBuyer, active, get, planIn, post } from './buying.fixture.ts'
import { leaveProvider } from './farewell.service.ts'
import { followCheckout, followSubscription } from './follow.service.ts'
import { reconcile } from './news.service.ts'
import { refundPayment } from './refunds.service.ts'
import { aStripe } from './stripe.fixture.ts'

const SECRET = 'whsec_of_the_tests'
let app: TestApp
let stripe: Awaited<ReturnType<typeof aStripe>>
let owner: TestUser
let session: string

beforeAll(async () => {
  stripe = await aStripe()
  app = await buildTestApp({
    env: {
      IS_ENT: 'true',
      STRIPE_SECRET_KEY: 'sk_test_x',
      STRIPE_WEBHOOK_SECRET: SECRET,
      OUTGOING_STAND_INS: `https://api.stripe.com=${stripe.url}`,
    },
  })
})
afterAll(async () => {
  await app.close()
  await stripe.close()
})
beforeEach(async () => {
  app.newWindows()
  owner = await aBuyer(app)
  const { json } = await get(app, owner, '/ent/generate_pro_checkout_url/?printers=1')
  session = json.id
})

async function tell(event: object, secret = SECRET): Promise<number> {
  const payload = JSON.stringify(event)
  const signature = new Stripe('sk_test_x').webhooks.generateTestHeaderString({ payload, secret })
  const answer = await fetch(`${app.url}/ent/webhooks/billing/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    body: payload,
  })
  return answer.status
}
const steps = async () => {
  const { rows } = await sql<{ edge: string }>`select edge from plan_steps
    where user_id = ${owner.id} order by id`.execute(app.ctx.db)
  return rows.map(({ edge }) => edge).slice(2)
}
async function begun(): Promise<string> {
  const id = stripe.pays(session)
  expect(await tell(stripe.event('checkout.session.completed', { id: session }))).toBe(200)
  await planIn(app, owner, 'active')
  return id
}
const changed = (id: string) => stripe.event('customer.subscription.updated', { id })
const set = (id: string, to: object) => Object.assign(stripe.subscriptions.get(id)!, to)

it('a plan begins when Stripe says so, and no card was ever asked for', async () => {
  await begun()
  expect(await active(app, owner)).toMatchObject({ cb_subscription: { total_cents: 4800, currency: 'USD' } })
  const { json } = await get(app, owner, '/ent/api/payments/')
  expect(json).toMatchObject([{ cents: 5280, tax_cents: 480, currency: 'USD' }])
  expect(session).toMatch(/^cs_/)
  const opened = stripe.asked.filter(({ path }) => path === '/v1/checkout/sessions').at(-1)!.body
  expect(opened).toMatchObject({
    mode: 'subscription',
    'line_items[0][price_data][unit_amount]': '4800',
    'line_items[0][price_data][recurring][interval_count]': '12',
    success_url: expect.stringContaining('/ent/checkout/'),
  })
  expect(JSON.stringify(stripe.asked)).not.toMatch(/card|cvc/)
})

it('is heard only with its signature', async () => {
  stripe.pays(session)
  const event = stripe.event('checkout.session.completed', { id: session })
  expect(await tell(event, 'whsec_of_somebody_else')).toBe(400)
  expect((await active(app, owner)).subscription).toBeNull()
  expect(await tell(event)).toBe(200)
  await planIn(app, owner, 'active')
})

it('counts once, however often it comes, at once and out of order', async () => {
  const id = await begun()
  const early = changed(id)
  set(id, { cancel_at_period_end: true })
  const late = changed(id)
  expect(await Promise.all([late, early, late, early, late].map((event) => tell(event)))).toEqual(
    Array(5).fill(200),
  )
  await planIn(app, owner, 'cancelled')
  expect(await steps()).toEqual(['buy', 'cancel'])
})

it('that was lost is found within the hour', async () => {
  stripe.pays(session)
  stripe.event('checkout.session.completed', { id: session })
  await reconcile({ ...app.ctx, billing: openBilling(app.ctx)! })
  await planIn(app, owner, 'active')
})

it('a bill that failed, and one that is paid after all', async () => {
  const id = await begun()
  set(id, {
    status: 'past_due',
    latest_invoice: { id: 'in', created: Math.floor(app.ctx.clock.now() / 1000) },
  })
  const bill = { parent: { subscription_details: { subscription: id } } }
  await tell(stripe.event('invoice.payment_failed', bill))
  await planIn(app, owner, 'past_due')
  set(id, { status: 'active', latest_invoice: null })
  // An account with an older version of the API says it otherwise.
  await tell(stripe.event('invoice.paid', { subscription: id }))
  await planIn(app, owner, 'active')
})

it('is changed as it was shown, cancelled and resumed', async () => {
  const id = await begun()
  const wish = { plan_id: 'pro', billing_cycle: 'annual', printers: 2, dhpack_level: '0' }
  const shown = await post(app, owner, '/ent/api/subscriptions/preview/', wish)
  expect(shown.json).toMatchObject({ from: 'now', due_now_cents: 1234, tax_cents: 34 })
  const { agreed_at } = shown.json
  await post(app, owner, '/ent/api/subscriptions/', { ...wish, agreed_at })
  expect((await active(app, owner)).subscription).toMatchObject({ printers: 2 })
  const asked = stripe.asked.filter(({ path, method }) => path.endsWith(id) && method === 'POST').at(-1)!.body
  expect(asked).toMatchObject({
    proration_behavior: 'always_invoice',
    proration_date: String(Date.parse(agreed_at) / 1000),
    'items[0][deleted]': 'true',
  })
  const { subscription: plan } = await active(app, owner)
  const path = `/ent/api/subscriptions/${plan!.id}/`
  await post(app, owner, `${path}cancel/`, { reason: 'x', acknowledged: true })
  expect((await active(app, owner)).cb_subscription).toMatchObject({ scheduled_cancellation: true })
  await post(app, owner, `${path}resume/`)
  expect(await steps()).toEqual(['buy', 'change', 'cancel', 'resume'])
})

it('gives money back, once for each try, and takes it over when it was given there', async () => {
  const id = await begun()
  const { json } = await get(app, owner, '/ent/api/payments/')
  await refundPayment(app.ctx, owner.id, { payment: json[0].id, endPlan: true })
  await planIn(app, owner, null)
  expect(stripe.subscriptions.get(id)).toMatchObject({ status: 'canceled' })
  const after = await get(app, owner, '/ent/api/payments/')
  expect(after.json.map(({ cents }: { cents: number }) => cents)).toEqual([-5280, 5280])
})

it('gives money back of a bill that is not one of the newest, and writes it down', async () => {
  const id = await begun()
  for (let bills = 0; bills < 5; bills++) stripe.renews(id)
  await followSubscription({ ...app.ctx, billing: openBilling(app.ctx)! }, id)
  const paid = async () => (await get(app, owner, '/ent/api/payments/')).json
  const first = (await paid()).find(({ cents }: { cents: number }) => cents === 5280)
  await refundPayment(app.ctx, owner.id, { payment: first.id, endPlan: false })
  expect(await paid()).toContainEqual(
    expect.objectContaining({ kind: 'refund', cents: -5280, tax_cents: -480 }),
  )
})

it('gives nothing back while the plan cannot be ended: it can be asked for again', async () => {
  const id = await begun()
  const [{ id: payment }] = (await get(app, owner, '/ent/api/payments/')).json
  const given = () => stripe.asked.filter(({ path, method }) => path === '/v1/refunds' && method === 'POST')
  const before = given().length
  const kept = stripe.subscriptions.get(id)!
  stripe.subscriptions.delete(id)
  await expect(refundPayment(app.ctx, owner.id, { payment, endPlan: true })).rejects.toMatchObject({
    reason: 'provider_away',
  })
  expect(given()).toHaveLength(before)
  stripe.subscriptions.set(id, kept)
  await refundPayment(app.ctx, owner.id, { payment, endPlan: true })
  expect(given()).toHaveLength(before + 1)
  await planIn(app, owner, null)
})

it('sells nothing more in a trial that a change taken back has left: Stripe would charge nothing for it', async () => {
  const id = await begun()
  set(id, { status: 'trialing' })
  const wish = { plan_id: 'pro', billing_cycle: 'annual', printers: 100, dhpack_level: '20' }
  for (const path of ['preview/', ''])
    expect((await post(app, owner, `/ent/api/subscriptions/${path}`, wish)).status).toBe(503)
  expect((await active(app, owner)).subscription).toMatchObject({ printers: 1 })
})

it('a subscription that is not of this server is left alone', async () => {
  const items = { data: [{ id: 'si', current_period_start: 1, current_period_end: 2 }] }
  stripe.subscriptions.set('sub_other', { id: 'sub_other', status: 'active', metadata: {}, items })
  const shop = { ...app.ctx, billing: openBilling(app.ctx)! }
  await expect(followSubscription(shop, 'sub_other')).resolves.toBeUndefined()
  expect(stripe.subscriptions.get('sub_other')).toMatchObject({ status: 'active' })
})

it('money that a bank sends back days later is written down as not given, and can be given again', async () => {
  await begun()
  const paid = async () => (await get(app, owner, '/ent/api/payments/')).json
  const sums = async () => (await paid()).map(({ cents }: { cents: number }) => cents).toSorted()
  const [{ id: payment }] = await paid()
  const give = () => refundPayment(app.ctx, owner.id, { payment, endPlan: false })
  await give()
  expect(await sums()).toEqual([-5280, 5280])
  const refund = stripe.refunds.at(-1)!
  Object.assign(refund, { status: 'failed' })
  for (let told = 0; told < 2; told++) await tell(stripe.event('refund.failed', refund))
  await expect.poll(sums).toEqual([-5280, 5280, 5280])
  expect(await paid()).toContainEqual(
    expect.objectContaining({ kind: 'payment', refunded_cents: 0, refundable_until: expect.any(String) }),
  )
  await give()
  expect(await sums()).toEqual([-5280, -5280, 5280, 5280])
  // Asked with the same key, Stripe would answer with the one that failed.
  const tries = stripe.asked
    .filter(({ path, method }) => path === '/v1/refunds' && method === 'POST')
    .slice(-2)
  expect(new Set(tries.map(({ key }) => key)).size).toBe(2)
})

it('a news that cannot be read keeps no other from being heard', async () => {
  const odd = stripe.event('checkout.session.completed', { id: 5 })
  expect(await tell(odd)).toBe(200)
  stripe.pays(session)
  stripe.event('checkout.session.completed', { id: session })
  await reconcile({ ...app.ctx, billing: openBilling(app.ctx)! })
  await planIn(app, owner, 'active')
})

it('who is erased is charged no more, and Stripe forgets them; money that is under way comes first', async () => {
  const id = await begun()
  await takeStep(app.ctx, owner.id, { edge: 'take', actor: 'operator' })
  const pack = await get(app, owner, '/ent/generate_prepaid_dhpack_checkout_url/?dhpack_level=20')
  const page = stripe.sessions.get(pack.json.id)!
  const now = new Date(app.ctx.clock.now())
  await app.ctx.db
    .insertInto('departures')
    .values({ userId: owner.id, reason: 'x', askedAt: now, dueAt: now })
    .execute()
  await app.ctx.db.updateTable('users').set({ isActive: false }).where('id', '=', owner.id).execute()
  const isThere = async () => {
    await erase(app.ctx, owner.id, AbortSignal.timeout(60_000))
    return (await sql`select 1 from users where id = ${owner.id}`.execute(app.ctx.db)).rows.length === 1
  }
  Object.assign(page, { status: 'complete' })
  expect(await isThere()).toBe(true)
  Object.assign(page, { status: 'open' })
  expect(await isThere()).toBe(false)
  expect(page).toMatchObject({ status: 'expired' })
  expect(stripe.subscriptions.get(id)).toMatchObject({ status: 'canceled' })
  const { customer } = stripe.subscriptions.get(id)!
  expect(stripe.asked.at(-1)).toMatchObject({ method: 'DELETE', path: `/v1/customers/${String(customer)}` })
})

it('money that never comes keeps nobody for good: 30 days after its page it is under way no more', async () => {
  const pack = await get(app, owner, '/ent/generate_prepaid_dhpack_checkout_url/?dhpack_level=20')
  const page = pack.json.id
  Object.assign(stripe.sessions.get(page)!, { status: 'complete' })
  const shop = { ...app.ctx, billing: openBilling(app.ctx)! }
  const after = async (days: number) => {
    const expiresAt = new Date(app.ctx.clock.now() - days * 86_400_000)
    const ours = app.ctx.db.updateTable('billingCheckouts').where('providerId', '=', page)
    await ours.set({ expiresAt }).execute()
    await followCheckout(shop, page)
    const rows = app.ctx.db.selectFrom('billingCheckouts').select('state').where('providerId', '=', page)
    return (await rows.executeTakeFirstOrThrow()).state
  }
  expect([await after(29), await after(31)]).toEqual(['open', 'closed'])
  expect(await leaveProvider(app.ctx, owner.id)).toBe(true)
})

it('that does not answer costs nothing: it is said', async () => {
  const away = await buildTestApp({
    env: {
      IS_ENT: 'true',
      STRIPE_SECRET_KEY: 'sk_test_x',
      STRIPE_WEBHOOK_SECRET: SECRET,
      OUTGOING_STAND_INS: 'https://api.stripe.com=http://127.0.0.1:1',
    },
  })
  const who = await aBuyer(away)
  expect(await get(away, who, '/ent/generate_pro_checkout_url/')).toMatchObject({
    status: 503,
    json: { reason: 'provider_away' },
  })
  await away.close()
})
