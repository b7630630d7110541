import { generateKeyPairSync, verify as isSigned } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../../../config.ts'
import { aUser, buildTestApp, call, PASSWORD, type TestApp, type TestUser } from '../../../test/app.ts'
import { aVisitor, openProvider, type Person } from '../../../test/oidc.ts'
import { openTestSmtp, type TestSmtp } from '../../../test/smtp.ts'
import { codeAt } from '../factors/codes.rules.ts'
import { appleSecret } from './providers.service.ts'

let provider: Awaited<ReturnType<typeof openProvider>>
let mailbox: TestSmtp
let app: TestApp
const logged: string[] = []
const secrets: string[] = []
const BACK = '/accounts/oidc/login/callback/'

beforeAll(async () => {
  ;[provider, mailbox] = await Promise.all([openProvider(), openTestSmtp()])
  const sink = new Writable({ write: (chunk: Buffer, _, done) => (logged.push(String(chunk)), done()) })
  app = await buildTestApp({
    env: { ...provider.env, ...mailbox.env, PUBLIC_URL: 'http://vigil.test', ACCOUNT_ALLOW_SIGN_UP: 'true' },
    log: pino({ level: 'trace' }, sink),
  })
  provider.serve(app.url + BACK)
})
afterAll(async () => {
  await app.close()
  await Promise.all([provider.close(), mailbox.close()])
})
beforeEach(() => app.newWindows())

let counter = 0
const aPerson = (more: Partial<Person> = {}): Person => {
  const sub = `person-${++counter}`
  return { sub, email: `${sub}@example.net`, email_verified: true, ...more }
}

/** Signs in as this person at the provider; where that ends. */
async function come(person: Person | null, visitor = aVisitor(), next = '') {
  provider.signsIn(person)
  const way = await visitor.go(
    `${app.url}/accounts/oidc/login/${next === '' ? '' : `?next=${encodeURIComponent(next)}`}`,
  )
  for (const { searchParams } of way)
    for (const name of ['state', 'code', 'nonce', 'code_challenge'])
      secrets.push(searchParams.get(name) ?? '')
  const end = way.at(-1)!
  return { visitor, way, end, path: end.pathname, told: new URLSearchParams(end.hash.slice(1)) }
}
const me = async (cookie: string) => await call(app, 'GET', '/api/v1/users/me/', { cookie })
const emailOf = async (cookie: string) => (await me(cookie)).json.email as string
const identities = async (cookie: string) =>
  (await call(app, 'GET', '/api/v1/auth/identities/', { cookie })).json as {
    id: number
    email: string
    name: string
  }[]
const signIn = (body: object, cookie = '') => call(app, 'POST', '/api/v1/auth/login/', { body, cookie })
const verify = ({ id }: TestUser) =>
  app.ctx.db.updateTable('emailAddresses').set({ verified: true }).where('userId', '=', id).execute()

