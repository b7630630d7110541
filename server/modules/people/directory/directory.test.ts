import type { WholePerson } from '@vigil/contract/people/directory.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  aPrinter,
  aUser,
  buildTestApp,
  call,
  PASSWORD,
  type TestApp,
  type TestUser,
} from '../../../test/app.ts'
import { connectAgent } from '../../../test/wire/agent.ts'

const BASE = '/api/v1/admin/people/'
let app: TestApp
let admin: TestUser
let maria: TestUser

beforeAll(async () => {
  app = await buildTestApp({ env: { IS_ENT: 'true' } })
})
afterAll(() => app.close())
beforeEach(async () => {
  app.newWindows()
  admin = await aUser(app, { isAdmin: true })
  maria = await aUser(app)
})

const by = (who: TestUser, method: string, path: string, body?: unknown) =>
  call(app, method, path, { cookie: who.cookie, body })
const at = (who: TestUser, rest = '') => `${BASE}${who.id}/${rest}`
const found = async (query: string) => (await by(admin, 'GET', `${BASE}?${query}`)).json
const logOf = async (who: TestUser, as = who) =>
  (await by(as, 'GET', `/api/v1/households/${who.id}/audit/?kind=admin`)).json as Record<string, any>[]

describe('the list of people', () => {
  it('is found by part of an address or name, by number and by state, newest first', async () => {
    await by(maria, 'PATCH', '/api/v1/users/me/', { first_name: 'Maria', last_name: '100%_\\' })
    await aPrinter(app, maria)
    const [row] = (await found(`q=${encodeURIComponent(maria.email.toUpperCase())}`)).people
    expect(row).toMatchObject({
      id: maria.id,
      name: 'Maria 100%_\\',
      is_active: true,
      printers: 1,
      plan: 'pro',
    })
    for (const q of ['maria 100', '100%_\\', String(maria.id)])
      expect(
        (await found(`q=${encodeURIComponent(q)}`)).people.map(({ id }: { id: number }) => id),
      ).toContain(maria.id)
    expect((await found(`q=${encodeURIComponent('100%%')}`)).people).toEqual([])
    const staff = await found('state=staff&limit=1')
    expect(staff.people).toMatchObject([{ id: admin.id, is_staff: true }])
    expect(staff.count).toBeGreaterThanOrEqual(1)
    expect((await found('start=1&limit=1')).people).toHaveLength(1)
  })
})

describe('an account', () => {
  it('is shown with its factors, sessions and what it stores', async () => {
    const { json } = await by(admin, 'GET', at(maria))
    const wanted: Partial<WholePerson> = {
      factors: [],
      is_reset_asked: false,
      sessions: 1,
      are_hours_unlimited: false,
    }
    expect(json).toMatchObject(wanted)
    expect(json.stored.map(({ kind }: { kind: string }) => kind)).toEqual(['files', 'models', 'pictures'])
    expect(json.storage_limit).toBe(50 * 1024 ** 3)
    expect((await by(admin, 'GET', `${BASE}2000000000/`)).status).toBe(404)
  })

  it('is disabled at once, in every door, and opened again', async () => {
    const printer = await aPrinter(app, maria)
    const agent = await connectAgent(app, printer.auth_token)
    expect((await by(admin, 'PATCH', at(maria), { is_active: false })).json).toMatchObject({
      is_active: false,
      sessions: 0,
    })
    await agent.end()
    expect((await by(maria, 'GET', '/api/v1/users/me/')).status).toBe(403)
    expect((await call(app, 'GET', '/api/v1/users/me/', { token: maria.token })).status).toBe(403)
    expect((await call(app, 'GET', '/api/v1/octo/printer/', { agent: printer.auth_token })).status).toBe(401)
    const login = () =>
      call(app, 'POST', '/api/v1/auth/login/', { body: { email: maria.email, password: PASSWORD } })
    expect((await login()).status).toBe(400)
    expect((await found('state=disabled')).people.map(({ id }: { id: number }) => id)).toContain(maria.id)
    await by(admin, 'PATCH', at(maria), { is_active: true })
    expect((await login()).status).toBe(200)
    expect((await logOf(admin)).map(({ action }) => action)).toEqual(['admin.enabled', 'admin.disabled'])
  })

  it('is never one’s own, nor one that its owner deletes', async () => {
    expect((await by(admin, 'PATCH', at(admin), { is_active: false })).json).toHaveProperty('is_active')
    await by(admin, 'PATCH', at(maria), { plan: 'free' })
    const gone = await by(maria, 'POST', '/ent/api/users/delete/', { acknowledged: true, reason: 'x' })
    expect(gone.status).toBe(204)
    expect((await by(admin, 'PATCH', at(maria), { is_active: true })).status).toBe(409)
    expect((await by(admin, 'GET', at(maria))).json).toMatchObject({ is_active: false, is_leaving: true })
  })

  it('is given a plan and early features, both written down', async () => {
    const { json } = await by(admin, 'PATCH', at(maria), { plan: 'free', mobile_app_canary: true })
    expect(json).toMatchObject({ plan: 'free', mobile_app_canary: true, storage_limit: 1024 ** 3 })
    expect((await logOf(maria)).map(({ action, who }) => [action, who.id])).toEqual([
      ['admin.early_features', admin.id],
      ['admin.plan_changed', admin.id],
    ])
  })

  it('has its factors reset only where it has some, and its administrator’s own never', async () => {
    expect((await by(admin, 'POST', at(maria, 'reset_factors/'))).status).toBe(409)
    expect((await by(admin, 'POST', at(admin, 'reset_factors/'))).status).toBe(409)
    await app.ctx.db
      .insertInto('totpFactors')
      .values({ userId: maria.id, secret: 'x', lastStep: 0, createdAt: new Date() })
      .execute()
    const { json } = await by(admin, 'POST', at(maria, 'reset_factors/'))
    expect(json).toMatchObject({ factors: ['totp'], is_reset_asked: true })
  })

  it('is changed only by who has shown who they are within fifteen minutes', async () => {
    app.advance(16 * 60_000)
    for (const [method, rest, body] of [
      ['PATCH', '', { plan: 'free' }],
      ['POST', 'reset_factors/', undefined],
      ['POST', 'act_as/', { reason: 'x' }],
    ] as const)
      expect(await by(admin, method, at(maria, rest), body)).toMatchObject({
        status: 403,
        json: { reason: 'proof_wanted' },
      })
  })
})
