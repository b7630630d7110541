import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aUser, buildTestApp, call, PASSWORD, type TestApp, type TestUser } from '../../../test/app.ts'
import { openTestSmtp, type TestSmtp } from '../../../test/smtp.ts'

const RESET = '/api/v1/auth/password/reset/'
const NEW = 'a new and better one'
let smtp: TestSmtp
let app: TestApp
let user: TestUser

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
  smtp.received.length = 0
  user = await aUser(app)
})

const ask = (email: string, headers: Record<string, string> = {}) =>
  call(app, 'POST', RESET, { body: { email }, headers })
const signIn = (password: string, email = user.email) =>
  call(app, 'POST', '/api/v1/auth/login/', { body: { email, password } })

/** Asks for a link and reads it in the letter. */
async function asked(email = user.email) {
  expect((await ask(email.toUpperCase())).status).toBe(204)
  const letter = await smtp.letterTo(email, /new password/)
  const [, uid, token] = /\/password\/reset\/key\/(\w+)-([\w-]+)\//.exec(letter.text ?? '')!
  return { uid: uid!, token: token!, letter }
}
const confirm = (link: { uid: string; token: string }, password = NEW) =>
  call(app, 'POST', `${RESET}confirm/`, { body: { uid: link.uid, token: link.token, password } })
const check = ({ uid, token }: { uid: string; token: string }) =>
  call(app, 'GET', `${RESET}confirm/?uid=${uid}&token=${token}`)

