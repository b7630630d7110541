/** The life of a plan, through HTTP where there is a way, the clock turned: docs/rules/plans.md 1. */
import { activeSubscription, pricing, subscription } from '@vigil/contract/shop/subscriptions.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dealFixture } from '../../../engines/billing/deal.fixture.ts'
import {
  aPrinter,
  aUser,
  buildTestApp,
  call,
  PASSWORD,
  type TestApp,
  type TestUser,
} from '../../../test/app.ts'
import { asId } from '../../../test/ids.ts'
import { openTestSmtp, type TestSmtp } from '../../../test/smtp.ts'
import { connectAgent, eventually } from '../../../test/wire/agent.ts'
import { setPlan } from '../../people/accounts/index.ts'
import { grantDue } from '../hours/index.ts'
import { adoptOld, archiveAllSurplus, endOver } from './clock.service.ts'
import { EDGES, type EdgeName, follow, type PlanState, STATES } from './life.rules.ts'
import { takeStep } from './steps.service.ts'

const DAY_MS = 86_400_000
const ALL = Object.keys(EDGES) as EdgeName[]
let app: TestApp
let mailbox: TestSmtp
beforeAll(async () => {
  mailbox = await openTestSmtp()
  const env = {
    ...mailbox.env,
    IS_ENT: 'true',
    PUBLIC_URL: 'https://vigil.example',
    ACCOUNT_ALLOW_SIGN_UP: 'true',
  }
  app = await buildTestApp({ env })
})
afterAll(async () => {
  await app.close()
  await mailbox.close()
})

const get = async (who: TestUser, path: string) => (await call(app, 'GET', path, { cookie: who.cookie })).json
const active = async (who: TestUser) =>
  activeSubscription.strict().parse(await get(who, '/ent/api/subscriptions/active/'))
const hours = (who: TestUser) => get(who, '/ent/api/detection_hours/')
const me = (who: TestUser) => get(who, '/api/v1/users/me/')

let signedUp = 0
async function signUp(): Promise<TestUser> {
  app.newWindows()
  const email = `new-${++signedUp}@example.org`
  const answer = await call(app, 'POST', '/api/v1/auth/signup/', { body: { email, password: PASSWORD } })
  expect(answer.status).toBe(201)
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ')
  return { id: answer.json.id, email, cookie, token: '' }
}

