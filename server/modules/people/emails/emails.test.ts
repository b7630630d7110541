import type { Email } from 'postal-mime'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aUser, buildTestApp, call, PASSWORD, type TestApp, type TestUser } from '../../../test/app.ts'
import { openTestSmtp, type TestSmtp } from '../../../test/smtp.ts'
import { createUser } from '../accounts/index.ts'
import { mailAddressesOf } from './index.ts'

const EMAILS = '/api/v1/auth/emails/'
let smtp: TestSmtp
let app: TestApp
let user: TestUser
let count = 0

beforeAll(async () => {
  smtp = await openTestSmtp()
  app = await buildTestApp({ env: { ...smtp.env, ACCOUNT_ALLOW_SIGN_UP: 'true' } })
  await aUser(app, { isAdmin: true })
})
afterAll(async () => {
  await app.close()
  await smtp.close()
})
beforeEach(async () => {
  app.newWindows()
  user = await aUser(app)
})

const anAddress = () => `other${++count}@example.net`
const mine = (method: string, path = EMAILS, body?: unknown, who = user) =>
  call(app, method, path, { cookie: who.cookie, body })
const keyIn = (letter: Email) => /\/accounts\/confirm-email\/([\w-]+)\//.exec(letter.text ?? '')![1]!
const confirm = (key: string) => call(app, 'POST', `${EMAILS}confirm/`, { body: { key } })
const show = (key: string) => call(app, 'GET', `${EMAILS}confirm/?key=${key}`)

/** Adds an address and reads the letter that came there. */
async function added(email = anAddress(), who = user) {
  const { status, json } = await mine('POST', EMAILS, { email }, who)
  expect(status).toBe(201)
  const key = keyIn(await smtp.letterTo(email, /Confirm/))
  return { id: json.id as number, email, key }
}

