import { pino } from 'pino'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aUser, buildTestApp, call, PASSWORD, type TestApp, type TestUser } from '../../../test/app.ts'
import { openTestSmtp, type TestSmtp } from '../../../test/smtp.ts'
import { resetFactors } from '../accounts/index.ts'
import { codeAt } from './codes.rules.ts'
import { lookAfterResets } from './resets.service.ts'

let mailbox: TestSmtp
let app: TestApp
const logged: string[] = []
beforeAll(async () => {
  mailbox = await openTestSmtp()
  const sink = new Writable({ write: (chunk: Buffer, _, done) => (logged.push(String(chunk)), done()) })
  app = await buildTestApp({
    env: { ...mailbox.env, PUBLIC_URL: 'http://vigil.test' },
    log: pino({ level: 'trace' }, sink),
  })
})
afterAll(async () => {
  await app.close()
  await mailbox.close()
})
beforeEach(() => app.newWindows())

const AUTH = '/api/v1/auth/'
const STEP = 30_000
const secrets: string[] = []

async function post(path: string, body: object, cookie?: string, address = '198.51.100.7') {
  const headers = { 'x-forwarded-for': address }
  return await call(app, 'POST', AUTH + path, { body, headers, ...(cookie === undefined ? {} : { cookie }) })
}
const codeNow = (secret: string) => codeAt(secret, app.ctx.clock.now())

/** Somebody with an authenticator app; its code of now is used up. */
async function withApp() {
  const owner = await aUser(app)
  const { secret, uri } = (await post('factors/totp/', {}, owner.cookie)).json
  const confirmed = await post('factors/totp/confirm/', { code: codeNow(secret) }, owner.cookie)
  expect(confirmed.status).toBe(200)
  secrets.push(secret, codeNow(secret), ...confirmed.json.recovery_codes)
  app.advance(STEP)
  return { owner, secret: String(secret), uri: String(uri), codes: confirmed.json.recovery_codes as string[] }
}
async function ticketOf({ email }: TestUser): Promise<string> {
  const first = await post('login/', { email, password: PASSWORD, remember: true })
  expect([first.status, first.json.reason]).toEqual([403, 'second_factor'])
  secrets.push(first.json.ticket)
  return first.json.ticket
}
const step = async (owner: TestUser, code: string, address?: string) =>
  (await post('login/factor/', { ticket: await ticketOf(owner), code }, undefined, address)).status

describe('signing in with an app', () => {
  it('asks for a code after the right password alone, and lets in once for each', async () => {
    const { owner, secret, uri } = await withApp()
    expect(uri).toMatch(/^otpauth:\/\/totp\/Vigil:.*secret=[A-Z2-7]{32}/)
    const wrong = await post('login/', { email: owner.email, password: 'not it at all' })
    expect([wrong.status, wrong.json.reason]).toEqual([400, undefined])
    const ticket = await ticketOf(owner)
    expect((await call(app, 'GET', '/api/v1/users/me/', { cookie: `tsd_sessionid=${ticket}` })).status).toBe(
      403,
    )
    const code = codeNow(secret)
    const opened = await post('login/factor/', { ticket, code })
    expect([opened.status, opened.json.email]).toEqual([200, owner.email])
    expect(opened.headers.getSetCookie().join()).toContain('tsd_sessionid=')
    // The same code again, the same ticket again, and a code of the step before.
    expect(await step(owner, code)).toBe(400)
    expect((await post('login/factor/', { ticket, code: codeNow(secret) })).status).toBe(400)
    expect(await step(owner, codeAt(secret, app.ctx.clock.now() - STEP))).toBe(400)
  })

  it('is refused when two come with one code at the same moment', async () => {
    const { owner, secret } = await withApp()
    const tickets = [await ticketOf(owner), await ticketOf(owner)]
    const code = codeNow(secret)
    const both = await Promise.all(tickets.map((ticket) => post('login/factor/', { ticket, code })))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400])
  })

  it('is over with its ticket after ten minutes, and when the password is another one', async () => {
    const { owner, secret } = await withApp()
    const ticket = await ticketOf(owner)
    const changed = await post('password/change/', { old: PASSWORD, new: 'another password' }, owner.cookie)
    expect(changed.status).toBe(204)
    const late = await post('login/factor/', { ticket, code: codeNow(secret) })
    expect([late.status, Object.keys(late.json)]).toEqual([400, ['ticket']])
  })

  it('is asked of an owner in a browser that has signed in before, whoever guesses at the same address', async () => {
    const { owner, secret } = await withApp()
    const from = (cookie: string | undefined, code: string, ticket: string) =>
      post('login/factor/', { ticket, code }, cookie, '192.0.2.77')
    const first = await from(undefined, codeNow(secret), await ticketOf(owner))
    const browser = /tsd_browser=[\w-]{43}/.exec(first.headers.getSetCookie().join())?.[0]
    app.advance(STEP)
    const others = [await withApp(), await withApp(), await withApp()]
    app.newWindows()
    for (const other of others) {
      const theirs = await ticketOf(other.owner)
      for (let tries = 0; tries < 4; tries++) await from(undefined, '000000', theirs)
    }
    const ticket = await ticketOf(owner)
    expect((await from(undefined, codeNow(secret), ticket)).status).toBe(429)
    expect((await from(browser, codeNow(secret), ticket)).status).toBe(200)
  })

  it('stops guesses, of one account from anywhere, too; the owner’s own address is not locked out', async () => {
    const { owner, secret } = await withApp()
    expect(await step(owner, codeNow(secret), '203.0.113.200')).toBe(200)
    const ticket = await ticketOf(owner)
    const guess = async (address: string) =>
      (await post('login/factor/', { ticket, code: '000000' }, undefined, address)).status
    const statuses: number[] = []
    for (let at = 0; at < 6; at++) statuses.push(await guess('192.0.2.9'))
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
    for (let at = 0; at < 15; at++) expect(await guess(`192.0.2.${20 + at}`)).toBe(400)
    expect(await guess('192.0.2.99')).toBe(429)
    app.advance(STEP)
    const own = await post('login/factor/', { ticket, code: codeNow(secret) }, undefined, '203.0.113.200')
    expect(own.status).toBe(200)
  })
})

