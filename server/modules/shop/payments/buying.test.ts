/** Plans and hours are bought, changed, cancelled and given back: docs/rules/plans.md 5, with the sandbox as who takes the money. */
import { payment, planChange } from '@vigil/contract/shop/payments.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { makeCodes } from '../coupons/index.ts'
import { grantDue } from '../hours/index.ts'
import { aBuyer, active, buy, DAY_MS, get, pageFor, planIn, post, press } from './buying.fixture.ts'

const PRO = '/ent/generate_pro_checkout_url/'
const PACK = '/ent/generate_prepaid_dhpack_checkout_url/'
const PORTAL = '/ent/generate_portal_session/'
const OWN = '/ent/api/subscriptions/'
let app: TestApp
let owner: TestUser

beforeAll(async () => {
  app = await buildTestApp({ env: { IS_ENT: 'true', BILLING: 'sandbox' } })
})
afterAll(() => app.close())
beforeEach(async () => {
  app.newWindows()
  owner = await aBuyer(app)
})

const payments = async (who = owner) =>
  payment.array().parse((await get(app, who, '/ent/api/payments/')).json)
const hours = async (who = owner) => (await get(app, who, '/ent/api/detection_hours/')).json
const wish = (more: object = {}) => ({
  plan_id: 'pro',
  billing_cycle: 'annual',
  printers: 3,
  dhpack_level: '5',
  ...more,
})
const refused = (reason: string, status: number) => ({ status, json: { reason, error: expect.any(String) } })