describe('addresses of a user', () => {
  it('begin with the one that they sign in with, and are added by a link', async () => {
    const email = anAddress()
    const made = await mine('POST', EMAILS, { email: email.toUpperCase() })
    expect(made.status).toBe(201)
    expect(made.json).toEqual({ id: made.json.id, email, verified: false, primary: false })
    expect((await mine('GET')).json).toEqual([
      { id: expect.any(Number), email: user.email, verified: false, primary: true },
      made.json,
    ])
    const key = keyIn(await smtp.letterTo(email, /Confirm/))
    // Looking, as mail programs do before anybody has read the letter, changes nothing.
    expect((await show(key)).json).toEqual({ email, verified: false })
    expect((await show(key)).json).toEqual({ email, verified: false })
    expect(await mailAddressesOf(app.ctx, user.id)).toEqual([])
    expect(await confirm(key)).toMatchObject({ status: 200, json: { email, verified: true } })
    expect(await confirm(key)).toMatchObject({ status: 200, json: { email, verified: true } })
    expect(await mailAddressesOf(app.ctx, user.id)).toEqual([email])
  })

  it('are made primary once confirmed; the one before is told, and signs in no more', async () => {
    const { id, email, key } = await added()
    const early = await mine('POST', `${EMAILS}${id}/make_primary/`)
    expect(early.status).toBe(400)
    await confirm(key)
    const made = await mine('POST', `${EMAILS}${id}/make_primary/`)
    expect(made).toMatchObject({ status: 200, json: { id, email, verified: true, primary: true } })
    const me = await mine('GET', '/api/v1/users/me/')
    expect(me.json).toMatchObject({ email, is_primary_email_verified: true })
    await smtp.letterTo(user.email, /Another address/)
    const signIn = (address: string) =>
      call(app, 'POST', '/api/v1/auth/login/', { body: { email: address, password: PASSWORD } })
    expect((await signIn(email.toUpperCase())).status).toBe(200)
    expect((await signIn(user.email)).status).toBe(400)
    expect((await mine('DELETE', `${EMAILS}${id}/`)).status).toBe(400)
    const before = (await mine('GET')).json[1]
    expect((await mine('DELETE', `${EMAILS}${before.id}/`)).status).toBe(204)
    expect((await mine('GET')).json).toHaveLength(1)
    const audit = await app.ctx.db
      .selectFrom('audit')
      .select('action')
      .where('userId', '=', user.id)
      .orderBy('id')
      .execute()
    expect(audit.map(({ action }) => action)).toEqual([
      'email_added',
      'email_confirmed',
      'email_made_primary',
      'email_removed',
    ])
  })

  it('get another link after three minutes, and none once confirmed', async () => {
    const { id, email, key } = await added()
    const soon = await mine('POST', `${EMAILS}${id}/resend/`)
    expect(soon.status).toBe(429)
    expect(Number(soon.headers.get('retry-after'))).toBeLessThanOrEqual(180)
    app.advance(181_000)
    expect((await mine('POST', `${EMAILS}${id}/resend/`)).status).toBe(200)
    await expect.poll(() => smtp.received.filter(({ to }) => to.includes(email)).length).toBe(2)
    expect((await confirm(key)).status).toBe(200)
    app.advance(181_000)
    expect((await mine('POST', `${EMAILS}${id}/resend/`)).status).toBe(400)
  })

  it('are confirmed within three days, and by nothing made up', async () => {
    const { key } = await added()
    expect((await confirm(`${key}x`)).status).toBe(404)
    expect((await show('nothing')).status).toBe(404)
    app.advance(3 * 86_400_000 + 1000)
    expect((await confirm(key)).status).toBe(404)
  })

  it('lead nowhere once removed', async () => {
    const { id, key } = await added()
    await mine('DELETE', `${EMAILS}${id}/`)
    expect((await confirm(key)).status).toBe(404)
  })

  it('belong to one account of a brand: only who reads the letter learns that it is taken', async () => {
    const { email, key } = await added()
    await confirm(key)
    smtp.received.length = 0
    const other = await aUser(app)
    const theirs = await added(email, other)
    expect(theirs.key).not.toBe(key)
    expect((await confirm(theirs.key)).status).toBe(400)
    const signUp = await call(app, 'POST', '/api/v1/auth/signup/', { body: { email, password: PASSWORD } })
    expect(signUp).toMatchObject({ status: 400, json: { email: [expect.stringContaining('exists')] } })
    // In another brand it is another account's.
    const stranger = await createUser(app.ctx, { email, password: PASSWORD, isAdmin: false, brand: 'yumi' })
    expect(stranger.email).toBe(email)
  })

  it('of others do not exist', async () => {
    const { id } = await added()
    const other = await aUser(app)
    for (const [method, path] of [
      ['DELETE', `${EMAILS}${id}/`],
      ['POST', `${EMAILS}${id}/resend/`],
      ['POST', `${EMAILS}${id}/make_primary/`],
    ] as const)
      expect((await mine(method, path, undefined, other)).status).toBe(404)
    const twice = await mine('POST', EMAILS, { email: user.email })
    expect(twice).toMatchObject({ status: 400, json: { email: [expect.any(String)] } })
    expect((await mine('POST', EMAILS, { email: 'no address' })).status).toBe(400)
  })

  it('are changed ten times a minute at most', async () => {
    const tries = await Promise.all(
      Array.from({ length: 12 }, () => mine('POST', EMAILS, { email: user.email })),
    )
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(2)
  })

  it('that a link names are kept as a hash: the database alone confirms nothing', async () => {
    const { key } = await added()
    const { db } = app.ctx
    const links = await db.selectFrom('mailLinks').selectAll().execute()
    const mails = await db.selectFrom('mails').selectAll().execute()
    expect(JSON.stringify([links, mails])).not.toContain(key)
  })
})