it('phone apps sign in on a page of their own, with a code', async () => {
  const { owner, secret } = await withApp()
  const send = async (path: string, fields: Record<string, string>) =>
    await fetch(`${app.url}/mobile/auth/${path}/`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(fields),
    })
  const page = await (await send('login', { login: owner.email, password: PASSWORD, remember: 'on' })).text()
  const ticket = /name="ticket" value="([\w-]{43})"/.exec(page)![1]!
  secrets.push(ticket)
  expect(await (await send('factor', { ticket, code: '000000' })).text()).toContain('This code is not right')
  const done = await send('factor', { ticket, code: codeNow(secret) })
  expect([done.status, done.headers.get('location')]).toEqual([302, '/mobile/auth/fetch/'])
  expect(await (await send('factor', { ticket, code: codeNow(secret) })).text()).toContain(
    'This took too long',
  )
})

describe('recovery codes', () => {
  it('are ten, let in once each however they are typed, and are told of by mail', async () => {
    const { owner, codes } = await withApp()
    expect([codes.length, new Set(codes).size]).toEqual([10, 10])
    const [first = '', second = ''] = codes
    expect(await step(owner, first.toUpperCase().replaceAll('-', ' '))).toBe(200)
    expect(await step(owner, first)).toBe(400)
    await mailbox.letterTo(owner.email, /recovery code was used/)
    const { json } = await call(app, 'GET', `${AUTH}factors/`, { cookie: owner.cookie })
    expect(json).toMatchObject({ totp: true, passkeys: [], recovery_codes_left: 9, reset_at: null })
    const renewed = await post('factors/recovery_codes/', {}, owner.cookie)
    secrets.push(...renewed.json.recovery_codes)
    expect(renewed.json.recovery_codes).toHaveLength(10)
    expect(await step(owner, second)).toBe(400)
  })

  it('and keys of apps stand in no table as they are', async () => {
    const { secret, codes } = await withApp()
    const [totp, recovery] = await Promise.all([
      app.ctx.db.selectFrom('totpFactors').selectAll().execute(),
      app.ctx.db.selectFrom('recoveryCodes').selectAll().execute(),
    ])
    expect(JSON.stringify([totp, recovery])).not.toContain(secret)
    const kept = recovery.map(({ codeHash }) => codeHash.toString('latin1')).join()
    for (const code of codes) expect(kept).not.toContain(code.replaceAll('-', ''))
  })
})