describe('a checkout', () => {
  it('sells what was asked for, at the prices of the brand, with the tax of who takes the money', async () => {
    const url = await pageFor(app, owner, 'annual=true&printers=3&dhpack_level=5')
    const page = await (await fetch(url)).text()
    expect(page).toContain('no money moves')
    // 48 and two more printers for 24 each, a pack for 60, and a tenth on top.
    for (const part of ['$48.00', '$60.00', '$15.60', '$171.60']) expect(page).toContain(part)
    const paid = await press(url, { card: 'works' })
    expect(paid.status).toBe(303)
    const back = await fetch(String(paid.to), { redirect: 'manual' })
    expect(back.headers.get('location')).toBe(`${app.url}/user_preferences/subscription/?checkout=paid`)
    expect(await active(app, owner)).toMatchObject({
      subscription: {
        plan_id: 'pro',
        state: 'active',
        billing_cycle: 'annual',
        printers: 3,
        dhpack_level: '5',
      },
      cb_subscription: {
        total_cents: 15_600,
        base_cents: 4800,
        printers_cents: 4800,
        dhpack_cents: 6000,
        next: null,
      },
      printer_allowance: 3,
    })
    expect(await payments()).toMatchObject([
      { kind: 'payment', what: 'plan', cents: 17_160, tax_cents: 1560, currency: 'USD', refunded_cents: 0 },
    ])
    expect(await hours()).toMatchObject({ included: 350, next_grant: { hours: 350 } })
  })

  it('is followed by what the provider tells, when the buyer does not come back', async () => {
    await press(await pageFor(app, owner), { card: 'works' })
    await planIn(app, owner, 'active')
  })

  it('says why not: the address, the plan, the printers, a plan that runs', async () => {
    const ask = (query: string) => get(app, owner, `${PRO}?${query}`)
    expect(await ask('plan=gold')).toMatchObject(refused('invalid_plan', 400))
    expect(await ask('dhpack_level=7')).toMatchObject(refused('invalid_plan', 400))
    for (const printers of ['0', '101', 'x', '1.5', ''])
      expect(await ask(`printers=${printers}`)).toMatchObject(refused('invalid_printers', 400))
    expect(await ask('coupon=BTTNOTHING')).toMatchObject(refused('invalid_coupon', 400))
    expect(await get(app, owner, `${PACK}?dhpack_level=2`)).toMatchObject(refused('invalid_plan', 400))
    expect(await get(app, owner, PORTAL)).toMatchObject(refused('no_customer', 409))
    await buy(app, owner)
    expect(await ask('')).toMatchObject(refused('already_subscribed', 409))
    await app.ctx.db
      .updateTable('users')
      .set({ isPrimaryEmailVerified: false })
      .where('id', '=', owner.id)
      .execute()
    expect(await post(app, owner, PRO, { annual: false })).toMatchObject(refused('email_unverified', 400))
  })

  it('leads a phone there, and where it is refused, to the page that says why', async () => {
    const lead = async (path: string) => {
      const { status, headers } = await get(app, owner, `${path}redirect=true`)
      return [status, headers.get('location')]
    }
    expect(await lead(`${PRO}?`)).toEqual([302, expect.stringContaining(`${app.url}/sandbox/checkout/`)])
    expect(await lead(`${PORTAL}?`)).toEqual([302, expect.stringContaining('/sandbox/portal/')])
    expect(await lead(`${PACK}?dhpack_level=3&`)).toEqual([
      302,
      `${app.url}/user_preferences/subscription/?refused=invalid_plan`,
    ])
  })

  it.each([
    ['declined', 'The bank declined this card'],
    ['confirm', 'Was this you?'],
  ])('with a card that is %s stays open until another one pays', async (card, says) => {
    const url = await pageFor(app, owner)
    const tried = await press(url, { card })
    expect(tried.text).toContain(says)
    expect((await active(app, owner)).subscription).toBeNull()
    const paid = await press(url, { card: 'confirm', confirmed: 'yes' })
    expect(paid.status).toBe(303)
    await planIn(app, owner, 'active')
    // What is paid is paid once.
    expect((await press(url, { card: 'works' })).status).toBe(404)
    expect(await payments()).toHaveLength(1)
  })

  it('that is paid later begins when the money comes', async () => {
    const url = await pageFor(app, owner)
    const { to } = await press(url, { card: 'later' })
    const back = await fetch(String(to), { redirect: 'manual' })
    expect(back.headers.get('location')).toContain('checkout=open')
    expect((await active(app, owner)).subscription).toBeNull()
    app.advance(61_000)
    await planIn(app, owner, 'active')
  })

  it('sells hours that never expire, to whoever has no plan, too', async () => {
    const { json } = await get(app, owner, `${PACK}?dhpack_level=20`)
    const { to } = await press(json.url, { card: 'works' })
    for (const _ of [1, 2]) await fetch(String(to), { redirect: 'manual' })
    expect(await hours()).toMatchObject({ earned: 500 })
    expect(await payments()).toMatchObject([{ what: 'pack', cents: 2200, tax_cents: 200 }])
    expect((await active(app, owner)).subscription).toBeNull()
  })

  it('with a code of a partner takes off what its offer says, once for each code', async () => {
    const [code, other] = await makeCodes(app.ctx, {
      brand: 'base',
      count: 2,
      offer: 'btt_1y',
      hours: null,
      description: 'BTT',
      expiresAt: null,
    })
    const monthly = await get(app, owner, `${PRO}?annual=false&coupon=${code}`)
    expect(monthly).toMatchObject(refused('invalid_coupon', 400))
    const second = await aBuyer(app)
    const url = await pageFor(app, owner, `printers=2&coupon=${code}`)
    expect(await get(app, second, `${PRO}?coupon=${code}`)).toMatchObject(refused('invalid_coupon', 400))
    // Whoever begins anew with the same code does not stand in their own way.
    const again = await pageFor(app, owner, `printers=2&coupon=${code}`)
    expect((await press(url, { card: 'works' })).status).toBe(404)
    await fetch(String((await press(again, { card: 'works' })).to), { redirect: 'manual' })
    // The first year for nothing, later ones with 20 % off: 72 is 57.60.
    expect(await active(app, owner)).toMatchObject({
      subscription: { plan_id: 'pro-btt-1y' },
      cb_subscription: { total_cents: 5760 },
    })
    expect(await payments()).toEqual([])
    expect(await get(app, second, `${PRO}?coupon=${code}`)).toMatchObject(refused('invalid_coupon', 400))
    expect(await pageFor(app, second, `coupon=${other}`)).toContain('/sandbox/')
  })
})

