import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { createHash, randomBytes } from 'node:crypto'
import * as oidc from 'openid-client'
import { answered, clientById, redirectOf } from './clients.ts'

let app: TestApp
let owner: TestUser
let stranger: TestUser
beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
  stranger = await aUser(app)
})
afterAll(() => app.close())

const ASK = '/o/authorize/?response_type=token&client_id=OrcaSlicer&hide_navbar=true'
const APPS = '/api/v1/authorized_apps/'

/** The fields of a form, as a browser sends them. */
const fieldsOf = (page: string) =>
  Object.fromEntries(
    [...page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [
      name!,
      value!.replaceAll('&amp;', '&'),
    ]),
  )

async function send(fields: Record<string, string>, who: TestUser, headers: Record<string, string> = {}) {
  return await fetch(`${app.url}/o/authorize/`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: who.cookie, 'sec-fetch-site': 'same-origin', ...headers },
    body: new URLSearchParams(fields),
  })
}

/** Goes the way of a person who allows it; the token that OrcaSlicer is handed. */
async function letIn(who: TestUser, ask = ASK): Promise<URLSearchParams> {
  const page = await call(app, 'GET', ask, { cookie: who.cookie })
  expect(page.status).toBe(200)
  const answer = await send({ ...fieldsOf(page.text), allow: '1' }, who)
  expect(answer.status).toBe(303)
  const url = new URL(answer.headers.get('location')!)
  expect(url.pathname + url.search).toBe('/orca_slicer/authorized/')
  return new URLSearchParams(url.hash.slice(1))
}
const tokenOf = async (who: TestUser) => (await letIn(who)).get('access_token')!

describe('the page that asks', () => {
  it('sends whoever is not signed in there first, and back', async () => {
    const bare = await call(
      app,
      'GET',
      '/o/authorize?response_type=token&client_id=OrcaSlicer&hide_navbar=true',
    )
    expect([bare.status, bare.headers.get('location')]).toEqual([301, ASK])
    const { status, headers } = await call(app, 'GET', ASK)
    expect(status).toBe(302)
    const to = new URL(headers.get('location')!, app.url)
    expect([to.pathname, Object.fromEntries(to.searchParams)]).toEqual([
      '/accounts/login/',
      { hide_navbar: 'true', next: ASK },
    ])
    // A token is no browser: it lets nobody else in.
    expect((await call(app, 'GET', ASK, { token: owner.token })).status).toBe(302)
  })

  it('says who asks for what, and is shown in no frame', async () => {
    const page = await call(app, 'GET', ASK, { cookie: owner.cookie })
    expect(page.text).toContain('Let OrcaSlicer in?')
    expect(page.text).toContain(owner.email)
    expect(page.headers.get('x-frame-options')).toBe('DENY')
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(page.headers.get('cache-control')).toBe('no-store')
    const chinese = await call(app, 'GET', `${ASK}&lang=zh`, { cookie: owner.cookie })
    expect(chinese.text).toContain('允许 OrcaSlicer 访问吗？')
  })

  it('hands over a token that slicers cut off at the first &, with the state that was given', async () => {
    const given = await letIn(owner, `${ASK}&state=${encodeURIComponent('a&b=c')}`)
    expect(Object.fromEntries(given)).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      expires_in: '31536000',
      token_type: 'Bearer',
      scope: 'slicer',
      state: 'a&b=c',
    })
  })

  it('makes no token when it is cancelled, or another page has sent the form', async () => {
    const before = (await call(app, 'GET', APPS, { cookie: stranger.cookie })).json
    const fields = fieldsOf((await call(app, 'GET', ASK, { cookie: stranger.cookie })).text)
    const cancelled = await send({ ...fields, cancel: '1' }, stranger)
    expect(cancelled.headers.get('location')).toBe(`${app.url}/orca_slicer/authorized/?error=access_denied`)
    const foreign = await send({ ...fields, allow: '1' }, stranger, { 'sec-fetch-site': 'cross-site' })
    expect(foreign.status).toBe(403)
    const { csrfmiddlewaretoken: _, ...bare } = fields
    for (const wrong of [
      bare,
      { ...fields, csrfmiddlewaretoken: 'x'.repeat(43) },
      { ...fields, csrfmiddlewaretoken: 'ä'.repeat(43) },
      // What was proven was another address, and another person.
      { ...fields, redirect_uri: 'http://localhost:9/callback' },
      fieldsOf((await call(app, 'GET', ASK, { cookie: owner.cookie })).text),
    ]) {
      const answer = await send({ ...wrong, allow: '1' }, stranger)
      expect(answer.status).toBe(303)
      expect(answer.headers.get('location')).toMatch(
        /^\/o\/authorize\/\?response_type=token&client_id=OrcaSlicer/,
      )
    }
    expect((await call(app, 'GET', APPS, { cookie: stranger.cookie })).json).toEqual(before)
  })

  it('leads nobody to an address that is not the client’s', async () => {
    for (const query of [
      'client_id=Nobody&response_type=token',
      `client_id=OrcaSlicer&response_type=token&redirect_uri=${encodeURIComponent('https://evil.example/')}`,
      `client_id=OrcaSlicer&response_type=token&redirect_uri=x&redirect_uri=${encodeURIComponent(app.url)}`,
    ]) {
      const { status, headers } = await call(app, 'GET', `/o/authorize/?${query}`, { cookie: owner.cookie })
      expect([status, headers.get('location')]).toEqual([400, null])
    }
    const code = await call(app, 'GET', '/o/authorize/?response_type=code&client_id=OrcaSlicer&state=s', {
      cookie: owner.cookie,
    })
    expect(code.headers.get('location')).toBe(
      `${app.url}/orca_slicer/authorized/?error=invalid_request&state=s`,
    )
  })

  it('answers a program that listens on the person’s own computer', async () => {
    const redirect = 'http://localhost:13618/callback'
    const page = await call(app, 'GET', `${ASK}&redirect_uri=${encodeURIComponent(redirect)}`, {
      cookie: owner.cookie,
    })
    expect(page.text).toContain(redirect)
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' http://localhost:13618")
    const answer = await send({ ...fieldsOf(page.text), allow: '1' }, owner)
    expect(answer.headers.get('location')).toMatch(
      /^http:\/\/localhost:13618\/callback#access_token=[\w-]{43}&/,
    )
  })
})