describe('a trial', () => {
  it('begins with the sign-up, with 250 hours, and is told by mail', async () => {
    const owner = await signUp()
    expect(await me(owner)).toMatchObject({
      is_pro: true,
      dh_balance: 250,
      subscription: { plan_id: 'pro-trial', expired_at: expect.stringMatching(/Z$/) },
    })
    const { subscription: plan, ...more } = await active(owner)
    expect(plan).toMatchObject({
      plan_id: 'pro-trial',
      status: 'active',
      state: 'trial',
      billing_cycle: null,
    })
    expect(Date.parse(plan!.expired_at!) - Date.parse(plan!.started_at)).toBe(30 * DAY_MS)
    expect(more).toMatchObject({ cb_subscription: null, over_subscribed: true, active_printers: 0 })
    expect(await hours(owner)).toMatchObject({
      included: 250,
      included_expires_at: plan!.expired_at,
      next_grant: null,
    })
    const letter = await mailbox.letterTo(owner.email, /trial has started/)
    expect(letter.text).toContain('nothing is charged')
  })

  it('ends after 30 days in the Free plan: what was included is gone, what was earned stays, one printer is left', async () => {
    const owner = await signUp()
    const printers = [await aPrinter(app, owner), await aPrinter(app, owner), await aPrinter(app, owner)]
    const [oldest, newest, never] = printers
    const now = new Date(app.ctx.clock.now())
    for (const [printer, ago] of [
      [oldest, 5],
      [newest, 1],
    ] as const)
      await app.ctx.db
        .insertInto('prints')
        .values(
          asId({
            userId: owner.id,
            printerId: printer!.id,
            filename: 'a.gcode',
            startedAt: new Date(now.getTime() - ago * DAY_MS),
            finishedAt: now,
          }),
        )
        .execute()
    app.advance(29 * DAY_MS)
    await endOver(app.ctx)
    expect((await active(owner)).subscription?.state).toBe('trial')
    app.advance(1 * DAY_MS + 1000)
    await endOver(app.ctx)
    expect(await me(owner)).toMatchObject({ is_pro: false, dh_balance: 0, subscription: null })
    const list = async () => ((await get(owner, '/api/v1/printers/')) as { id: number }[]).map(({ id }) => id)
    // The least recently used went first: one that never printed, then the one that printed five days ago.
    await eventually(async () => ((await list()).length === 1 ? true : undefined))
    expect(await list()).toEqual([newest!.id])
    expect(never!.id).not.toBe(newest!.id)
    expect(await active(owner)).toMatchObject({
      subscription: null,
      over_subscribed: false,
      printer_allowance: 1,
      active_printers: 1,
    })
    const refused = await call(app, 'POST', `/ent/printers/${oldest!.id}/unarchive/`, {
      cookie: owner.cookie,
    })
    expect(refused).toMatchObject({ status: 403, json: { reason: 'plan_limit' } })
    const history = subscription
      .strict()
      .array()
      .parse(await get(owner, '/ent/api/subscriptions/'))
    expect(history).toMatchObject([{ plan_id: 'pro-trial', status: 'expired' }])
    await mailbox.letterTo(owner.email, /your plan is over/)
    expect(await hours(owner)).toMatchObject({ next_grant: { hours: 10 } })
  })

  it('that ends while a surplus printer prints leaves it be until its print is over', async () => {
    const owner = await signUp()
    const now = () => new Date(app.ctx.clock.now())
    const idle = await aPrinter(app, owner)
    const busy = await aPrinter(app, owner)
    const agent = await connectAgent(app, busy.auth_token)
    const report = (printTs: number, printing: boolean) =>
      agent.send({
        current_print_ts: printTs,
        status: {
          _ts: app.ctx.clock.now() / 1000,
          state: { text: 'x', flags: { printing, operational: true } },
          job: { file: { name: 'a.gcode' } },
          progress: { completion: 50, printTime: 100 },
        },
      })
    report(1_700_000_000, true)
    const inUse = async () =>
      (await get(owner, '/api/v1/printers/')) as { id: number; current_print: unknown }[]
    await eventually(async () => ((await inUse()).some((one) => one.current_print) ? true : undefined))
    // As a command does, which has no jobs: the clock looks for what is too much.
    const jobs = { enqueue: () => Promise.reject(new Error('a command has no jobs')) } as never
    await setPlan({ ...app.ctx, jobs }, { email: owner.email, plan: 'free' })
    await setPlan({ ...app.ctx, jobs }, { email: owner.email, plan: 'pro' })
    await setPlan({ ...app.ctx, jobs }, { email: owner.email, plan: 'free' })
    await archiveAllSurplus(app.ctx)
    expect((await inUse())[0]!.id).toBe(busy.id)
    // Somebody makes room in the meantime, and takes it with another printer: the one that prints is then too many.
    await sql`update printers set archived_at = null where id = ${idle.id}`.execute(app.ctx.db)
    await sql`update prints set started_at = started_at - interval '1 day' where printer_id = ${busy.id}`.execute(
      app.ctx.db,
    )
    await app.ctx.db
      .insertInto('prints')
      .values(
        asId({ userId: owner.id, printerId: idle.id, filename: 'b', startedAt: now(), finishedAt: now() }),
      )
      .execute()
    report(-1, false)
    await eventually(async () => ((await inUse()).length === 1 ? true : undefined))
    expect((await inUse())[0]!.id).toBe(idle.id)
    agent.close()
  })
})