describe('sign-up', () => {
  const signUp = (on: TestApp, email: string) =>
    call(on, 'POST', '/api/v1/auth/signup/', { body: { email, password: PASSWORD } })

  it('sends the link and lets in at once', async () => {
    const email = anAddress()
    const made = await signUp(app, email)
    expect(made).toMatchObject({ status: 201, json: { email, is_primary_email_verified: false } })
    await confirm(keyIn(await smtp.letterTo(email, /Confirm/)))
    const row = await app.ctx.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()
    expect(row?.isPrimaryEmailVerified).toBe(true)
  })

  it('lets nobody in before the link was followed, where that is asked for', async () => {
    const env = { ...smtp.env, ACCOUNT_ALLOW_SIGN_UP: 'true', ACCOUNT_EMAIL_VERIFICATION: 'mandatory' }
    const strict = await buildTestApp({ env })
    try {
      // As long as no link can be mailed, nobody is told that one was.
      expect(await signUp(strict, anAddress())).toMatchObject({
        status: 503,
        json: { detail: expect.stringContaining('PUBLIC_URL') },
      })
      await aUser(strict, { isAdmin: true })
      const email = anAddress()
      const made = await signUp(strict, email)
      expect(made).toMatchObject({ status: 403, json: { reason: 'email_unverified' } })
      expect(made.headers.getSetCookie()).toEqual([])
      const signIn = (password = PASSWORD) =>
        call(strict, 'POST', '/api/v1/auth/login/', { body: { email, password } })
      expect(await signIn()).toMatchObject({ status: 403, json: { reason: 'email_unverified' } })
      // Who does not know the password learns nothing of the account.
      expect((await signIn('wrong password')).status).toBe(400)
      // Nor does who signs up with somebody's address: then, later, and with any password they are answered as for a new one.
      const taken = await aUser(strict)
      const fresh = anAddress()
      for (const password of [PASSWORD, 'some other password']) {
        const answers = await Promise.all(
          [taken.email, fresh].map(async (one) => {
            const body = { email: one, password }
            const up = await call(strict, 'POST', '/api/v1/auth/signup/', { body })
            return [up.status, up.text.replace(one, 'x')]
          }),
        )
        expect(answers[0]).toEqual(answers[1])
      }
      const tryIn = (one: string, password: string) =>
        call(strict, 'POST', '/api/v1/auth/login/', { body: { email: one, password } })
      expect((await tryIn(taken.email, 'some other password')).json).toMatchObject({
        reason: 'email_unverified',
      })
      expect((await tryIn(taken.email, 'not that one')).status).toBe(400)
      expect((await tryIn(taken.email, PASSWORD)).status, 'its owner comes in as ever').toBe(200)
      await smtp.letterTo(taken.email, /account already/)
      const key = keyIn(await smtp.letterTo(email, /Confirm/))
      await call(strict, 'POST', `${EMAILS}confirm/`, { body: { key } })
      expect((await signIn()).status).toBe(200)
      // Whom the operator has made is let in.
      expect((await aUser(strict)).cookie).not.toBe('')
    } finally {
      await strict.close()
    }
  })
})

it('without a mail server an address is not added, and the reason is said', async () => {
  const silent = await buildTestApp()
  try {
    const someone = await aUser(silent)
    const answer = await call(silent, 'POST', EMAILS, {
      cookie: someone.cookie,
      body: { email: 'a@b.example' },
    })
    expect(answer).toMatchObject({ status: 503, json: { detail: expect.stringContaining('EMAIL_HOST') } })
    const { json } = await call(silent, 'GET', '/api/v1/bootstrap/')
    expect(json.settings.EMAIL_ENABLED).toBe(false)
  } finally {
    await silent.close()
  }
})