describe('JusPrin, whose users are not asked', () => {
  const JUSPRIN = '/o/authorize/?response_type=token&client_id=JusPrin'
  const ask = (who: TestUser, headers: Record<string, string> = {}) =>
    call(app, 'GET', JUSPRIN, { cookie: who.cookie, headers })

  it('is handed its token at once, is listed, and gives it back', async () => {
    const who = await aUser(app)
    const { status, headers } = await ask(who, { 'sec-fetch-site': 'same-origin' })
    expect(status).toBe(302)
    const to = headers.get('location')!
    expect(to).toMatch(
      /\/orca_slicer\/authorized\/#access_token=[\w-]{43}&expires_in=31536000&token_type=Bearer&scope=/,
    )
    const token = new URLSearchParams(new URL(to).hash.slice(1)).get('access_token')!
    const names = async () =>
      ((await call(app, 'GET', APPS, { cookie: who.cookie })).json as { app: string }[]).map((row) => row.app)
    expect(await names()).toContain('JusPrin')
    const works = async () => (await call(app, 'GET', '/api/v1/version/', { token })).status
    expect(await works()).toBe(200)
    const revoke = (word: string) =>
      fetch(`${app.url}/o/revoke_token/`, { method: 'POST', body: new URLSearchParams({ token: word }) })
    expect((await revoke('nobody knows this one')).status).toBe(200)
    expect(await works()).toBe(200)
    expect((await revoke(token)).status).toBe(200)
    expect([await works(), await names()]).toEqual([403, ['test']])
  })

  it('asks where another page has led somebody here, and leads to no other address', async () => {
    const led = await ask(await aUser(app), { 'sec-fetch-site': 'cross-site' })
    expect([led.status, led.headers.get('location')]).toEqual([200, null])
    expect(led.text).toContain('Let JusPrin in?')
    expect(redirectOf(clientById('JusPrin')!, 'http://localhost:1/', 'https://vigil.example')).toBeNull()
  })
})