/** Connects as a signed-in person does. */
async function connect(person: Person, visitor: ReturnType<typeof aVisitor>) {
  provider.signsIn(person)
  const answer = await visitor.step(`${app.url}/api/v1/auth/identities/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ provider: 'oidc' }),
  })
  expect(answer.status).toBe(200)
  return (await visitor.go(((await answer.json()) as { url: string }).url)).at(-1)!
}

describe('signing in by a provider', () => {
  it('is offered, and makes an account whose address is confirmed, once', async () => {
    const { json } = await call(app, 'GET', '/api/v1/bootstrap/')
    expect([json.social_providers, json.providers]).toEqual([
      ['oidc'],
      [{ id: 'oidc', name: 'House ID', logo: null }],
    ])
    const person = aPerson({ email: 'Maria.New@example.net', given_name: 'Maria', family_name: 'Novak' })
    const { visitor, path } = await come(person, aVisitor(), '/print_history/?day=1')
    expect(path).toBe('/print_history/')
    expect((await me(visitor.cookies())).json).toMatchObject({
      email: 'maria.new@example.net',
      first_name: 'Maria',
      last_name: 'Novak',
      is_primary_email_verified: true,
    })
    const again = await come(person)
    expect([again.path, await emailOf(again.visitor.cookies())]).toEqual([
      '/printers/',
      'maria.new@example.net',
    ])
    // The address at the provider is another one since: it is the same person.
    const moved = await come({ ...person, email: 'else@example.net' })
    expect(await emailOf(moved.visitor.cookies())).toBe('maria.new@example.net')
  })

  it('lets into the account that has the confirmed address, and tells its owner', async () => {
    const owner = await aUser(app)
    await verify(owner)
    const { visitor } = await come(aPerson({ email: owner.email.toUpperCase() }))
    expect(await emailOf(visitor.cookies())).toBe(owner.email)
    expect(await identities(visitor.cookies())).toMatchObject([{ name: 'House ID', email: owner.email }])
    await mailbox.letterTo(owner.email, /House ID was connected/)
  })

  it.each([
    ['we have not seen that the address is theirs', true],
    ['the provider has not', false],
  ])('asks for the password first where %s', async (_, email_verified) => {
    const owner = await aUser(app)
    if (!email_verified) await verify(owner)
    const person = aPerson({ email: owner.email, email_verified })
    const { visitor, path, told } = await come(person)
    const link = told.get('link')!
    expect([path, told.get('provider'), (await me(visitor.cookies())).status]).toEqual([
      '/accounts/login/',
      'oidc',
      403,
    ])
    // In another browser, or into another account, it connects nothing.
    expect((await signIn({ email: owner.email, password: PASSWORD, link })).status).toBe(200)
    expect(await identities(owner.cookie)).toEqual([])
    const second = (await come(person, visitor)).told.get('link')!
    const stranger = await aUser(app)
    const mine = { email: stranger.email, password: PASSWORD, link: second }
    expect((await signIn(mine, visitor.cookies())).status).toBe(200)
    expect(await identities(stranger.cookie)).toEqual([])

    const third = (await come(person, visitor)).told.get('link')!
    secrets.push(link, second, third)
    const wrong = { email: owner.email, password: 'not the password', link: third }
    expect((await signIn(wrong, visitor.cookies())).status).toBe(400)
    const right = { email: owner.email, password: PASSWORD, link: third }
    expect((await signIn(right, visitor.cookies())).status).toBe(200)
    expect(await identities(owner.cookie)).toHaveLength(1)
    expect(await emailOf((await come(person)).visitor.cookies())).toBe(owner.email)
  })

  it('asks for the second factor, and connects after it alone', async () => {
    const owner = await aUser(app)
    await verify(owner)
    const post = (path: string, body: object, cookie: string) =>
      call(app, 'POST', `/api/v1/auth/${path}`, { body, cookie })
    const { secret } = (await post('factors/totp/', {}, owner.cookie)).json
    const now = () => codeAt(secret, app.ctx.clock.now())
    expect((await post('factors/totp/confirm/', { code: now() }, owner.cookie)).status).toBe(200)
    app.advance(30_000)
    const person = aPerson({ email: owner.email })
    const { visitor, path, told } = await come(person)
    expect([path, told.get('factors')]).toEqual(['/accounts/login/', 'totp,recovery'])
    expect([(await me(visitor.cookies())).status, await identities(owner.cookie)]).toEqual([403, []])
    const [ticket, link] = [told.get('ticket'), told.get('link')]
    secrets.push(ticket!, link!)
    const opened = await post('login/factor/', { ticket, link, code: now() }, visitor.cookies())
    expect(opened.status).toBe(200)
    expect(await identities(owner.cookie)).toHaveLength(1)
    // Who is connected is asked as well.
    expect((await come(person)).told.get('ticket')).toMatch(/^[\w-]{43}$/)
  })
})

describe('what does not let in', () => {
  const trouble = async (...args: Parameters<typeof come>) => {
    const { path, end, visitor } = await come(...args)
    return [path, end.searchParams.get('trouble'), (await me(visitor.cookies())).status]
  }
  const said = (word: string) => ['/accounts/login/', word, 403]

  it('a person who says no, and one whose provider tells no address', async () => {
    expect(await trouble(null)).toEqual(said('cancelled'))
    const { email: _, ...bare } = aPerson()
    expect(await trouble(bare)).toEqual(said('noEmail'))
  })

  it('what was used, made up, or begun in another browser', async () => {
    const person = aPerson()
    const { way } = await come(person)
    const back = way.find(({ pathname }) => pathname === BACK)!
    const used = aVisitor((await come(person)).visitor.cookies())
    for (const [visitor, url] of [
      [used, back.href],
      [aVisitor(), `${app.url}${BACK}?state=made-up&code=x`],
      [aVisitor(), app.url + BACK],
    ] as const) {
      const end = (await visitor.go(url)).at(-1)!
      expect([end.pathname, end.searchParams.get('trouble')]).toEqual(['/accounts/login/', 'over'])
    }
    // One person's way back, fresh, in the browser of another: nobody is signed in as somebody else.
    provider.signsIn(person)
    const attacker = aVisitor()
    const begun = await attacker.step(`${app.url}/accounts/oidc/login/`)
    let at = begun.headers.get('location')!
    while (!at.startsWith(app.url)) at = new URL((await attacker.step(at)).headers.get('location')!, at).href
    const victim = aVisitor()
    expect((await victim.go(at)).at(-1)!.searchParams.get('trouble')).toBe('over')
    expect((await me(victim.cookies())).status).toBe(403)
  })

  it('a code that the provider does not know', async () => {
    const visitor = aVisitor()
    const begun = new URL((await visitor.step(`${app.url}/accounts/oidc/login/`)).headers.get('location')!)
    const state = begun.searchParams.get('state')!
    const query = new URLSearchParams({ state, code: 'guessed', iss: provider.issuer }).toString()
    const end = (await visitor.go(`${app.url}${BACK}?${query}`)).at(-1)!
    expect(end.searchParams.get('trouble')).toBe('over')
  })

  it('a provider that is away; it is asked again when it is back, with other keys', async () => {
    const person = aPerson()
    await come(person)
    app.advance(3_600_001)
    provider.goAway()
    expect(await trouble(person)).toEqual(said('away'))
    provider.serve(app.url + BACK)
    const { visitor } = await come(person)
    expect(await emailOf(visitor.cookies())).toBe(person.email)
    // Keys that change while we still hold the old ones: refused, and right with the next try.
    provider.serve(app.url + BACK)
    expect(await trouble(person)).toEqual(said('over'))
    expect(await emailOf((await come(person)).visitor.cookies())).toBe(person.email)
  })

  it('an account that is switched off, by whatever way', async () => {
    const person = aPerson()
    await come(person)
    await app.ctx.db
      .updateTable('users')
      .set({ isActive: false })
      .where('email', '=', person.email!)
      .execute()
    expect((await come(person)).path).toBe('/accounts/inactive/')
    expect((await come(aPerson({ email: person.email! }))).path).toBe('/accounts/inactive/')
  })

  it('leads to no address but our own, and knows no provider that nobody has set', async () => {
    for (const next of ['https://evil.example/', '//evil.example/', '/\\evil.example/']) {
      const { end } = await come(aPerson(), aVisitor(), next)
      expect([end.origin, end.pathname]).toEqual([app.url, '/printers/'])
    }
    expect((await call(app, 'GET', '/accounts/google/login/')).status).toBe(404)
    expect((await call(app, 'GET', '/accounts/google/login/callback/?state=x')).status).toBe(404)
  })
})

describe('connecting and taking out', () => {
  it('is done by who is signed in, told by mail, and never into two accounts', async () => {
    const [owner, other] = [await aUser(app), await aUser(app)]
    await Promise.all([owner, other].map(verify))
    const person = aPerson()
    expect((await connect(person, aVisitor(owner.cookie))).pathname).toBe('/user_preferences/security/')
    await mailbox.letterTo(owner.email, /House ID was connected/)
    const end = await connect(person, aVisitor(other.cookie))
    expect([end.pathname, end.searchParams.get('trouble')]).toEqual(['/user_preferences/security/', 'taken'])
    const { visitor } = await come(person)
    expect(await emailOf(visitor.cookies())).toBe(owner.email)

    const id = (await identities(owner.cookie))[0]?.id
    const remove = (cookie: string) => call(app, 'DELETE', `/api/v1/auth/identities/${id}/`, { cookie })
    expect((await remove(other.cookie)).status).toBe(404)
    expect((await remove(owner.cookie)).status).toBe(204)
    await mailbox.letterTo(owner.email, /House ID was disconnected/)
    // Who they are there is nobody here any more: an account of its own.
    expect(await emailOf((await come(person)).visitor.cookies())).toBe(person.email)
  })

  it('wants a session that has just shown whose it is, and comes back into the same one', async () => {
    const owner = await aUser(app)
    const visitor = aVisitor(owner.cookie)
    const begin = () =>
      call(app, 'POST', '/api/v1/auth/identities/', { body: { provider: 'oidc' }, cookie: visitor.cookies() })
    app.advance(16 * 60_000)
    const refused = await begin()
    expect([refused.status, refused.json.reason]).toEqual([403, 'proof_wanted'])
    const fresh = aVisitor(await signInCookies(owner))
    provider.signsIn(aPerson())
    const { url } = (await (
      await fresh.step(`${app.url}/api/v1/auth/identities/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ provider: 'oidc' }),
      })
    ).json()) as { url: string }
    await call(app, 'POST', '/api/v1/auth/logout/', { cookie: fresh.cookies() })
    const end = (await fresh.go(url)).at(-1)!
    expect([end.searchParams.get('trouble'), await identities(owner.cookie)]).toEqual(['over', []])
  })

  it('keeps the last way in', async () => {
    const { visitor } = await come(aPerson())
    const cookie = visitor.cookies()
    const id = (await identities(cookie))[0]?.id
    const remove = () => call(app, 'DELETE', `/api/v1/auth/identities/${id}/`, { cookie })
    const refused = await remove()
    expect([refused.status, refused.json.detail]).toEqual([400, expect.stringContaining('last way')])
    expect(await identities(cookie)).toHaveLength(1)
  })
})