describe('every state and every step', () => {
  /** How to come to each state from none, by steps alone. */
  const WAYS: Record<PlanState, EdgeName[]> = {
    none: [],
    trial: ['sign_up'],
    complimentary: ['give'],
    partner: ['redeem'],
    legacy: ['give_legacy'],
    active: ['buy'],
    cancelled: ['buy', 'cancel'],
    past_due: ['buy', 'fail'],
  }
  const endsAt = () => new Date(app.ctx.clock.now() + 20 * DAY_MS)
  const step = (who: TestUser, edge: EdgeName) =>
    takeStep(app.ctx, who.id, {
      edge,
      actor: 'test',
      terms: { endsAt: endsAt(), printers: 3, packLevel: '5' },
    })

  async function ownerIn(state: PlanState): Promise<TestUser> {
    const owner = await aUser(app)
    await setPlan(app.ctx, { email: owner.email, plan: 'free' })
    for (const edge of WAYS[state]) await step(owner, edge)
    return owner
  }

  it.each(STATES)('from %s lead the steps of the picture and no others', async (state) => {
    for (const edge of ALL) {
      const owner = await ownerIn(state)
      const before = await active(owner)
      const to = follow(state, edge)
      if (to === null) {
        await expect(step(owner, edge)).rejects.toMatchObject({ status: 409 })
        expect(await active(owner)).toEqual(before)
        continue
      }
      await step(owner, edge)
      const { subscription: plan } = await active(owner)
      expect([edge, plan?.state ?? 'none']).toEqual([edge, to])
      expect(await me(owner)).toMatchObject({
        is_pro: to !== 'none',
        subscription: to === 'none' ? null : { plan_id: plan!.plan_id },
      })
    }
  })

  it('of one account is taken once by those who come at the same moment', async () => {
    const owner = await ownerIn('active')
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => step(owner, 'cancel')))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('books hours: a purchase at once with its pack, a larger pack its difference for what is left of the month, the end what is left', async () => {
    const owner = await ownerIn('none')
    await step(owner, 'buy')
    expect(await hours(owner)).toMatchObject({ included: 350, next_grant: { hours: 350 } })
    const terms = { packLevel: '10' }
    await takeStep(app.ctx, owner.id, { edge: 'change', actor: 'test', terms })
    const larger = await hours(owner)
    expect(larger.included).toBeCloseTo(850, 1)
    expect(larger.next_grant.hours).toBe(850)
    await takeStep(app.ctx, owner.id, { edge: 'change', actor: 'test', terms: { packLevel: '0' } })
    expect(await hours(owner)).toMatchObject({ included: larger.included, next_grant: { hours: 50 } })
    const { endsAt: ends } = await takeStep(app.ctx, owner.id, {
      edge: 'cancel',
      actor: 'test',
      terms: { endsAt: endsAt() },
    })
    expect(await hours(owner)).toMatchObject({ included_expires_at: ends!.toISOString() })
    await step(owner, 'expire')
    expect(await hours(owner)).toMatchObject({ included: 0, next_grant: { hours: 10 } })
  })

  // Below the clock is turned further than a session lives.
  const kept = async (who: TestUser) => {
    const { rows } = await sql<{ hours: number; state: string }>`select dh_balance as hours, state
      from users join subscriptions on user_id = users.id and state <> 'expired'
      where users.id = ${who.id}`.execute(app.ctx.db)
    return rows[0]
  }

  const nextMonth = async (who: TestUser) => {
    const { rows } = await sql<{ at: Date }>`select next_at as at from hour_accounts
      where user_id = ${who.id}`.execute(app.ctx.db)
    return rows[0]!.at.getTime()
  }

  it('keeps the hours of a month that began before it, and that nobody has booked yet', async () => {
    const owner = await ownerIn('none')
    await setPlan(app.ctx, { email: owner.email, plan: 'pro' })
    app.advance(32 * DAY_MS)
    await step(owner, 'buy')
    // Two months of 50, and what the new plan begins with.
    expect(await kept(owner)).toMatchObject({ hours: 100 + 350 })
    const begins = await nextMonth(owner)
    app.advance(45 * DAY_MS)
    await takeStep(app.ctx, owner.id, { edge: 'change', actor: 'test', terms: { packLevel: '10' } })
    // The second month of 350, and of the difference of 500 what is left of that month.
    const ends = await nextMonth(owner)
    const rest = (500 * (ends - app.ctx.clock.now())) / (ends - begins)
    const had = (await kept(owner))?.hours ?? 0
    expect(had).toBeCloseTo(450 + 350 + rest, 1)
    await grantDue(app.ctx)
    expect(await kept(owner)).toMatchObject({ hours: had })
  })

  it('books a month that began with the bill for which a smaller pack was planned with that, whoever booked it first', async () => {
    const owner = await ownerIn('none')
    await step(owner, 'buy')
    const from = new Date(await nextMonth(owner))
    const terms = { next: { deal: { ...dealFixture, packLevel: '0' }, from } }
    await takeStep(app.ctx, owner.id, { edge: 'change', actor: 'test', terms })
    app.advance(from.getTime() - app.ctx.clock.now() + 600_000)
    await grantDue(app.ctx)
    await takeStep(app.ctx, owner.id, { edge: 'renew', actor: 'test', terms: { endsAt: endsAt() } })
    const smaller = { packLevel: '0', next: null }
    await takeStep(app.ctx, owner.id, { edge: 'change', actor: 'test', terms: smaller })
    expect(await kept(owner)).toMatchObject({ hours: 350 + 50 })
    app.advance(31 * DAY_MS)
    await grantDue(app.ctx)
    expect(await kept(owner)).toMatchObject({ hours: 350 + 50 + 50 })
  })

  it('by the clock ends no plan that has followed the one that was over', async () => {
    const owner = await ownerIn('trial')
    app.advance(21 * DAY_MS)
    // Found as over, and before it is ended its owner redeems a code.
    await step(owner, 'redeem')
    const expire = takeStep(app.ctx, owner.id, { edge: 'expire', actor: 'clock' })
    await expect(expire).rejects.toMatchObject({ status: 409 })
    expect(await kept(owner)).toMatchObject({ state: 'partner' })
  })

  it('is written down, so that the plan of any day can be told', async () => {
    const owner = await ownerIn('none')
    const told: (readonly [number, string | null])[] = []
    for (const edge of [
      'sign_up',
      'buy',
      'change',
      'fail',
      'renew',
      'cancel',
      'resume',
      'take',
      'redeem',
      'expire',
    ] as const) {
      await step(owner, edge)
      told.push([app.ctx.clock.now(), (await active(owner)).subscription?.state ?? 'none'])
      app.advance(3_600_000)
    }
    for (const [at, state] of told) {
      const { rows } = await sql<{ ledTo: string }>`select led_to from plan_steps
        where user_id = ${owner.id} and created_at <= ${new Date(at)} order by id desc limit 1`.execute(
        app.ctx.db,
      )
      expect(rows[0]?.ledTo).toBe(state)
    }
  })

  it('keeps the hours of any day in the statement', async () => {
    const owner = await ownerIn('none')
    const told: (readonly [number, number])[] = []
    for (const edge of ['buy', 'cancel', 'expire'] as const) {
      await step(owner, edge)
      told.push([app.ctx.clock.now(), (await hours(owner)).balance])
      app.advance(3_600_000)
    }
    for (const [at, balance] of told) {
      const { rows } = await sql<{
        seconds: number
      }>`select coalesce(sum(seconds), 0)::float8 as seconds from hour_transactions
        where user_id = ${owner.id} and created_at <= ${new Date(at)}`.execute(app.ctx.db)
      expect(rows[0]!.seconds / 3600).toBe(balance)
    }
  })
})