describe('addresses of answers', () => {
  const orca = clientById('OrcaSlicer')!
  const root = 'https://vigil.example/house'

  it.each([
    [undefined, `${root}/orca_slicer/authorized/`],
    ['', `${root}/orca_slicer/authorized/`],
    [`${root}/orca_slicer/authorized/`, `${root}/orca_slicer/authorized/`],
    ['http://localhost:13618/callback', 'http://localhost:13618/callback'],
    ['http://127.0.0.1:80/callback', null],
    ['http://127.0.0.1:8123', 'http://127.0.0.1:8123/'],
    ['http://[::1]:8123/', 'http://[::1]:8123/'],
    ['http://localhost:13618/other', null],
    ['http://localhost:13618/callback?next=https://evil.example', null],
    ['http://localhost:13618/callback#', null],
    ['https://localhost:13618/callback', null],
    ['http://me:pw@localhost:13618/callback', null],
    ['http://localhost:13618/./callback', null],
    ['http://localhost.evil.example/callback', null],
    ['http://localhost@evil.example/callback', null],
    ['http://127.1:8123/', null],
    [`${root}/orca_slicer/authorized/?x=1`, null],
    [`${root}/orca_slicer/authorized/..//evil`, null],
    ['https://vigil.example.evil.example/orca_slicer/authorized/', null],
    ['//evil.example/', null],
    ['javascript:alert(1)', null],
    [['http://localhost:13618/callback', 'https://evil.example'], null],
  ])('%j is answered at %j', (asked, expected) => {
    expect(redirectOf(orca, asked, root)).toBe(expected)
  })

  it('tell a token behind the #, and a refusal as a query', () => {
    expect(answered('http://localhost:1/', { access_token: 'a', state: undefined })).toBe(
      'http://localhost:1/#access_token=a',
    )
    expect(answered('http://localhost:1/', { error: 'no', state: 's' })).toBe(
      'http://localhost:1/?error=no&state=s',
    )
  })
})

describe('the page where it ends', () => {
  it('runs its own script and no other, and is shown in no frame', async () => {
    const { status, headers, text } = await call(app, 'GET', '/orca_slicer/authorized/')
    expect(status).toBe(200)
    const policy = headers.get('content-security-policy')!
    expect(policy).toMatch(/script-src 'self' 'sha256-[\w+/=]+';/)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(text).toContain('login_token')
  })
})

describe('an app that was let in', () => {
  it('sees names of printers, brings files, and reaches nothing else', async () => {
    const who = await aUser(app)
    const printer = await aPrinter(app, who, 'Ender')
    await aPrinter(app, stranger, 'Not theirs')
    const token = await tokenOf(who)
    expect((await call(app, 'GET', '/api/v1/printers/', { token })).json).toEqual([
      { id: printer.id, name: 'Ender' },
    ])
    for (const [method, path] of [
      ['GET', '/api/v1/users/me/'],
      ['GET', `/api/v1/printers/${printer.id}/`],
      ['POST', `/api/v1/printers/${printer.id}/cancel_print/`],
      ['GET', '/api/v1/prints/'],
      ['GET', APPS],
      ['POST', '/api/v1/api_keys/'],
    ] as const)
      expect([path, (await call(app, method, path, { token })).status]).toEqual([path, 403])
    // Where anybody may ask, it is nobody.
    expect((await call(app, 'GET', '/api/v1/bootstrap/', { token })).json.user).toBeNull()
  })

  it('is listed, ends when it is revoked and a year after it was last used, and is kept as a hash alone', async () => {
    const who = await aUser(app)
    const token = await tokenOf(who)
    const again = await tokenOf(who)
    const known = async (one: string) => (await call(app, 'GET', '/api/v1/version/', { token: one })).status
    expect(await known(token)).toBe(200)
    const list = await call(app, 'GET', APPS, { cookie: who.cookie })
    const row = {
      id: expect.any(Number),
      app: 'OrcaSlicer',
      printer: null,
      created_at: expect.any(String),
      last_used_at: null,
      expires_at: expect.any(String),
    }
    await expect
      .poll(async () => (await call(app, 'GET', APPS, { cookie: who.cookie })).json)
      .toEqual([row, { ...row, last_used_at: expect.any(String) }, { ...row, app: 'test', expires_at: null }])
    expect(list.text).not.toContain(again)
    expect(JSON.stringify(await app.ctx.db.selectFrom('accessTokens').selectAll().execute())).not.toContain(
      again,
    )

    const [{ id }] = list.json as [{ id: number }]
    expect((await call(app, 'DELETE', `${APPS}${id}/`, { cookie: stranger.cookie })).status).toBe(404)
    expect(await known(again)).toBe(200)
    expect((await call(app, 'DELETE', `${APPS}${id}/`, { cookie: who.cookie })).status).toBe(204)
    expect(await known(again)).toBe(403)

    const day = 86_400_000
    app.advance(300 * day)
    expect(await known(token)).toBe(200)
    const ends = () =>
      app.ctx.db
        .selectFrom('accessTokens')
        .select('expiresAt')
        .where('application', '=', 'OrcaSlicer')
        .where('userId', '=', who.id)
        .executeTakeFirstOrThrow()
    await expect
      .poll(async () => (await ends()).expiresAt!.getTime())
      .toBeGreaterThan(app.ctx.clock.now() + 364 * day)
    app.advance(366 * day)
    expect(await known(token)).toBe(403)
  })
})