describe('a plan that is paid for', () => {
  it('becomes dearer at once, charged as it was shown', async () => {
    await buy(app, owner, 'printers=1')
    app.advance(73 * DAY_MS)
    app.newWindows()
    owner = { ...owner, ...(await signedInAgain(owner)) }
    const shown = await post(app, owner, `${OWN}preview/`, wish())
    const change = planChange.parse(shown.json)
    // Four fifths of a year are left: of 156 in place of 48.
    expect(change).toMatchObject({ from: 'now', next_total_cents: 15_600 })
    expect(change.due_now_cents - change.tax_cents).toBeGreaterThan(8_600)
    expect(change.due_now_cents - change.tax_cents).toBeLessThan(8_660)
    expect(change.lines.map(({ cents }) => Math.sign(cents))).toEqual([-1, 1])
    const { agreed_at } = change
    const done = await post(app, owner, OWN, wish({ agreed_at }))
    expect(done.json).toMatchObject({
      subscription: { printers: 3, dhpack_level: '5' },
      printer_allowance: 3,
    })
    const [last] = await payments()
    expect(last).toMatchObject({ cents: change.due_now_cents, tax_cents: change.tax_cents })
  })

  it('becomes cheaper with the next bill: what is paid for stays, and can be kept after all', async () => {
    await buy(app, owner, 'annual=false&printers=3&dhpack_level=5')
    const smaller = wish({ billing_cycle: 'monthly', printers: 1, dhpack_level: '0' })
    const shown = await post(app, owner, `${OWN}preview/`, smaller)
    expect(shown.json).toMatchObject({ from: 'renewal', due_now_cents: 0, next_total_cents: 600 })
    const planned = await post(app, owner, OWN, smaller)
    expect(planned.json).toMatchObject({
      subscription: { printers: 3, dhpack_level: '5' },
      cb_subscription: { total_cents: 1950, next: { printers: 1, total_cents: 600 } },
    })
    // A dearer one is reckoned against what is paid for: first what is planned goes.
    const dearer = wish({ billing_cycle: 'monthly', printers: 4 })
    expect(await post(app, owner, OWN, dearer)).toMatchObject(refused('change_planned', 409))
    const same = wish({ billing_cycle: 'monthly' })
    expect((await post(app, owner, OWN, same)).json).toMatchObject({ cb_subscription: { next: null } })
    await post(app, owner, OWN, smaller)
    app.advance(32 * DAY_MS)
    owner = { ...owner, ...(await signedInAgain(owner)) }
    await eventually(async () => ((await active(app, owner)).subscription?.printers === 1 ? true : undefined))
    expect(await active(app, owner)).toMatchObject({
      subscription: { dhpack_level: '0' },
      cb_subscription: { total_cents: 600, next: null },
    })
    expect((await payments()).map(({ cents }) => cents)).toEqual([660, 2145])
  })

  it('is not changed by a bank that declines, nor by what was shown long ago', async () => {
    await buy(app, owner, '', 'works')
    const { json } = await get(app, owner, PORTAL)
    await press(json.url, { card: 'declined' })
    expect(await post(app, owner, OWN, wish())).toMatchObject(refused('payment_declined', 409))
    expect((await active(app, owner)).subscription).toMatchObject({ printers: 1 })
    const agreed_at = new Date(app.ctx.clock.now() - 3_600_000).toISOString()
    expect(await post(app, owner, OWN, wish({ agreed_at }))).toMatchObject({ status: 400 })
    const free = await aBuyer(app)
    expect(await post(app, free, OWN, wish())).toMatchObject({
      status: 409,
      json: { reason: 'no_such_step' },
    })
  })

  it('is cancelled with a reason, and goes on after all', async () => {
    const { subscription: plan } = await buy(app, owner)
    const end = { reason: 'too dear', acknowledged: true }
    const cancel = `${OWN}${plan!.id}/cancel/`
    expect(await post(app, owner, cancel, { reason: ' ', acknowledged: false })).toMatchObject({
      status: 400,
      json: { reason: [expect.any(String)], acknowledged: [expect.any(String)] },
    })
    const stranger = await aBuyer(app)
    expect((await post(app, stranger, cancel, end)).status).toBe(404)
    const gone = await post(app, owner, cancel, end)
    expect(gone.json.subscription).toMatchObject({ state: 'cancelled', status: 'cancelled_running' })
    expect(await post(app, owner, cancel, end)).toMatchObject({
      status: 409,
      json: { reason: 'already_cancelled' },
    })
    const { rows } = await sql`select 1 from audit where action = 'plan_cancel_asked'
      and user_id = ${owner.id} and detail->>'reason' = 'too dear'`.execute(app.ctx.db)
    expect(rows).toHaveLength(1)
    const on = await post(app, owner, `${OWN}${plan!.id}/resume/`)
    expect(on.json.subscription).toMatchObject({ state: 'active' })
    expect((await post(app, owner, `${OWN}${plan!.id}/resume/`)).status).toBe(409)
    await post(app, owner, cancel, end)
    app.advance(366 * DAY_MS)
    owner = { ...owner, ...(await signedInAgain(owner)) }
    await planIn(app, owner, null)
    expect(await payments()).toHaveLength(1)
  })

  it('whose renewal is declined goes on for the grace, and on with a card that works', async () => {
    await buy(app, owner, 'annual=false', 'renewal')
    app.advance(31 * DAY_MS)
    owner = { ...owner, ...(await signedInAgain(owner)) }
    const { subscription: plan } = await planIn(app, owner, 'past_due')
    expect(plan).toMatchObject({ status: 'active' })
    const { json } = await get(app, owner, PORTAL)
    expect(await (await fetch(json.url)).text()).toContain('A payment failed')
    await press(json.url, { card: 'works' })
    await planIn(app, owner, 'active')
    expect(await payments()).toHaveLength(2)
  })

  it('that is not paid in the grace is over, there as well', async () => {
    await buy(app, owner, 'annual=false', 'renewal')
    const { json } = await get(app, owner, PORTAL)
    await press(json.url, { pass: 'bill' })
    await planIn(app, owner, 'past_due')
    await press(json.url, { pass: 'week' })
    await planIn(app, owner, null)
    await eventually(async () =>
      (await (await fetch(json.url)).text()).includes('No subscription runs') ? true : undefined,
    )
    expect(await payments()).toHaveLength(1)
  })
})

