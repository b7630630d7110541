/** Codes as administrators make them on a page. */
import { listBatches, makeCodes, redeemHourCoupon } from '@vigil/contract/shop/coupons.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'

let app: TestApp
let admin: TestUser
beforeAll(async () => {
  app = await buildTestApp({ env: { IS_ENT: 'true' } })
  admin = await aUser(app, { isAdmin: true })
})
afterAll(() => app.close())

const make = (body: object) =>
  call(app, 'POST', makeCodes.path, { cookie: admin.cookie, body: { brand: 'base', count: 3, ...body } })
const list = async () =>
  listBatches.response.parse((await call(app, 'GET', listBatches.path, { cookie: admin.cookie })).json)

it('codes are told once, and what became of them is counted', async () => {
  const until = new Date(app.ctx.clock.now() + 86_400_000).toISOString()
  const { status, json } = await make({ hours: 20, description: 'Fair', expires_at: until })
  expect(status).toBe(201)
  const { codes } = makeCodes.response.parse(json)
  expect(new Set(codes).size).toBe(3)
  const reader = await aUser(app)
  const redeemed = await call(app, 'POST', redeemHourCoupon.path, {
    cookie: reader.cookie,
    body: { code: codes[1] },
  })
  expect(redeemed.json.coupon).toMatchObject({ hours: 20, description: 'Fair' })
  const { batches } = await list()
  expect(batches).toMatchObject([
    { brand: 'base', offer: null, hours: 20, description: 'Fair', expires_at: until, count: 3, redeemed: 1 },
  ])
  expect(JSON.stringify(batches)).not.toContain(codes[0])
  const { rows } = await sql<{ detail: object }>`select detail from audit
    where action = 'admin.codes_made' and user_id = ${admin.id}`.execute(app.ctx.db)
  expect(rows).toMatchObject([{ detail: { hours: 20, count: 3 } }])
  expect(JSON.stringify(rows)).not.toContain(codes[0])
})

it('a partner’s codes look as its page knows them; what is named by the operator is not made', async () => {
  const { json } = await make({ offer: 'yumi_1y' })
  for (const code of json.codes) expect(code).toMatch(/^yumi_pro_plan_YUMI[A-Z2-9]{7}$/)
  const { brands } = await list()
  const offers = brands.find(({ name }) => name === 'base')!.offers
  expect(offers).toContainEqual({ offer: 'yumi_1y', partner: 'Yumi' })
  expect(offers.map(({ offer }) => offer)).not.toContain('three_do_25')
})

it.each([
  [{ offer: 'three_do_25' }, { offer: ['There is no such offer.'] }],
  [{ hours: 5, brand: 'nobody' }, { brand: ['There is no such brand.'] }],
  [{ hours: 5, expires_at: '2020-01-01T00:00:00Z' }, { expires_at: ['This is over already.'] }],
  [{}, { hours: ['Say for how many hours, or for which offer.'] }],
  [{ hours: 5, offer: 'yumi_1y' }, { hours: ['Say for how many hours, or for which offer.'] }],
])('refuses what cannot be made: %o', async (wish, said) => {
  expect(await make(wish)).toMatchObject({ status: 400, json: said })
})

it('refuses more than are made at once', async () => {
  expect((await make({ hours: 5, count: 10_001 })).status).toBe(400)
})
