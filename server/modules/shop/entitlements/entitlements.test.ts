import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { setPlan } from '../../people/accounts/index.ts'
import { readBrands } from '../../../brands/brands.ts'
import { entitlementsOf } from './index.ts'

describe('plans', () => {
  it('count in the enterprise edition alone', () => {
    const brands = readBrands()
    const ctx = (IS_ENT: boolean) => ({ config: { IS_ENT, brands } }) as Parameters<typeof entitlementsOf>[0]
    expect(entitlementsOf(ctx(true), { isPro: false, brand: 'base' })).toEqual({
      printers: 1,
      detectionIntervalMs: 30_000,
      detectionHoursPerMonth: 10,
      hoursRollOver: false,
      streamFps: 5,
      streamCycleMs: 30_000,
      autoplay: false,
      tunnelBytesPerMonth: 300 * 1_048_576,
      gCodeFileBytes: 50 * 1_048_576,
      gCodeStorageBytes: 1024 * 1_048_576,
      timelapseMonths: 6,
      timelapseUploadsPerDay: 3,
      sms: false,
      sharing: false,
      aiCreditsPerMonth: 50,
    })
    expect(entitlementsOf(ctx(true), { isPro: true, brand: 'base' })).toMatchObject({
      printers: Infinity,
      detectionIntervalMs: 10_000,
      detectionHoursPerMonth: 50,
      streamCycleMs: null,
      gCodeFileBytes: 500 * 1_048_576,
      gCodeStorageBytes: 50 * 1024 * 1_048_576,
      sms: true,
      sharing: true,
      aiCreditsPerMonth: Infinity,
    })
    // A partner's brand has figures of its own; a brand without a file those of the first.
    expect(entitlementsOf(ctx(true), { isPro: false, brand: 'yumi' })).toMatchObject({
      detectionHoursPerMonth: 100,
      gCodeStorageBytes: 200 * 1_048_576,
    })
    expect(entitlementsOf(ctx(true), { isPro: true, brand: 'jusprin' }).detectionHoursPerMonth).toBe(50)
    for (const isPro of [true, false])
      expect(entitlementsOf(ctx(false), { isPro, brand: 'base' })).toMatchObject({
        printers: Infinity,
        detectionIntervalMs: 10_000,
        gCodeStorageBytes: Infinity,
        sharing: true,
      })
  })
})

describe('an account of the enterprise edition', () => {
  let app: TestApp
  let owner: TestUser
  let first: number
  const post = (path: string, body?: object) => call(app, 'POST', path, { cookie: owner.cookie, body })
  const list = async () =>
    (await call(app, 'GET', '/api/v1/printers/', { cookie: owner.cookie })).json as { id: number }[]
  const full = { status: 403, json: { reason: 'plan_limit' } }

  beforeAll(async () => {
    app = await buildTestApp({ env: { IS_ENT: 'true' } })
    owner = await aUser(app)
    first = (await aPrinter(app, owner)).id
    await setPlan(app.ctx, { email: owner.email, plan: 'free' })
  })
  afterAll(() => app.close())

  it('has one printer on the free plan, and archived ones do not count', async () => {
    expect(await post('/api/v1/printers/', { name: 'Second' })).toMatchObject(full)
    expect((await post(`/api/v1/printers/${first}/archive/`)).status).toBe(204)
    const second = await post('/api/v1/printers/', { name: 'Second' })
    expect(second.status).toBe(201)
    for (const path of [`/api/v1/printers/${first}/unarchive/`, `/ent/printers/${first}/unarchive/`])
      expect(await post(path)).toMatchObject(full)
    expect((await list()).map(({ id }) => id)).toEqual([second.json.id])
  })

  it('gets it back with Pro, with the same token; what is not archived stays as it is', async () => {
    await setPlan(app.ctx, { email: owner.email, plan: 'pro' })
    expect((await post(`/api/v1/printers/${first}/unarchive/`)).status).toBe(204)
    expect((await post(`/ent/printers/${first}/unarchive/`)).status).toBe(204)
    expect((await list()).map(({ id }) => id)).toContain(first)
    expect((await call(app, 'GET', '/api/v1/users/me/', { cookie: owner.cookie })).json).toMatchObject({
      is_pro: true,
      is_dh_unlimited: false,
    })
  })

  it('finds room for one printer once, however many ask in the same moment', async () => {
    const other = await aUser(app)
    await setPlan(app.ctx, { email: other.email, plan: 'free' })
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        call(app, 'POST', '/api/v1/printers/', { cookie: other.cookie, body: { name: 'One' } }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(7).fill(403)])
  })
})