describe('money back', () => {
  const back = (admin: TestUser, id: number, body: object = {}) =>
    post(app, admin, `/api/v1/admin/people/${owner.id}/payments/${id}/refund/`, body)

  it('is given by an administrator within 30 days, once, and ends the plan if that is wanted', async () => {
    const admin = await aUser(app, { isAdmin: true })
    await buy(app, owner)
    const [paid] = await payments()
    expect((await back(owner, paid!.id)).status).toBe(403)
    const done = await back(admin, paid!.id, { end_plan: true })
    expect(done.json).toMatchObject([
      { kind: 'refund', cents: -5280, tax_cents: -480 },
      { kind: 'payment', cents: 5280, refunded_cents: 5280, refundable_until: null },
    ])
    expect((await back(admin, paid!.id)).status).toBe(409)
    await planIn(app, owner, null)
    const { rows } = await sql`select 1 from audit where action = 'admin.refunded'
      and (detail->>'person')::int = ${owner.id}`.execute(app.ctx.db)
    expect(rows).toHaveLength(2)
  })

  it('takes hours back that were bought and are still there', async () => {
    const admin = await aUser(app, { isAdmin: true })
    const { json } = await get(app, owner, `${PACK}?dhpack_level=10`)
    await fetch(String((await press(json.url, { card: 'works' })).to), { redirect: 'manual' })
    expect(await hours()).toMatchObject({ earned: 200 })
    const [paid] = await payments()
    await back(admin, paid!.id)
    expect(await hours()).toMatchObject({ earned: 0 })
  })

  it('is not given later', async () => {
    await buy(app, owner)
    app.advance(31 * DAY_MS)
    const admin = await aUser(app, { isAdmin: true })
    const list = await get(app, admin, `/api/v1/admin/people/${owner.id}/payments/`)
    expect(list.json).toMatchObject([{ refundable_until: null }])
    expect((await back(admin, list.json[0].id)).status).toBe(409)
  })
})

