import { createHash, pbkdf2Sync } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../../config.ts'
import type { Ctx } from '../../../ctx.ts'
import { type OpenDb, openDb } from '../../../engines/db/postgres.ts'
import { openMemoryLive } from '../../../engines/live/memory.ts'
import { openMail } from '../../../engines/mail/index.ts'
import { createApp } from '../../../http/app.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { createEvents } from '../../../lib/events.ts'
import { cloneDatabase, type TestDatabase } from '../../../test/pg.ts'
import { eventually } from '../../../test/wire/agent.ts'
import {
  accountCredentials,
  createAccessToken,
  createUser,
  ensureSetupLink,
  listUsers,
  registerAccounts,
  setPassword,
  sessionEnded,
} from './index.ts'
import { endVanished } from '../sessions/sessions.ts'
import { asId } from '../../../test/ids.ts'

const PASSWORD = 'correct horse'
const log = pino({ level: 'silent' })

let database: TestDatabase
let opened: OpenDb
let app: FastifyInstance
let ctx: Ctx
let now = Date.now()

const unused = (name: string) => new Proxy({}, { get: () => expect.fail(`${name} is not used here`) })

async function open(env: Record<string, string> = {}) {
  const config = readConfig({ NODE_ENV: 'test', ...env })
  const made = {
    db: opened.db,
    live: openMemoryLive(log, () => now),
    // Nothing here ends in a job or a letter (passwords.test.ts).
    jobs: { handle: () => {}, schedule: () => {} },
    mail: await openMail(config),
    files: unused('files'),
    detector: unused('detector'),
    clock: { now: () => now },
    log,
    config,
    events: createEvents(() => {}),
    stopping: new AbortController().signal,
  } as unknown as Ctx
  const built = await createApp(made, { ...accountCredentials(made), printerToken: async () => null })
  registerAccounts(built, made)
  await built.ready()
  return { app: built, ctx: made }
}

beforeAll(async () => {
  database = await cloneDatabase()
  opened = openDb(database.url, { log })
  ;({ app, ctx } = await open({ ACCOUNT_ALLOW_SIGN_UP: 'true' }))
})

afterAll(async () => {
  await app.close()
  await opened.close()
  await database.drop()
})

/** Every test calls from an address of its own, so that throttles do not meet. */
let address = 0
const from = () => `198.51.100.${++address}`

interface CallOptions {
  body?: unknown
  cookie?: string
  headers?: Record<string, string>
  on?: FastifyInstance
}

