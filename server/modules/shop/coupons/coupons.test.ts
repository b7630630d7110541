/** Codes that are given away: made once, redeemed once. */
import { checkOffer, getPartner, hourCoupon, MOST_CODES, redeemOffer } from '@vigil/contract/shop/coupons.ts'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { setPlan } from '../../people/accounts/index.ts'
import { type CodesWanted, makeCodes } from './index.ts'

const DAY_MS = 86_400_000
const SHIPPED = join(import.meta.dirname, '../../../brands')
let app: TestApp
let folder: string
beforeAll(async () => {
  // A server whose operator has named two codes that many have.
  folder = await mkdtemp(join(tmpdir(), 'vigil-brands-'))
  await cp(SHIPPED, folder, { recursive: true })
  const file = join(folder, 'base/plans.json')
  const plans = JSON.parse(await readFile(file, 'utf8'))
  const [free, cheaper] = plans.partners.find(({ name }: { name: string }) => name === 'three_do').offers
  free.codes = [{ is: 'THREE-FREE' }]
  cheaper.codes = [{ is: 'THREE-25' }]
  await writeFile(file, JSON.stringify(plans))
  app = await buildTestApp({ env: { IS_ENT: 'true', BRANDS_FOLDER: folder } })
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})
beforeEach(() => app.newWindows())

const make = (more: Partial<CodesWanted> = {}) =>
  makeCodes(app.ctx, {
    brand: 'base',
    count: 1,
    offer: null,
    hours: 20,
    description: 'Thank you',
    expiresAt: null,
    ...more,
  })
const freeUser = async () => {
  const user = await aUser(app)
  await setPlan(app.ctx, { email: user.email, plan: 'free' })
  return user
}
let address = 0
const post = (who: TestUser, path: string, body: object) =>
  call(app, 'POST', path, {
    cookie: who.cookie,
    body,
    headers: { 'x-forwarded-for': `198.51.100.${++address % 250}` },
  })
const HOURS = '/ent/api/detective_hour_coupon_codes/'
const redeem = (who: TestUser, code: string) => post(who, `${HOURS}redeem/`, { code })
const partner = (who: TestUser, offer: string, code: string) =>
  post(who, redeemOffer.path.replace(':offer', offer), { coupon_code: code })
const reason = (status: number, word: string) => ({
  status,
  json: { reason: word, error: expect.any(String) },
})

it('a code for hours is redeemed once, and shown to who has redeemed it alone', async () => {
  const [owner, other] = [await freeUser(), await freeUser()]
  const [code = ''] = await make()
  const answer = await redeem(owner, ` ${code} `)
  expect(answer).toMatchObject({ status: 200, json: { dh_balance: 20, coupon: { code, hours: 20 } } })
  expect(await redeem(owner, code)).toMatchObject(reason(412, 'already_redeemed'))
  expect(await redeem(other, code)).toMatchObject(reason(412, 'already_redeemed'))
  const list = async (who: TestUser) => (await call(app, 'GET', HOURS, { cookie: who.cookie })).json
  expect(
    hourCoupon
      .strict()
      .array()
      .parse(await list(owner)),
  ).toMatchObject([{ code, description: 'Thank you' }])
  expect(await list(other)).toEqual([])
  const rows = (await call(app, 'GET', '/ent/api/detection_hours/transactions/', { cookie: owner.cookie }))
    .json
  expect(rows[0]).toMatchObject({ hours: 20, kind: 'earned', bucket: 'earned', description: 'Coupon' })
})

