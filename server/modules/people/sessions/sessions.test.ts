import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { aUser, buildTestApp, call, PASSWORD, type TestApp, type TestUser } from '../../../test/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

const SESSIONS = '/api/v1/auth/sessions/'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0'

interface Row {
  id: number
  current: boolean
  browser: string
  address: string
  last_used_at: string
}

/** The same person on another device. */
async function elsewhere({ email }: TestUser, address = '198.51.100.7'): Promise<string> {
  const headers = { 'user-agent': FIREFOX, 'x-forwarded-for': address }
  const answer = await call(app, 'POST', '/api/v1/auth/login/', {
    body: { email, password: PASSWORD },
    headers,
  })
  expect(answer.status).toBe(200)
  return answer.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ')
}
const rows = async (cookie: string) => (await call(app, 'GET', SESSIONS, { cookie })).json as Row[]
const me = async (cookie: string) => (await call(app, 'GET', '/api/v1/users/me/', { cookie })).status

/** An open page of that device. */
async function aSocket(cookie: string): Promise<{ closed: Promise<number> }> {
  const ws = new WebSocket(`${app.wsUrl}/ws/web/all/`, { headers: { cookie } })
  const closed = once(ws, 'close').then(([code]) => Number(code))
  await once(ws, 'open')
  return { closed }
}

describe('the list of devices', () => {
  it('names each by browser and address, this one first, and notes use every ten minutes', async () => {
    const owner = await aUser(app)
    const there = await elsewhere(owner)
    const [mine, theirs] = await rows(owner.cookie)
    expect(mine).toMatchObject({ current: true })
    expect(theirs).toMatchObject({ current: false, browser: 'Firefox, Linux', address: '198.51.100.7' })

    app.advance(11 * 60_000)
    await call(app, 'GET', '/api/v1/users/me/', {
      cookie: there,
      headers: { 'user-agent': FIREFOX, 'x-forwarded-for': '198.51.100.99' },
    })
    const used = async () => (await rows(owner.cookie)).find(({ id }) => id === theirs?.id)
    await expect.poll(used).toMatchObject({ address: '198.51.100.99' })
    expect(Date.parse((await used())!.last_used_at)).toBeGreaterThan(Date.parse(theirs!.last_used_at))
  })

  it('signs one out: its cookie opens nothing, its open page is closed, the others stay', async () => {
    const owner = await aUser(app)
    const there = await elsewhere(owner)
    const [here, gone] = [await aSocket(owner.cookie), await aSocket(there)]
    const theirs = (await rows(owner.cookie)).find(({ current }) => !current)!
    expect((await call(app, 'DELETE', `${SESSIONS}${theirs.id}/`, { cookie: owner.cookie })).status).toBe(204)
    expect(await gone.closed).toBe(4401)
    expect([await me(there), await me(owner.cookie)]).toEqual([403, 200])
    expect(await Promise.race([here.closed, Promise.resolve('open')])).toBe('open')
    expect((await call(app, 'DELETE', `${SESSIONS}${theirs.id}/`, { cookie: owner.cookie })).status).toBe(404)
  })

  it('signs all others out, and never somebody else', async () => {
    const [owner, stranger] = [await aUser(app), await aUser(app)]
    const there = [await elsewhere(owner), await elsewhere(owner)]
    const pages = await Promise.all(there.map(aSocket))
    const [foreign] = await rows(stranger.cookie)
    expect((await call(app, 'DELETE', `${SESSIONS}${foreign!.id}/`, { cookie: owner.cookie })).status).toBe(
      404,
    )
    expect((await call(app, 'DELETE', SESSIONS, { cookie: owner.cookie })).status).toBe(204)
    expect(await Promise.all(pages.map(({ closed }) => closed))).toEqual([4401, 4401])
    expect((await rows(owner.cookie)).map(({ current }) => current)).toEqual([true])
    expect(await me(stranger.cookie)).toBe(200)
    const said = await app.ctx.db
      .selectFrom('audit')
      .select(['action', 'detail'])
      .where('userId', '=', owner.id)
      .where('action', '=', 'sessions_ended')
      .execute()
    expect(said).toEqual([{ action: 'sessions_ended', detail: { sessions: 2 } }])
  })

  it('gives a new session to whoever signs in: what a browser brought along opens nothing any more', async () => {
    const owner = await aUser(app)
    const again = await call(app, 'POST', '/api/v1/auth/login/', {
      cookie: owner.cookie,
      body: { email: owner.email, password: PASSWORD },
    })
    const after = again.headers
      .getSetCookie()
      .map((one) => one.split(';', 1)[0])
      .join('; ')
    expect([await me(owner.cookie), await me(after)]).toEqual([403, 200])
  })
})