it('who had Pro before there were plans has it as a gift, with its hours, once', async () => {
  const { id } = await app.ctx.db
    .insertInto('users')
    .values({ email: 'old@example.org', brand: 'base', isPro: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  await adoptOld(app.ctx)
  await adoptOld(app.ctx)
  await grantDue(app.ctx)
  const { rows } = await sql<{ planId: string; dhBalance: number; steps: number }>`select plan_id, dh_balance,
    (select count(*)::int from plan_steps where user_id = users.id) as steps from users where id = ${id}`.execute(
    app.ctx.db,
  )
  expect(rows).toEqual([{ planId: 'pro-complimentary', dhBalance: 50, steps: 1 }])
})

it('prices are those of the file of the brand, for whoever asks', async () => {
  const { status, json } = await call(app, 'GET', '/ent/api/pricing/')
  expect(status).toBe(200)
  const told = pricing.strict().parse(json)
  expect(told.plans).toMatchObject([
    { billing_cycle: 'annual', months: 12, base_cents: 4800, included_hours: 50 },
    { billing_cycle: 'monthly', months: 1, base_cents: 600 },
  ])
  expect(told.recommended_by_printers[9]).toBe('20')
  const partner = await call(app, 'GET', '/ent/api/pricing/', { headers: { 'x-obico-syndicate': 'yumi' } })
  expect(partner.json.plans[0].base_cents).toBe(3800)
})