async function signInCookies({ email }: TestUser): Promise<string> {
  const { headers } = await signIn({ email, password: PASSWORD })
  return headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ')
}

it('Apple’s form is led on as a way of ours, with what is ours to know', async () => {
  const answer = await fetch(`${app.url}/accounts/apple/login/callback/`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: 'https://appleid.apple.com', 'sec-fetch-site': 'cross-site' },
    body: new URLSearchParams({ state: 's', code: 'c', user: '{"name":{}}', id_token: 't' }),
  })
  expect([answer.status, answer.headers.get('location')]).toEqual([
    303,
    '/accounts/apple/login/callback/?state=s&code=c',
  ])
})

it('what Apple takes for a secret is signed by the key, for five minutes', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const word = appleSecret({ app: 'org.example.vigil', teamId: 'TEAM', keyId: 'KEY', pem }, Date.now())
  const [head = '', said = '', signature = ''] = word.split('.')
  const read = (text: string) =>
    JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
  expect(isSigned('sha256', Buffer.from(`${head}.${said}`), key, Buffer.from(signature, 'base64url'))).toBe(
    true,
  )
  expect(read(head)).toEqual({ alg: 'ES256', kid: 'KEY' })
  const { iat, exp, ...rest } = read(said)
  expect(rest).toEqual({ iss: 'TEAM', sub: 'org.example.vigil', aud: 'https://appleid.apple.com' })
  expect(Number(exp) - Number(iat)).toBe(300)
})