describe('a new password by mail', () => {
  it('is chosen once with the link; every session ends, the owner is told, the address is confirmed', async () => {
    const link = await asked()
    expect((await check(link)).status).toBe(204)
    expect((await confirm(link, 'short')).status).toBe(400)
    expect((await confirm({ ...link, uid: 'zz' })).status).toBe(400)
    expect((await confirm(link)).status).toBe(204)
    expect((await signIn(NEW)).status).toBe(200)
    expect((await signIn(PASSWORD)).status).toBe(400)
    expect((await call(app, 'GET', '/api/v1/users/me/', { cookie: user.cookie })).status).toBe(403)
    const again = await confirm(link, 'yet another password')
    expect(again).toMatchObject({ status: 400, json: { token: [expect.any(String)] } })
    expect((await check(link)).status).toBe(400)
    await smtp.letterTo(user.email, /was changed/)
    const { json } = await signIn(NEW)
    expect(json.is_primary_email_verified).toBe(true)
    const audit = await app.ctx.db
      .selectFrom('audit')
      .select(['action', 'actor'])
      .where('userId', '=', user.id)
      .orderBy('id')
      .execute()
    expect(audit).toEqual([
      { action: 'password_reset_asked', actor: `user:${user.id}` },
      { action: 'password_changed', actor: 'link' },
    ])
  })

  it('is won by one of two who follow the link at the same moment', async () => {
    const link = await asked()
    const answers = await Promise.all([confirm(link, 'the first of two'), confirm(link, 'the other of two')])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 400])
  })

  it('works for an hour, and until the password is another one', async () => {
    const link = await asked()
    app.advance(3_601_000)
    expect((await confirm(link)).status).toBe(400)
    smtp.received.length = 0
    const fresh = await asked()
    const body = { old: PASSWORD, new: NEW }
    const answer = await signIn(PASSWORD)
    const cookie = answer.headers.getSetCookie()[0]!.split(';')[0]!
    expect((await call(app, 'POST', '/api/v1/auth/password/change/', { cookie, body })).status).toBe(204)
    expect((await confirm(fresh)).status).toBe(400)
  })

  it.each([
    ['sunshine1', /most used/],
    ['Vigil-2026', /name/],
  ])('is none that anybody would try first: %s', async (password, words) => {
    const link = await asked()
    expect(await confirm(link, password)).toMatchObject({
      status: 400,
      json: { password: [expect.stringMatching(words)] },
    })
    expect((await confirm(link)).status).toBe(204)
  })

  it('is answered alike for every address, and mailed to those of accounts alone', async () => {
    const [known, unknown] = [await ask(user.email), await ask('nobody@example.org')]
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text])
    await smtp.letterTo(user.email, /new password/)
    const { count } = await app.ctx.db
      .selectFrom('mails')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('address', '=', 'nobody@example.org')
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(0)
  })

  it('leads where an administrator signs in, whatever host a stranger names who signs up and asks', async () => {
    const body = { email: 'victim@example.org', password: PASSWORD }
    const evil = { 'x-forwarded-host': 'evil.example' }
    expect((await call(app, 'POST', '/api/v1/auth/signup/', { body, headers: evil })).status).toBe(201)
    await call(app, 'POST', '/api/v1/auth/login/', { body, headers: evil })
    await asked('victim@example.org')
    await smtp.letterTo('victim@example.org', /Confirm/)
    expect(smtp.received.map(({ mail }) => `${mail.text}${mail.html}`).join()).not.toContain('evil.example')
    await ask(user.email, { 'x-forwarded-host': 'evil.example', origin: 'http://evil.example' })
    const link = await ask(user.email, { 'x-forwarded-host': 'evil.example' })
    expect(link.status).toBe(204)
    const letter = await smtp.letterTo(user.email, /new password/)
    expect(`${letter.text}${letter.html}`).not.toContain('evil.example')
    expect(letter.text).toContain(`${app.url}/accounts/password/reset/key/`)
  })

  it('is asked for five times a minute for an address, and mailed once', async () => {
    const answers = await Promise.all(Array.from({ length: 7 }, () => ask(user.email)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 204, 204, 204, 204, 429, 429])
    await smtp.letterTo(user.email, /new password/)
    app.newWindows()
    await asked()
    await expect.poll(() => smtp.received.length).toBe(2)
  })

  it('goes to a confirmed address that is not the primary one, and to no unconfirmed one', async () => {
    const { db } = app.ctx
    const add = (email: string, verified: boolean) =>
      db
        .insertInto('emailAddresses')
        .values({ userId: user.id, brand: 'base', email, verified, isPrimary: false })
        .execute()
    await add(`unsure-${user.email}`, false)
    await add(`second-${user.email}`, true)
    await ask(`unsure-${user.email}`)
    const link = await asked(`second-${user.email}`)
    expect((await confirm(link)).status).toBe(204)
    expect((await signIn(NEW)).status).toBe(200)
    expect(smtp.received.some(({ to }) => to[0]?.startsWith('unsure'))).toBe(false)
  })
})

describe('a password', () => {
  it('is set by who has none, and only changed by who has one', async () => {
    const set = (who: string) =>
      call(app, 'POST', '/api/v1/auth/password/set/', { cookie: who, body: { new: NEW } })
    expect((await set(user.cookie)).status).toBe(400)
    await app.ctx.db.updateTable('users').set({ passwordHash: null }).where('id', '=', user.id).execute()
    const change = await call(app, 'POST', '/api/v1/auth/password/change/', {
      cookie: user.cookie,
      body: { old: PASSWORD, new: NEW },
    })
    expect(change).toMatchObject({ status: 400, json: { non_field_errors: [expect.any(String)] } })
    expect((await set(user.cookie)).status).toBe(204)
    expect((await signIn(NEW)).status).toBe(200)
    expect((await call(app, 'GET', '/api/v1/users/me/', { cookie: user.cookie })).status).toBe(200)
  })
})

it('without a mail server nobody is promised a letter', async () => {
  const silent = await buildTestApp()
  try {
    const answer = await call(silent, 'POST', RESET, { body: { email: 'a@b.example' } })
    expect(answer).toMatchObject({ status: 503, json: { detail: expect.stringContaining('EMAIL_HOST') } })
  } finally {
    await silent.close()
  }
})
