import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'

const PATH = '/api/v1/mobile_devices/'
let app: TestApp
let user: TestUser

beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  user = await aUser(app)
})

const phone = (token: string, more: object = {}) => ({
  platform: 'android',
  app_version: '2.1',
  device_token: `${user.id}-${token}`,
  ...more,
})
const as = (who: TestUser) => ({ cookie: who.cookie })
const register = (body: object, who = user) => call(app, 'POST', PATH, { ...as(who), body })
const list = async (who = user) => (await call(app, 'GET', PATH, as(who))).json as { id: number }[]

describe('phones', () => {
  it('register themselves, are listed and removed', async () => {
    const made = await register(phone('a', { preferred_timezone: 'Europe/Berlin' }))
    expect(made.status).toBe(201)
    expect(made.json).toEqual({
      id: expect.any(Number),
      user: user.id,
      platform: 'android',
      app_version: '2.1',
      device_token: `${user.id}-a`,
      deactivated_at: null,
      preferred_timezone: 'Europe/Berlin',
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    })
    expect(await list()).toEqual([made.json])
    const one = `${PATH}${made.json.id}/`
    expect((await call(app, 'GET', one, { token: user.token })).json).toEqual(made.json)
    expect((await call(app, 'DELETE', one, as(await aUser(app)))).status).toBe(404)
    expect((await call(app, 'DELETE', one, as(user))).status).toBe(204)
    expect((await call(app, 'DELETE', one, as(user))).status).toBe(404)
    expect(await list()).toEqual([])
  })

  it('are the same phone by their token, and come back', async () => {
    const first = await register(phone('b', { preferred_timezone: 'Asia/Shanghai' }))
    await call(app, 'DELETE', `${PATH}${first.json.id}/`, as(user))
    const again = await register(phone('b', { app_version: '2.2', platform: 'iOS' }))
    expect(again.json).toMatchObject({
      id: first.json.id,
      app_version: '2.2',
      platform: 'ios',
      preferred_timezone: 'Asia/Shanghai',
      deactivated_at: null,
    })
    const both = await Promise.all([register(phone('c')), register(phone('c'))])
    expect(both.map(({ status }) => status)).toEqual([201, 201])
    expect(await list()).toHaveLength(2)
  })

  it('belong to who signed in on them last', async () => {
    const body = phone('shared')
    await register(body)
    const other = await aUser(app)
    await register(body, other)
    expect([await list(), await list(other)].map(({ length }) => length)).toEqual([0, 1])
  })

  it('of unknown kinds are refused, those in unknown zones are not', async () => {
    const refused = await register(phone('d', { platform: 'toaster' }))
    expect(refused).toMatchObject({ status: 400, json: { platform: [expect.any(String)] } })
    expect((await register({ platform: 'ios' })).status).toBe(400)
    const lost = await register(phone('e', { preferred_timezone: 'Mars/Olympus' }))
    expect(lost).toMatchObject({ status: 201, json: { preferred_timezone: null } })
  })
})