it('where sign-up is closed, only who has an account comes in', async () => {
  const closed = await buildTestApp({ env: provider.env })
  try {
    provider.serve(closed.url + BACK)
    provider.signsIn(aPerson())
    const end = (await aVisitor().go(`${closed.url}/accounts/oidc/login/`)).at(-1)!
    expect([end.pathname, end.searchParams.get('trouble')]).toEqual(['/accounts/login/', 'closed'])
    expect(await closed.ctx.db.selectFrom('users').selectAll().execute()).toEqual([])
  } finally {
    await closed.close()
    provider.serve(app.url + BACK)
  }
})

it('nothing of it stands in the log', () => {
  const found = secrets.filter((word) => word.length > 6)
  expect(found.length).toBeGreaterThan(50)
  const all = logged.join('\n')
  expect(all).toContain('/accounts/oidc/login/callback/')
  expect(found.filter((word) => all.includes(word))).toEqual([])
})

describe('settings of providers', () => {
  it('are whole or absent, and Google is a preset', () => {
    const google = { GOOGLE_CLIENT_ID: 'a', GOOGLE_CLIENT_SECRET: 'b' }
    const issuers = (env: Record<string, string>) => readConfig(env).providers.map(({ issuer }) => issuer)
    expect(issuers({})).toEqual([])
    expect(issuers({ ...google, ...provider.env })).toEqual([provider.issuer, 'https://accounts.google.com'])
    expect(() => readConfig({ GOOGLE_CLIENT_ID: 'a' })).toThrow('needs GOOGLE_CLIENT_SECRET')
    expect(() => readConfig({ ...provider.env, OIDC_ISSUER: 'http://id.example.org' })).toThrow(
      'https address',
    )
  })

  it('read Apple’s key from a file, and a logo of 16 KB at most', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vigil-provider-'))
    try {
      const [key, logo, large] = ['key.p8', 'logo.svg', 'large.png'].map((name) => join(folder, name))
      await Promise.all([
        writeFile(key!, 'the key'),
        writeFile(logo!, '<svg/>'),
        writeFile(large!, Buffer.alloc(16_385)),
      ])
      const apple = { APPLE_CLIENT_ID: 'a', APPLE_TEAM_ID: 'b', APPLE_KEY_ID: 'c', APPLE_KEY_FILE: key! }
      expect(readConfig(apple).providers).toEqual([
        {
          id: 'apple',
          name: 'Apple',
          logo: null,
          issuer: 'https://appleid.apple.com',
          clientId: 'a',
          secret: { teamId: 'b', keyId: 'c', pem: 'the key' },
        },
      ])
      expect(readConfig({ ...provider.env, OIDC_LOGO: logo! }).providers[0]?.logo).toBe(
        `data:image/svg+xml;base64,${Buffer.from('<svg/>').toString('base64')}`,
      )
      expect(() => readConfig({ ...provider.env, OIDC_LOGO: large! })).toThrow('16 KB')
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