describe('before what is dangerous', () => {
  it('asks again when a quarter of an hour has gone: for the password where there is no factor', async () => {
    const owner = await aUser(app)
    const key = () => post('../api_keys/', { name: 'Slicer' }, owner.cookie)
    expect((await key()).status).toBe(201)
    app.advance(16 * 60_000)
    const asked = await key()
    expect([asked.status, asked.json.reason, asked.json.factors, asked.json.has_password]).toEqual([
      403,
      'proof_wanted',
      [],
      true,
    ])
    for (const path of ['emails/', 'factors/totp/', 'factors/passkeys/options/'])
      expect((await post(path, { email: 'another@example.org' }, owner.cookie)).json.reason).toBe(
        'proof_wanted',
      )
    expect((await post('proof/', { password: 'not it at all' }, owner.cookie)).json).toEqual({
      password: ['The password is wrong.'],
    })
    expect((await post('proof/', { password: PASSWORD }, owner.cookie)).status).toBe(204)
    expect((await key()).status).toBe(201)
  })

  it('asks for the factor where there is one: the password is not enough then', async () => {
    const { owner, secret } = await withApp()
    app.advance(16 * 60_000)
    const remove = () => call(app, 'DELETE', `${AUTH}factors/totp/`, { cookie: owner.cookie })
    expect((await remove()).json).toMatchObject({ reason: 'proof_wanted', factors: ['totp', 'recovery'] })
    const password = { old: PASSWORD, new: 'another password' }
    expect((await post('password/change/', password, owner.cookie)).json.reason).toBe('proof_wanted')
    expect((await post('proof/', { password: PASSWORD }, owner.cookie)).status).toBe(400)
    expect((await post('proof/', { code: codeNow(secret) }, owner.cookie)).status).toBe(204)
    expect((await remove()).status).toBe(204)
    await mailbox.letterTo(owner.email, /app was removed/)
    const { json } = await call(app, 'GET', `${AUTH}factors/`, { cookie: owner.cookie })
    expect(json).toMatchObject({ totp: false, recovery_codes_left: 0 })
    expect((await post('login/', { email: owner.email, password: PASSWORD })).status).toBe(200)
  })
})

describe('a factor that was lost', () => {
  const day = 24 * 3_600_000
  const works = async ({ email }: TestUser) => (await post('login/', { email, password: PASSWORD })).status

  it('is removed a day after its owner was told, and not before', async () => {
    const { owner } = await withApp()
    expect(await resetFactors(app.ctx, { email: owner.email })).toBe(true)
    expect(await resetFactors(app.ctx, { email: owner.email })).toBe(false)
    await lookAfterResets(app.ctx)
    await mailbox.letterTo(owner.email, /will be removed/)
    app.advance(day - 60_000)
    await lookAfterResets(app.ctx)
    expect(await works(owner)).toBe(403)
    app.advance(120_000)
    await lookAfterResets(app.ctx)
    expect(await works(owner)).toBe(200)
    await mailbox.letterTo(owner.email, /factors were removed/)
  })

  it('stays when its owner objects, by the link, signed in, or by signing in with it', async () => {
    const objections: ((one: Awaited<ReturnType<typeof withApp>>, link: string) => Promise<unknown>)[] = [
      async (_, link) => expect((await post('factors/keep/', { link })).status).toBe(204),
      async ({ owner }) => expect((await post('factors/keep/', {}, owner.cookie)).status).toBe(204),
      async ({ owner, secret }) => expect(await step(owner, codeNow(secret))).toBe(200),
    ]
    for (const object of objections) {
      const one = await withApp()
      await resetFactors(app.ctx, { email: one.owner.email })
      await lookAfterResets(app.ctx)
      const letter = await mailbox.letterTo(one.owner.email, /will be removed/)
      const link = /factors\/keep\/([\w-]+)\//.exec(letter.text ?? '')![1]!
      secrets.push(link)
      expect(letter.text).toContain('http://vigil.test/accounts/factors/keep/')
      await object(one, link)
      app.advance(2 * day)
      await lookAfterResets(app.ctx)
      expect(await works(one.owner)).toBe(403)
      expect((await post('factors/keep/', { link })).status).toBe(400)
    }
  })
})

it('nothing of it stands in the log', () => {
  expect(secrets.length).toBeGreaterThan(50)
  const all = logged.join('\n')
  expect(all).toContain('/api/v1/auth/login/factor/')
  expect(secrets.filter((secret) => secret.length > 6 && all.includes(secret))).toEqual([])
})