describe('a program that comes with a code (RFC 6749, 4.1; RFC 7636)', () => {
  const redirect = 'http://localhost:13618/callback'
  /** The program: a library that many use. */
  function program() {
    const server = {
      issuer: app.url,
      authorization_endpoint: `${app.url}/o/authorize/`,
      token_endpoint: `${app.url}/o/token/`,
      revocation_endpoint: `${app.url}/o/revoke_token/`,
    }
    const config = new oidc.Configuration(server, 'OrcaSlicer', undefined, oidc.None())
    oidc.allowInsecureRequests(config)
    return config
  }
  /** Goes the whole way; where the person is led back to, and what the program alone knows. */
  async function codeFor(who: TestUser) {
    const verifier = oidc.randomPKCECodeVerifier()
    const state = oidc.randomState()
    const ask = oidc.buildAuthorizationUrl(program(), {
      redirect_uri: redirect,
      state,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    const page = await call(app, 'GET', ask.pathname + ask.search, { cookie: who.cookie })
    const answer = await send({ ...fieldsOf(page.text), allow: '1' }, who)
    return { back: new URL(answer.headers.get('location')!), verifier, state }
  }
  async function letInByCode(who: TestUser) {
    const { back, verifier, state } = await codeFor(who)
    return await oidc.authorizationCodeGrant(program(), back, {
      pkceCodeVerifier: verifier,
      expectedState: state,
    })
  }
  const fetchToken = (fields: Record<string, string>) =>
    fetch(`${app.url}/o/token/`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'OrcaSlicer', ...fields }),
    })
  const refusalOf = async (fields: Record<string, string>) => {
    const answer = await fetchToken(fields)
    return [answer.status, ((await answer.json()) as { error?: string }).error]
  }
  const works = async (token: string) => (await call(app, 'GET', '/api/v1/version/', { token })).status
  const names = async (who: TestUser) =>
    ((await call(app, 'GET', APPS, { cookie: who.cookie })).json as { app: string }[]).map((row) => row.app)

  it('has a token for an hour, and the next by its refresh token, while it is listed once', async () => {
    const who = await aUser(app)
    const first = await letInByCode(who)
    expect(first).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'slicer' })
    expect(await works(first.access_token)).toBe(200)
    app.advance(3_600_001)
    expect(await works(first.access_token)).toBe(403)
    expect(await names(who)).toEqual(['OrcaSlicer', 'test'])
    const second = await oidc.refreshTokenGrant(program(), first.refresh_token!)
    expect(await works(second.access_token)).toBe(200)
    const third = await oidc.refreshTokenGrant(program(), second.refresh_token!)
    // The one before opens nothing any more, although its hour is not over.
    expect([await works(second.access_token), await works(third.access_token)]).toEqual([403, 200])
    expect(await names(who)).toEqual(['OrcaSlicer', 'test'])
    const rows = JSON.stringify(await app.ctx.db.selectFrom('refreshTokens').selectAll().execute())
    expect(rows).not.toContain(third.refresh_token)
  })

  it('is shut out when a refresh token is brought twice, whoever was first', async () => {
    const who = await aUser(app)
    const first = await letInByCode(who)
    const second = await oidc.refreshTokenGrant(program(), first.refresh_token!)
    expect(await refusalOf({ grant_type: 'refresh_token', refresh_token: first.refresh_token! })).toEqual([
      400,
      'invalid_grant',
    ])
    expect(await works(second.access_token)).toBe(403)
    expect(await refusalOf({ grant_type: 'refresh_token', refresh_token: second.refresh_token! })).toEqual([
      400,
      'invalid_grant',
    ])
    expect(await names(who)).toEqual(['test'])
    const audit = await app.ctx.db.selectFrom('audit').select('action').where('userId', '=', who.id).execute()
    expect(audit.map(({ action }) => action)).toContain('app_token_reused')
  })

  it('is let in anew two years after it was, however often it is used', async () => {
    const who = await aUser(app)
    const days = (count: number) => app.advance(count * 86_400_000)
    let refresh = (await letInByCode(who)).refresh_token!
    for (let time = 0; time < 2; time++) {
      days(300)
      const held = await oidc.refreshTokenGrant(program(), refresh)
      expect(await works(held.access_token)).toBe(200)
      refresh = held.refresh_token!
    }
    days(140)
    const again = { grant_type: 'refresh_token', refresh_token: refresh }
    expect(await refusalOf(again)).toEqual([400, 'invalid_grant'])
  })

  it('loses it when the code is brought twice, and gets nothing with a wrong verifier, address or name', async () => {
    const who = await aUser(app)
    const { back, verifier, state } = await codeFor(who)
    const code = back.searchParams.get('code')!
    const whole = { grant_type: 'authorization_code', code, redirect_uri: redirect, code_verifier: verifier }
    const got = await oidc.authorizationCodeGrant(program(), back, {
      pkceCodeVerifier: verifier,
      expectedState: state,
    })
    expect(await works(got.access_token)).toBe(200)
    expect(await refusalOf(whole)).toEqual([400, 'invalid_grant'])
    expect(await works(got.access_token)).toBe(403)
    const wrongs: Record<string, string>[] = [
      { code_verifier: randomBytes(32).toString('base64url') },
      { code_verifier: '' },
      { redirect_uri: 'http://localhost:13618/' },
      { client_id: 'JusPrin' },
    ]
    for (const wrong of wrongs) {
      const one = await codeFor(who)
      const given = {
        ...whole,
        code: one.back.searchParams.get('code')!,
        code_verifier: one.verifier,
        ...wrong,
      }
      expect([wrong, await refusalOf(given)]).toEqual([wrong, [400, 'invalid_grant']])
    }
    const late = await codeFor(who)
    app.advance(60_001)
    const given = { ...whole, code: late.back.searchParams.get('code')!, code_verifier: late.verifier }
    expect(await refusalOf(given)).toEqual([400, 'invalid_grant'])
    expect(await names(who)).toEqual(['test'])
    expect(await refusalOf({ grant_type: 'password', code: 'x' })).toEqual([400, 'unsupported_grant_type'])
    expect(await refusalOf({ client_id: 'Nobody', grant_type: 'refresh_token' })).toEqual([
      400,
      'invalid_client',
    ])
  })

  it('is given no code without PKCE, nor one on a page of ours', async () => {
    const challenge = createHash('sha256').update('x'.repeat(43)).digest('base64url')
    const to = (more: string) => `/o/authorize/?response_type=code&client_id=OrcaSlicer&state=s${more}`
    const local = `&redirect_uri=${encodeURIComponent(redirect)}`
    for (const query of [
      local,
      `${local}&code_challenge=${challenge}&code_challenge_method=plain`,
      `&code_challenge=${challenge}&code_challenge_method=S256`,
    ]) {
      const { headers } = await call(app, 'GET', to(query), { cookie: owner.cookie })
      expect(new URL(headers.get('location')!).searchParams.get('error')).toBe('invalid_request')
    }
  })

  it('gives it back by either word, and is taken out by its user', async () => {
    const who = await aUser(app)
    const one = await letInByCode(who)
    await oidc.tokenRevocation(program(), one.refresh_token!)
    expect([await works(one.access_token), await names(who)]).toEqual([403, ['test']])
    const two = await letInByCode(who)
    const [{ id }] = (await call(app, 'GET', APPS, { cookie: who.cookie })).json as [{ id: number }]
    expect((await call(app, 'DELETE', `${APPS}${id}/`, { cookie: who.cookie })).status).toBe(204)
    expect(await works(two.access_token)).toBe(403)
    expect(await refusalOf({ grant_type: 'refresh_token', refresh_token: two.refresh_token! })).toEqual([
      400,
      'invalid_grant',
    ])
  })

  it('is told what a token of its own account is worth, and of no other', async () => {
    const who = await aUser(app)
    const { access_token: token } = await letInByCode(who)
    const ask = async (of: string, by: string) =>
      (await call(app, 'POST', '/o/introspect/', { token: by, body: { token: of } })).json as object
    expect(await ask(token, token)).toEqual({
      active: true,
      scope: 'slicer',
      client_id: 'OrcaSlicer',
      token_type: 'Bearer',
      sub: String(who.id),
      exp: expect.any(Number),
    })
    expect(await ask(token, stranger.token)).toEqual({ active: false })
    expect(await ask('unknown', token)).toEqual({ active: false })
    app.advance(3_600_001)
    expect(await ask(token, who.token)).toEqual({ active: false })
  })
})