async function send(
  method: 'GET' | 'POST' | 'PATCH',
  url: string,
  { body, cookie, headers = {}, on = app }: CallOptions = {},
) {
  const answer = await on.inject({
    method,
    url: `/api/v1/${url}`,
    headers: {
      host: 'vigil.example:3334',
      'x-forwarded-for': from(),
      ...(cookie === undefined ? {} : { cookie: `tsd_sessionid=${cookie}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: body as object }),
  })
  const session = answer.cookies.find(({ name }) => name === 'tsd_sessionid')
  return {
    status: answer.statusCode,
    body: answer.body === '' ? null : answer.json(),
    session,
    browser: answer.cookies.find(({ name }) => name === 'tsd_browser')?.value,
    headers: answer.headers,
  }
}

const signIn = async (email: string, options: { remember?: boolean; password?: string } & CallOptions = {}) =>
  send('POST', 'auth/login/', {
    ...options,
    body: { email, password: options.password ?? PASSWORD, remember: options.remember ?? false },
  })

let count = 0
async function aUser({ isAdmin = false } = {}) {
  const email = `someone${++count}@example.org`
  const { id } = await createUser(ctx, { email, password: PASSWORD, isAdmin })
  return { id, email }
}

const holder = (sessionId = 0): UserPrincipal => ({
  kind: 'user',
  via: 'session',
  userId: asId(1),
  language: 'en',
  sessionId: asId(sessionId),
})

const me = async (cookie: string | undefined) =>
  (await send('GET', 'users/me/', { cookie: cookie ?? '' })).status

describe('first run', () => {
  it('creates the first account with a link that works once', async () => {
    const link = await ensureSetupLink(ctx)
    expect(link).toMatch(/^\/setup\/\?token=[\w-]{43}$/)
    const token = new URL(link as string, 'http://x').searchParams.get('token')
    expect((await send('GET', 'bootstrap/')).body).toMatchObject({ user: null, setup_required: true })
    const wrong = await send('POST', 'auth/setup/', {
      body: { token: 'x'.repeat(43), email: 'a@b.org', password: PASSWORD },
    })
    expect(wrong.status).toBe(403)
    const body = { token, email: 'Owner@Example.org', password: PASSWORD }
    const both = await Promise.all([
      send('POST', 'auth/setup/', { body }),
      send('POST', 'auth/setup/', { body }),
    ])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 403])
    const done = both.find(({ status }) => status === 201)
    expect(done?.body).toMatchObject({
      email: 'owner@example.org',
      username: 'owner@example.org_1',
      is_dh_unlimited: true,
    })
    expect(await me(done?.session?.value)).toBe(200)
    expect(await ensureSetupLink(ctx)).toBeNull()
    expect((await send('GET', 'bootstrap/')).body).toMatchObject({ setup_required: false })
    expect(await listUsers(ctx)).toMatchObject([{ email: 'owner@example.org', isStaff: true }])
  })

  it('stores no token, only its hash', async () => {
    const { email } = await aUser()
    const { session } = await signIn(email)
    const rows = await ctx.db.selectFrom('sessions').selectAll().execute()
    const hashes = rows.map((row) => row.tokenHash.toString('hex'))
    expect(hashes).toContain(
      createHash('sha256')
        .update(session?.value ?? '')
        .digest('hex'),
    )
    expect(JSON.stringify(rows)).not.toContain(session?.value)
  })
})

describe('sign-in', () => {
  it('sets a cookie for the host alone, out of reach of scripts, below the prefix', async () => {
    const { email } = await aUser()
    const plain = await signIn(email.toUpperCase())
    expect(plain.status).toBe(200)
    expect(plain.session).toEqual({
      name: 'tsd_sessionid',
      value: expect.stringMatching(/^[\w-]{43}$/),
      path: '/',
      httpOnly: true,
      sameSite: 'Lax',
    })
    const tlsHeaders = {
      'x-forwarded-proto': 'https',
      'x-forwarded-prefix': '/vigil',
      'x-forwarded-host': 'my.home',
    }
    const tls = await signIn(email, { remember: true, headers: tlsHeaders })
    expect(tls.session).toMatchObject({ path: '/vigil/', secure: true, maxAge: 60 * 86_400 })
    const seenAt = async (of: string) =>
      (await ctx.db.selectFrom('users').select('lastOrigin').where('email', '=', of).executeTakeFirst())
        ?.lastOrigin
    // Only where an administrator comes in do links lead.
    expect(await seenAt(email)).toBeNull()
    const admin = await aUser({ isAdmin: true })
    await signIn(admin.email, { headers: tlsHeaders })
    expect(await seenAt(admin.email)).toBe('https://my.home/vigil')
  })

  it('over HTTPS sets a cookie that no neighbour can replace, and takes the plain one of installed apps too', async () => {
    const { email } = await aUser()
    const https = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'vigil.home' }
    const begin = await app.inject({
      method: 'POST',
      url: '/api/v1/auth/login/',
      headers: { ...https, cookie: `tsd_sessionid=older; tsd_browser=${'planted'.padEnd(43, 'x')}` },
      payload: { email, password: PASSWORD, remember: true },
    })
    expect(begin.cookies).toEqual([
      expect.objectContaining({ name: '__Host-tsd_sessionid', path: '/', secure: true, httpOnly: true }),
      expect.objectContaining({ name: 'tsd_sessionid', value: '' }),
      expect.objectContaining({ name: '__Host-tsd_browser', path: '/', secure: true, httpOnly: true }),
    ])
    expect(begin.cookies[2]?.value).not.toContain('planted')
    const token = begin.cookies[0]?.value ?? ''
    const visit = async (cookie: string) =>
      await app.inject({ url: '/api/v1/users/me/', headers: { ...https, cookie } })
    const other = await aUser()
    const theirs = (await signIn(other.email)).session?.value
    // A neighbour on a sub-domain may add a plain cookie of its own account.
    const mixed = await visit(`tsd_sessionid=${theirs}; __Host-tsd_sessionid=${token}`)
    expect(mixed.json()).toMatchObject({ email })
    expect((await visit(`tsd_sessionid=${token}`)).json()).toMatchObject({ email })
    now += 86_400_000
    const renewed = await visit(`tsd_sessionid=${token}`)
    expect(renewed.cookies).toEqual([expect.objectContaining({ name: 'tsd_sessionid', value: token })])
    const out = await app.inject({
      method: 'POST',
      url: '/api/v1/auth/logout/',
      headers: { ...https, cookie: `__Host-tsd_sessionid=${token}` },
    })
    expect(out.cookies.map(({ name, value }) => [name, value])).toEqual([
      ['__Host-tsd_sessionid', ''],
      ['tsd_sessionid', ''],
    ])
    expect((await visit(`__Host-tsd_sessionid=${token}`)).statusCode).toBe(403)
  })

  it('answers alike for a wrong password, an unknown and a disabled account', async () => {
    const { email, id } = await aUser()
    const disabled = await aUser()
    await ctx.db.updateTable('users').set({ isActive: false }).where('id', '=', disabled.id).execute()
    const answers = [
      await signIn(email, { password: 'wrong password' }),
      await signIn('nobody@example.org'),
      await signIn(disabled.email),
    ]
    for (const { status, body } of answers) {
      expect({ status, body }).toEqual({
        status: 400,
        body: { non_field_errors: ['The e-mail address or the password is wrong.'] },
      })
    }
    expect(id).toBeGreaterThan(0)
  })

  it('speaks the language of the browser', async () => {
    const { body } = await signIn('nobody@example.org', {
      headers: { 'accept-language': 'fr, zh-CN;q=0.8, en;q=0.5' },
    })
    expect(body).toEqual({ non_field_errors: ['电子邮箱或密码不正确。'] })
  })

  it('takes forms with the words of a form', async () => {
    const { email } = await aUser()
    const { status, session } = await send('POST', 'auth/login/', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ email, password: PASSWORD, remember: 'True' }).toString(),
    })
    expect(status).toBe(200)
    expect(session?.maxAge).toBe(60 * 86_400)
  })

  const guess = (email: string, address: string) =>
    signIn(email, { password: 'wrong password', headers: { 'x-forwarded-for': address } })

  it('stops a stranger who guesses at one account, and lets its owner and others in', async () => {
    const { email } = await aUser()
    const other = await aUser()
    const headers = { 'x-forwarded-for': '192.0.2.8' }
    const tries = await Promise.all(Array.from({ length: 8 }, () => guess(email, '192.0.2.8')))
    expect(tries.filter(({ status }) => status === 400)).toHaveLength(5)
    const refused = tries.find(({ status }) => status === 429)
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
    expect((await signIn(email, { headers })).status).toBe(429)
    expect((await signIn(email)).status).toBe(200)
    expect((await signIn(other.email, { headers })).status).toBe(200)
    now += 5 * 60_000
    expect((await signIn(email, { headers })).status).toBe(200)
  })

  it('stops guessing at one account from many addresses, but not its owner where they have signed in', async () => {
    const { email } = await aUser()
    const home = { 'x-forwarded-for': '192.0.2.9' }
    expect((await signIn(email, { headers: home })).status).toBe(200)
    const storm = await Promise.all(
      Array.from({ length: 80 }, (_, i) => guess(email, `203.0.113.${Math.floor(i / 4)}`)),
    )
    expect(storm.filter(({ status }) => status === 400)).toHaveLength(50)
    expect((await signIn(email)).status).toBe(429)
    expect((await signIn(email, { headers: home })).status).toBe(200)
    now += 5 * 60_000
  })

  it('lets an owner in from a browser that has signed in before, whoever guesses at the same address; it guesses no more than others', async () => {
    const { email } = await aUser()
    const other = await aUser()
    const shared = { 'x-forwarded-for': '192.0.2.10' }
    const first = await signIn(email, { headers: shared })
    const cookie = `tsd_browser=${first.browser}`
    await Promise.all(Array.from({ length: 20 }, (_, at) => guess(`y${at}@example.org`, '192.0.2.10')))
    expect((await signIn(email, { headers: shared })).status).toBe(429)
    expect((await signIn(other.email, { headers: { ...shared, cookie } })).status).toBe(429)
    expect((await signIn(email, { headers: { ...shared, cookie } })).status).toBe(200)
    const wrong = { password: 'wrong password', headers: { ...shared, cookie } }
    const tries = await Promise.all(Array.from({ length: 8 }, () => signIn(email, wrong)))
    expect(tries.filter(({ status }) => status === 400)).toHaveLength(5)
    expect((await signIn(email, { headers: { ...shared, cookie } })).status).toBe(429)
    now += 4 * 3_600_000
  })

  it('counts an IPv6 network as one guesser, however many addresses it has', async () => {
    const { email } = await aUser()
    const from64 = await Promise.all(
      Array.from({ length: 8 }, (_, i) => guess(email, `2a01:db8:1:2::${i + 1}`)),
    )
    expect(from64.filter(({ status }) => status === 400)).toHaveLength(5)
    const from48 = await Promise.all(
      Array.from({ length: 40 }, (_, i) => guess(email, `2a01:db8:1:1${i}::1`)),
    )
    expect(from48.filter(({ status }) => status === 400)).toHaveLength(20 - 5)
    expect((await guess(email, '2a01:db8:2::1')).status).toBe(400)
    now += 5 * 60_000
  })

  it('counts failures only: signing in often is no guessing', async () => {
    const { email } = await aUser()
    for (let i = 0; i < 7; i++) expect((await signIn(email)).status).toBe(200)
  })

  it('stops one address that guesses at many accounts', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.7' }
    const statuses: number[] = []
    for (let i = 0; i < 12; i++) statuses.push((await signIn(`x${i}@example.org`, { headers })).status)
    expect(statuses).toEqual([...Array(10).fill(400), 429, 429])
  })

  it('refuses to sign in for another site', async () => {
    const { email } = await aUser()
    expect((await signIn(email, { headers: { origin: 'https://evil.example' } })).status).toBe(403)
    expect((await signIn(email, { headers: { origin: 'null' } })).status).toBe(403)
    expect((await signIn(email, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403)
    expect((await signIn(email, { headers: { origin: 'http://vigil.example:3334' } })).status).toBe(200)
    expect((await signIn(email, { headers: { 'sec-fetch-site': 'same-origin' } })).status).toBe(200)
  })

  it('refuses what cannot be stored or found', async () => {
    const bad = { email: 'a\0b@example.org', password: '\ud800aaaaaaaa' }
    const answer = await send('POST', 'auth/login/', {
      body: JSON.stringify(bad),
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.status).toBe(400)
    expect(Object.keys(answer.body)).toEqual(['email', 'password'])
    expect((await send('POST', 'auth/login/', { body: {} })).body).toEqual({
      email: ['This field is required.'],
      password: ['This field is required.'],
    })
  })

  it('with a hash that came from elsewhere leaves a password alone that was chosen meanwhile', async () => {
    const { id, email } = await aUser()
    const derived = pbkdf2Sync(PASSWORD, 'salt', 1000, 32, 'sha256').toString('base64')
    const passwordHash = `pbkdf2_sha256$1000$salt$${derived}`
    await opened.db.updateTable('users').set({ passwordHash }).where('id', '=', id).execute()
    const other = new pg.Client({ connectionString: database.url })
    await other.connect()
    await other.query('begin')
    await other.query(`update users set password_hash = 'chosen meanwhile' where id = ${id}`)
    const signingIn = signIn(email)
    const waiting = sql`select from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database() and query like 'update "users"%'`
    await eventually(async () => (await waiting.execute(opened.db)).rows[0])
    await other.query('commit')
    await other.end()
    await signingIn
    const kept = opened.db.selectFrom('users').select('passwordHash').where('id', '=', id)
    expect(await kept.executeTakeFirst()).toEqual({ passwordHash: 'chosen meanwhile' })
  })
})

describe('sign-up', () => {
  it('creates an account and signs in; an address is taken once, whatever its case', async () => {
    const body = { email: ' New@Example.org', password: PASSWORD }
    const made = await send('POST', 'auth/signup/', { body })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ email: 'new@example.org', consented_at: expect.any(String) })
    expect(await me(made.session?.value)).toBe(200)
    const again = await send('POST', 'auth/signup/', { body: { ...body, email: 'nEW@example.org' } })
    expect([again.status, again.body]).toEqual([
      400,
      { email: ['An account with this e-mail address exists already.'] },
    ])
    const short = await send('POST', 'auth/signup/', { body: { email: 'c@example.org', password: 'short' } })
    expect([short.status, Object.keys(short.body)]).toEqual([400, ['password']])
  })

  it('is closed unless the operator opens it', async () => {
    const closed = await open()
    const body = { email: 'late@example.org', password: PASSWORD }
    expect((await send('POST', 'auth/signup/', { body, on: closed.app })).status).toBe(403)
    await closed.app.close()
  })
})

describe('sessions', () => {
  it('end with sign-out, at once', async () => {
    const { email } = await aUser()
    const cookie = (await signIn(email)).session?.value
    expect(await me(cookie)).toBe(200)
    const out = await send('POST', 'auth/logout/', { cookie: cookie as string })
    expect([out.status, out.session?.value]).toEqual([204, ''])
    expect(await me(cookie)).toBe(403)
  })

  it('end elsewhere when the password changes, and their sockets are told', async () => {
    const { email } = await aUser()
    const here = (await signIn(email)).session?.value as string
    const there = (await signIn(email)).session?.value as string
    await me(there)
    const ids = (
      await ctx.db.selectFrom('sessions').select('id').orderBy('id', 'desc').limit(2).execute()
    ).map(({ id }) => id)
    const ended: string[] = []
    sessionEnded(ctx, holder(ids[0]), () => ended.push('there'))
    sessionEnded(ctx, holder(ids[1]), () => ended.push('here'))
    const wrong = await send('POST', 'auth/password/change/', {
      cookie: here,
      body: { old: 'not it at all', new: 'another password' },
    })
    expect([wrong.status, wrong.body]).toEqual([400, { old: ['The current password is wrong.'] }])
    const done = await send('POST', 'auth/password/change/', {
      cookie: here,
      body: { old: PASSWORD, new: 'another password' },
    })
    expect(done.status).toBe(204)
    expect([await me(here), await me(there), ended]).toEqual([200, 403, ['there']])
    expect((await signIn(email)).status).toBe(400)
    expect((await signIn(email, { password: 'another password' })).status).toBe(200)
  })

  it('end when the operator sets a password in another process', async () => {
    const { email } = await aUser()
    const cookie = (await signIn(email)).session?.value
    const [row] = await ctx.db.selectFrom('sessions').select('id').orderBy('id', 'desc').limit(1).execute()
    let ended = 0
    sessionEnded(ctx, holder(row?.id), () => ended++)
    const shell = { ...ctx, live: openMemoryLive(log) }
    await setPassword(shell, { email, password: 'set by the operator' })
    await endVanished(ctx)
    expect(ended).toBe(1)
    expect((await signIn(email, { password: 'set by the operator' })).status).toBe(200)
    expect(cookie).toBeDefined()
  })

  it('roll for 60 days when remembered, told to the browser once a day', async () => {
    const { email } = await aUser()
    const { session } = await signIn(email, { remember: true })
    const cookie = session?.value as string
    const touch = async () => (await send('GET', 'users/me/', { cookie })).session
    expect(await touch()).toBeUndefined()
    now += 25 * 3_600_000
    const [first, second] = [await touch(), await touch()]
    expect([first?.value, first?.maxAge, second]).toEqual([cookie, 60 * 86_400, undefined])
    now += 59 * 86_400_000
    expect(await me(cookie)).toBe(200)
    now += 61 * 86_400_000
    expect(await me(cookie)).toBe(403)
  })

  it('end by themselves when the browser is not to remember', async () => {
    const { email } = await aUser()
    const { session } = await signIn(email)
    expect(session?.maxAge).toBeUndefined()
    now += 2 * 86_400_000
    expect(await me(session?.value)).toBe(200)
    now += 4 * 86_400_000
    expect(await me(session?.value)).toBe(403)
  })
})

describe('tokens', () => {
  it('work as bearer and as API key, and open no session', async () => {
    const { id, email } = await aUser()
    const token = await createAccessToken(ctx, { userId: id, application: 'test' })
    const given: Record<string, string>[] = [
      { authorization: `Bearer ${token}` },
      { 'x-api-key': token },
      { authorization: `Basic eDp5, bearer ${token}` },
    ]
    for (const headers of given) {
      const answer = await send('GET', 'users/me/', { headers })
      expect([answer.status, answer.body.email, answer.session]).toEqual([200, email, undefined])
    }
    const wrong: Record<string, string>[] = [
      { authorization: 'Bearer nonsense' },
      { 'x-api-key': 'nonsense' },
    ]
    for (const headers of wrong) {
      expect((await send('GET', 'users/me/', { headers })).status).toBe(403)
    }
    expect(JSON.stringify(await ctx.db.selectFrom('accessTokens').selectAll().execute())).not.toContain(token)
  })
})

describe('the own record', () => {
  it('changes what users may change, and nothing else', async () => {
    const { email } = await aUser()
    const cookie = (await signIn(email)).session?.value as string
    const body = {
      first_name: 'Ada',
      language: 'zh',
      time_zone: 'Europe/Berlin',
      theme: 'dark',
      notification_enabled: false,
      tunnel_cap_multiplier: 99,
      is_pro: false,
      username: 'root',
    }
    const { status, body: user } = await send('PATCH', 'users/me/', { cookie, body })
    expect(status).toBe(200)
    expect(user).toMatchObject({
      first_name: 'Ada',
      language: 'zh',
      time_zone: 'Europe/Berlin',
      theme: 'dark',
      notification_enabled: false,
      tunnel_cap_multiplier: 1,
      is_pro: true,
      username: `${email}_1`,
    })
    const wrong = await send('PATCH', 'users/me/', {
      cookie,
      body: { unseen_printer_events: 7, time_zone: 'Mars/Base', theme: 'pink' },
    })
    expect([wrong.status, Object.keys(wrong.body).toSorted()]).toEqual([
      400,
      ['theme', 'time_zone', 'unseen_printer_events'],
    ])
    expect(wrong.body.time_zone).toEqual(['未知的时区。'])
    for (const time_zone of ['Asia/Kolkata', 'Asia/Calcutta', 'UTC'])
      expect((await send('PATCH', 'users/me/', { cookie, body: { time_zone } })).body.time_zone).toBe(
        time_zone,
      )
  })
})