it('one of fifty who try at once wins', async () => {
  const [one, two] = [await freeUser(), await freeUser()]
  const [code = ''] = await make()
  const tries = await Promise.all(Array.from({ length: 50 }, (_, i) => redeem(i % 2 === 0 ? one : two, code)))
  expect(tries.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(
    tries.filter(({ status, json }) => status === 412 && json.reason === 'already_redeemed'),
  ).toHaveLength(49)
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from hour_transactions
    where user_id in (${one.id}, ${two.id}) and reason = 'coupon'`.execute(app.ctx.db)
  expect(rows[0]!.count).toBe(1)
})

it('one of fifty who try for a partner’s plan at once wins', async () => {
  const people = [await freeUser(), await freeUser()]
  const [code = ''] = await make({ offer: 'btt_3m_unlimited', hours: null })
  const tries = await Promise.all(
    Array.from({ length: 50 }, (_, i) => partner(people[i % 2]!, 'btt_3m_unlimited', code)),
  )
  expect(tries.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(tries.filter(({ status }) => status === 412)).toHaveLength(49)
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from subscriptions
    where state = 'partner' and user_id in (${people[0]!.id}, ${people[1]!.id})`.execute(app.ctx.db)
  expect(rows[0]!.count).toBe(1)
})

it('a code that many have is redeemed once by each', async () => {
  const [one, two] = [await freeUser(), await freeUser()]
  const redeemIt = (who: TestUser) => partner(who, 'three_do_3m_unlimited', 'THREE-FREE')
  expect((await redeemIt(one)).status).toBe(200)
  expect((await redeemIt(two)).json.subscription).toMatchObject({ plan_id: 'pro-three-do-3m' })
  expect(await redeemIt(one)).toMatchObject(reason(412, 'not_in_pro_trial.'))
  // The plan is over by now.
  await setPlan(app.ctx, { email: one.email, plan: 'free' })
  expect(await redeemIt(one)).toMatchObject(reason(412, 'already_redeemed'))
  expect(await partner(one, 'three_do_3m_unlimited', 'THREE-FREE ')).toMatchObject(
    reason(412, 'already_redeemed'),
  )
  expect(await partner(one, 'three_do_3m_unlimited', 'THREE-25')).toMatchObject(reason(404, 'invalid_coupon'))
})

it('of a code that waits only what it hashes to is kept', async () => {
  const codes = await make({ count: 200 })
  expect(new Set(codes).size).toBe(200)
  const { rows } = await sql<{ all: string }>`select string_agg(coupons::text, ' ') as all from coupons
    where user_id is null`.execute(app.ctx.db)
  expect(codes.filter((code) => rows[0]!.all.includes(code))).toEqual([])
})

it('as many as may be are made at once', async () => {
  const codes = await make({ count: MOST_CODES, description: 'All at once' })
  expect(new Set(codes).size).toBe(MOST_CODES)
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from coupons
    where description = 'All at once'`.execute(app.ctx.db)
  expect(rows[0]!.count).toBe(MOST_CODES)
})

it('refuses what was never issued, what is over, and whoever guesses', async () => {
  const owner = await freeUser()
  expect(await redeem(owner, 'NEVERISSUED1')).toMatchObject(reason(404, 'invalid_code'))
  const [late = ''] = await make({ expiresAt: new Date(app.ctx.clock.now() - 1) })
  expect(await redeem(owner, late)).toMatchObject(reason(410, 'expired'))
  const [elsewhere = ''] = await make({ brand: 'yumi' })
  expect(await redeem(owner, elsewhere)).toMatchObject(reason(404, 'invalid_code'))
  const guess = () => call(app, 'POST', `${HOURS}redeem/`, { cookie: owner.cookie, body: { code: 'x' } })
  const answers = []
  for (let i = 0; i < 11; i++) answers.push((await guess()).status)
  expect(answers.at(-1)).toBe(429)
  expect(answers.slice(0, 10)).toEqual(Array(10).fill(404))
})

it('a partner’s code gives its plan for three months to who has none or tries one', async () => {
  const owner = await freeUser()
  const [code = '', second = ''] = await make({ offer: 'btt_3m_unlimited', hours: null, count: 2 })
  expect(code).toMatch(/^M58293[A-Z2-9]{12}$/)
  // What only looks right was not issued.
  expect(await partner(owner, 'btt_3m_unlimited', 'M58293AAAA')).toMatchObject(reason(404, 'invalid_coupon'))
  expect(await partner(owner, 'mintion_3m_unlimited', code)).toMatchObject(reason(404, 'invalid_coupon'))
  expect((await partner(owner, 'nobody', code)).status).toBe(404)
  const { status, json } = await partner(owner, 'btt_3m_unlimited', code)
  expect(status).toBe(200)
  expect(json.subscription).toMatchObject({ plan_id: 'pro-btt-3m', status: 'active', state: 'partner' })
  const lasts = Date.parse(json.subscription.expired_at) - app.ctx.clock.now()
  expect(Math.round(lasts / DAY_MS)).toBeGreaterThanOrEqual(89)
  expect(Math.round(lasts / DAY_MS)).toBeLessThanOrEqual(92)
  expect(await partner(owner, 'btt_3m_unlimited', second)).toMatchObject(reason(412, 'not_in_pro_trial.'))
  expect(await partner(await freeUser(), 'btt_3m_unlimited', code)).toMatchObject(
    reason(412, 'already_redeemed'),
  )
})

it('two codes of one who redeems both at once: one is taken, the other stays for somebody else', async () => {
  const owner = await freeUser()
  const codes = await make({ offer: 'btt_3m_unlimited', hours: null, count: 2 })
  const answers = await Promise.all(codes.map((code) => partner(owner, 'btt_3m_unlimited', code)))
  const lost = answers.findIndex(({ status }) => status !== 200)
  expect(answers[1 - lost]!.status).toBe(200)
  expect(answers[lost]).toMatchObject(reason(412, 'not_in_pro_trial.'))
  expect((await partner(await freeUser(), 'btt_3m_unlimited', codes[lost]!)).status).toBe(200)
})

it('a page is told by the look of a code what it is for, and no more', async () => {
  const check = async (offer: string, code: string) =>
    (await call(app, 'GET', `${checkOffer.path.replace(':offer', offer)}?coupon_code=${code}`)).json
  const months = { plan: 'pro-btt-3m', duration_months: 3 }
  expect(await check('btt_3m_unlimited', 'M58293ANY')).toEqual({ valid: true, ...months })
  expect(await check('btt_3m_unlimited', 'BTT1')).toEqual({ valid: false, ...months })
  expect((await check('btt_1y', 'BTT1')).valid).toBe(true)
  expect((await check('yumi_1y', 'yumi_pro_plan_YUMI1234567')).valid).toBe(true)
  expect((await check('yumi_1y', 'yumi_pro_plan_YUMI123')).valid).toBe(false)
  expect((await check('yumi_1y', 'yumi_pro_plan_OTHER123456')).valid).toBe(false)
  expect((await check('mintion_3m_unlimited', 'x')).valid).toBe(true)
  expect((await check('mintion_3m_unlimited', '')).valid).toBe(false)
  expect((await check('three_do_3m_unlimited', 'anything')).valid).toBe(false)
})

it('a partner’s page is told whose it is, and which of its offers a code is for', async () => {
  const page = async (name: string, code: string, headers = {}) =>
    await call(app, 'GET', `${getPartner.path.replace(':partner', name)}?coupon_code=${code}`, { headers })
  const offer = async (name: string, code: string) => (await page(name, code)).json.offer
  expect((await page('btt', 'M58293ANY')).json).toEqual({
    partner: 'btt',
    display_name: 'BTT',
    apps: { ios: null, android: null },
    offer: {
      offer: 'btt_3m_unlimited',
      plan_id: 'pro-btt-3m',
      months: 3,
      by: 'code',
      first_percent_off: 0,
      renewal_percent_off: 0,
    },
  })
  expect(await offer('btt', 'BTT1')).toMatchObject({
    offer: 'btt_1y',
    by: 'checkout',
    renewal_percent_off: 20,
  })
  expect(await offer('three_do', 'THREE-FREE')).toMatchObject({ offer: 'three_do_3m_unlimited', by: 'code' })
  expect(await offer('three_do', 'THREE-25')).toMatchObject({ offer: 'three_do_25', first_percent_off: 25 })
  expect(await offer('three_do', 'THREE')).toBeNull()
  expect(await offer('yumi', 'yumi_pro_plan_YUMI1234567')).toMatchObject({ offer: 'yumi_1y', months: 12 })
  expect(await offer('yumi', 'yumi_pro_plan_YUMI123')).toBeNull()
  expect(await offer('mintion', 'x')).toMatchObject({ offer: 'mintion_3m_unlimited' })
  expect(await offer('mintion', '')).toBeNull()
  expect((await page('nobody', 'x')).status).toBe(404)
})
