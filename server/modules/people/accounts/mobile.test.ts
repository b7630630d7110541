import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aUser, buildTestApp, call, PASSWORD, type TestApp, type TestUser } from '../../../test/app.ts'

const LOGIN = '/mobile/auth/login/'
const SIGN_UP = '/mobile/auth/signup/'
let app: TestApp
let user: TestUser
let count = 0

beforeAll(async () => {
  app = await buildTestApp({ env: { ACCOUNT_ALLOW_SIGN_UP: 'true' } })
})
afterAll(() => app.close())
beforeEach(async () => {
  app.newWindows()
  user = await aUser(app)
})

const send = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}, on = app) =>
  fetch(on.url + path, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields), headers })
const cookieOf = (answer: Response) => answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
const keyIn = (page: string) => /<div id="view" hidden>([\w-]+)<\/div>/.exec(page)?.[1]

describe('sign-in of the phone apps', () => {
  it('ends on a page that holds the key of the session, and that key signs in', async () => {
    expect((await call(app, 'GET', LOGIN)).text).toContain('name="login"')
    const answer = await send(LOGIN, { login: user.email.toUpperCase(), password: PASSWORD, remember: 'on' })
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/mobile/auth/fetch/'])
    const page = await call(app, 'GET', '/mobile/auth/fetch/', { cookie: cookieOf(answer) })
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.get('x-frame-options')).toBe('DENY')
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    const key = keyIn(page.text)
    const me = await call(app, 'GET', '/api/v1/users/me/', { cookie: `tsd_sessionid=${key}` })
    expect(me.json).toMatchObject({ email: user.email })
  })

  it('hands the key to no script, no frame and nobody who is signed out', async () => {
    for (const dest of ['empty', 'iframe', 'image']) {
      const headers = { 'sec-fetch-dest': dest }
      const answer = await call(app, 'GET', '/mobile/auth/fetch/', { cookie: user.cookie, headers })
      expect(answer.status, dest).toBe(403)
    }
    const stranger = await call(app, 'GET', '/mobile/auth/fetch/')
    expect([stranger.status, stranger.headers.get('location')]).toEqual([302, LOGIN])
    expect((await call(app, 'GET', '/mobile/auth/fetch/', { token: user.token })).status).toBe(302)
  })

  it('says what is wrong on the page, in its language, and what was typed is no markup', async () => {
    const wrong = await send(LOGIN, { login: '"><script>x</script>', password: 'wrong' })
    const page = await wrong.text()
    expect(page).toContain('The e-mail address or the password is wrong.')
    expect(page).not.toContain('<script>')
    const chinese = await send(
      LOGIN,
      { login: user.email, password: 'wrong' },
      { 'accept-language': 'zh-CN' },
    )
    expect(await chinese.text()).toContain('登录')
    const cross = await send(
      LOGIN,
      { login: user.email, password: PASSWORD },
      { origin: 'http://evil.example' },
    )
    expect(cross.status).toBe(403)
  })

  it('is stopped after too many wrong passwords', async () => {
    const tries = await Promise.all(
      Array.from({ length: 8 }, () => send(LOGIN, { login: user.email, password: 'wrong' })),
    )
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(3)
  })
})

describe('sign-up of the phone apps', () => {
  it('makes an account and hands its session over; the two passwords must be the same', async () => {
    const email = `phone${++count}@example.org`
    const differ = await send(SIGN_UP, { email, password1: PASSWORD, password2: 'something else' })
    expect(await differ.text()).toContain('The two passwords are not the same.')
    const short = await send(SIGN_UP, { email, password1: 'short', password2: 'short' })
    expect(await short.text()).toContain('too short')
    const made = await send(SIGN_UP, { email, password1: PASSWORD, password2: PASSWORD })
    expect(made.status).toBe(302)
    const page = await call(app, 'GET', '/mobile/auth/fetch/', { cookie: cookieOf(made) })
    expect(keyIn(page.text)).toBeDefined()
  })

  it('is closed where sign-up is', async () => {
    const closed = await buildTestApp()
    try {
      const page = await call(closed, 'GET', SIGN_UP)
      expect([page.status, page.headers.get('location')]).toEqual([302, LOGIN])
      const fields = { email: 'x@example.org', password1: PASSWORD, password2: PASSWORD }
      const answer = await send(SIGN_UP, fields, {}, closed)
      expect(answer.headers.getSetCookie()).toEqual([])
      expect(await answer.text()).toContain('Sign-up is closed on this server.')
    } finally {
      await closed.close()
    }
  })
})