it('plan, hours and money of any day can be told from the rows', async () => {
  await buy(app, owner, 'annual=false&printers=2&dhpack_level=2')
  const told: { at: Date; plan: unknown; balance: number; paid: number }[] = []
  const paid = async () => (await payments()).reduce((sum, { cents }) => sum + cents, 0)
  const note = async () => {
    const { subscription: plan } = await active(app, owner)
    const known = plan && [plan.state, plan.printers, plan.dhpack_level]
    const { balance } = await hours()
    told.push({ at: new Date(app.ctx.clock.now()), plan: known, balance, paid: await paid() })
    app.advance(DAY_MS)
    await grantDue(app.ctx)
  }
  const { subscription: plan } = await active(app, owner)
  await note()
  await post(app, owner, OWN, wish({ billing_cycle: 'monthly' }))
  await note()
  await post(app, owner, `${OWN}${plan!.id}/cancel/`, { reason: 'x', acknowledged: true })
  await note()
  await post(app, owner, `${OWN}${plan!.id}/resume/`)
  await note()
  const { json } = await get(app, owner, PORTAL)
  await press(json.url, { card: 'declined' })
  await press(json.url, { pass: 'bill' })
  await planIn(app, owner, 'past_due')
  await note()
  const { rows: steps } = await sql<{ at: Date; plan: [string, number, string] }>`select created_at as at,
    jsonb_build_array(led_to, printers, dhpack_level) as plan from plan_steps
    where user_id = ${owner.id} order by id`.execute(app.ctx.db)
  const sum = async (what: 'seconds' | 'cents', at: Date) => {
    const rows =
      what === 'seconds'
        ? sql<{ sum: number }>`select coalesce(sum(seconds), 0)::float8 as sum from hour_transactions
            where user_id = ${owner.id} and created_at <= ${at}`
        : sql<{ sum: number }>`select coalesce(sum(cents), 0)::float8 as sum from payments
            where user_id = ${owner.id} and created_at <= ${at}`
    return (await rows.execute(app.ctx.db)).rows[0]!.sum
  }
  for (const day of told) {
    expect(steps.findLast(({ at }) => at <= day.at)?.plan).toEqual(day.plan)
    expect((await sum('seconds', day.at)) / 3600).toBe(day.balance)
    expect(await sum('cents', day.at)).toBe(day.paid)
  }
})

it('a server that sells nothing says so', async () => {
  const other = await buildTestApp({ env: { IS_ENT: 'true' } })
  const who = await aBuyer(other)
  for (const path of [PRO, PORTAL, `${PACK}?dhpack_level=20`])
    expect(await get(other, who, path)).toMatchObject(refused('not_set_up', 503))
  expect((await call(other, 'GET', '/ent/api/pricing/')).json).toMatchObject({ checkout: 'none' })
  expect((await call(other, 'POST', '/ent/webhooks/billing/', { body: {} })).status).toBe(404)
  await other.close()
})

/** Sessions end while the clock is turned. */
async function signedInAgain(who: TestUser): Promise<Pick<TestUser, 'cookie'>> {
  app.newWindows()
  const answer = await call(app, 'POST', '/api/v1/auth/login/', {
    body: { email: who.email, password: 'correct horse battery' },
  })
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ')
  return { cookie }
}