describe('what happens to an account', () => {
  const PARIS = { time_zone: 'Europe/Paris' }
  const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  const signIn = (headers: Record<string, string> = {}, cookie = '', password = PASSWORD) =>
    call(app, 'POST', '/api/v1/auth/login/', {
      cookie,
      headers: { 'user-agent': FIREFOX, ...headers },
      body: { email: user.email, password },
    })
  const browserIn = ({ headers }: { headers: Headers }) =>
    headers
      .getSetCookie()
      .find((one) => one.startsWith('tsd_browser='))
      ?.split(';')[0]
  const makeKey = (name: string) => mine('POST', '/api/v1/api_keys/', { name })
  const letters = (subject: RegExp) =>
    smtp.received.filter(({ to, mail }) => to.includes(user.email) && subject.test(mail.subject ?? ''))
  const verified = async () => {
    const { db } = app.ctx
    await db.updateTable('emailAddresses').set({ verified: true }).where('userId', '=', user.id).execute()
    await mine('PATCH', '/api/v1/users/me/', PARIS)
  }

  it('is told by mail: a sign-in from a browser that is new, once for each', async () => {
    await verified()
    const first = await signIn()
    const letter = await smtp.letterTo(user.email, /^New sign-in to Vigil$/)
    expect(letter.text).toMatch(/When: \d{4}-\d\d-\d\d \d\d:\d\d \(Europe\/Paris\)/)
    expect(letter.text).toContain('Browser: Firefox, Linux')
    expect(letter.text).toContain('Network address: ')
    expect(letter.headers.find(({ key }) => key === 'list-unsubscribe')?.value).toContain(
      'list=account_notification',
    )
    // The same by its cookie, though elsewhere; and one that keeps no cookies, at the same place.
    const cookie = browserIn(first)
    expect(cookie).toMatch(/^tsd_browser=[\w-]{43}$/)
    await signIn({ 'x-forwarded-for': '198.51.100.9' }, cookie)
    await signIn()
    await makeKey('the end')
    await smtp.letterTo(user.email, /API key/)
    expect(letters(/sign-in/)).toHaveLength(1)
  })

  it.each([
    ['a new password', 'POST', '/api/v1/auth/password/change/', { old: PASSWORD, new: `${PASSWORD} 2` }],
    ['signing out all others', 'DELETE', '/api/v1/auth/sessions/', undefined],
  ])(
    'is told anew after %s: browsers are new again, but the one where it was done',
    async (_, method, path, body) => {
      await verified()
      const password = body?.new ?? PASSWORD
      const away = { 'x-forwarded-for': '198.51.100.9' }
      const there = browserIn(await signIn(away))
      const { cookie } = user
      expect((await call(app, method, path, { cookie, ...(body && { body }) })).status).toBe(204)
      await signIn({ 'x-forwarded-for': '198.51.100.10' }, cookie, password)
      await signIn({ 'x-forwarded-for': '198.51.100.11' }, there, password)
      await expect.poll(() => letters(/sign-in/).length).toBe(2)
      const told = letters(/sign-in/).map(({ mail }) => /198\.51\.100\.\d{1,3}/.exec(mail.text ?? '')?.[0])
      expect(told).toEqual(['198.51.100.9', '198.51.100.11'])
    },
  )

  it('is told of a printer that was linked, a program that got a key, and one more address', async () => {
    await verified()
    await mine('PATCH', '/api/v1/users/me/', { language: 'zh' })
    const { code } = (await mine('GET', '/api/v1/onetimeverificationcodes/')).json
    const linked = await call(app, 'POST', `/api/v1/octo/verify/?code=${code}`)
    const letter = await smtp.letterTo(user.email, /已连接一台新打印机/)
    expect(letter.text).toContain(`/printers/${linked.json.printer.id}/`)
    await makeKey('<b>工作室</b>')
    expect((await smtp.letterTo(user.email, /API 密钥/)).html).toContain('&lt;b&gt;工作室')
    const other = anAddress()
    await mine('POST', EMAILS, { email: other })
    const key = keyIn(await smtp.letterTo(other, /确认/))
    await confirm(key)
    expect((await smtp.letterTo(user.email, /添加了新地址/)).text).toContain(other)
    expect(
      smtp.received.filter(({ to, mail }) => to.includes(other) && /新地址/.test(mail.subject ?? '')),
    ).toEqual([])
  })

  it('is told to confirmed addresses alone, and to nobody who has turned it off', async () => {
    await signIn()
    await verified()
    await mine('PATCH', '/api/v1/users/me/', { account_notification_by_email: false })
    await signIn({ 'user-agent': 'curl/8' })
    await makeKey('unheard')
    await mine('PATCH', '/api/v1/users/me/', { account_notification_by_email: true })
    await makeKey('heard')
    expect((await smtp.letterTo(user.email, /API key/)).text).toContain('Name: heard')
    expect(letters(/sign-in|API key/)).toHaveLength(1)
  })
})
