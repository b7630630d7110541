/** One server on several hosts, each a brand of its own (docs/wire/rest.md 8), in the enterprise edition. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildTestApp, call, PASSWORD, type TestApp } from '../test/app.ts'
import { openTestSmtp, type TestSmtp } from '../test/smtp.ts'

const FARM = 'print.farm.example'
const LAB = 'lab.print.example'
const BRANDS = [
  { id: 1, name: 'home', display_name: 'Home', hosts: [LAB] },
  {
    id: 2,
    name: 'farm',
    display_name: 'Print Farm',
    hosts: [FARM],
    docs: 'https://help.farm.example/',
    theme: 'dark',
    email_from: 'hello@farm.example',
    public_url: `https://${FARM}/`,
  },
]

let app: TestApp
let mailbox: TestSmtp
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigil-hosts-'))
  await writeFile(join(folder, 'brands.json'), JSON.stringify(BRANDS))
  mailbox = await openTestSmtp()
  app = await buildTestApp({
    env: {
      ...mailbox.env,
      BRANDS_FOLDER: folder,
      PUBLIC_URL: `http://${LAB}`,
      ACCOUNT_ALLOW_SIGN_UP: 'true',
      IS_ENT: 'true',
    },
  })
})
afterAll(async () => {
  await app.close()
  await mailbox.close()
  await rm(folder, { recursive: true })
})
beforeEach(() => app.newWindows())

const at = (host: string, method: string, path: string, body?: object, more: Record<string, string> = {}) =>
  call(app, method, path, {
    ...(body === undefined ? {} : { body }),
    headers: { 'x-forwarded-host': host, ...more },
  })
const signUp = (host: string, email: string, password = PASSWORD) =>
  at(host, 'POST', '/api/v1/auth/signup/', { email, password })
const signIn = (host: string, email: string, password = PASSWORD, named?: string) =>
  at(host, 'POST', '/api/v1/auth/login/', { email, password }, named ? { 'x-obico-syndicate': named } : {})
const brandAt = async (host: string, headers: Record<string, string> = {}) =>
  (await at(host, 'GET', '/api/v1/bootstrap/', undefined, headers)).json.page_context.syndicate

describe('a host', () => {
  it.each([
    [FARM, 'farm'],
    [`${FARM}:8443`, 'farm'],
    [`a.b.${FARM}`, 'farm'],
    [LAB, 'home'],
    ['elsewhere.example', 'home'],
  ])('%s is shown as %s', async (host, name) => expect((await brandAt(host)).name).toBe(name))

  it('has name, help and theme of its brand, in the page too; a header that names no brand changes nothing', async () => {
    const farm = { name: 'farm', display_name: 'Print Farm', docRoot: BRANDS[1]?.docs, theme: 'dark' }
    expect(await brandAt(FARM)).toMatchObject(farm)
    for (const named of ['nobody', ''])
      expect(await brandAt(FARM, { 'x-obico-syndicate': named })).toMatchObject(farm)
    const page = await at(FARM, 'GET', '/accounts/login/', undefined, { accept: 'text/html' })
    expect(page.text).toMatch(/data-theme="dark"/)
    expect((await at(LAB, 'GET', '/accounts/login/', undefined, { accept: 'text/html' })).text).not.toMatch(
      /data-theme=/,
    )
    expect((await brandAt(LAB, { 'x-obico-syndicate': 'farm' })).name).toBe('farm')
  })
})

describe('accounts', () => {
  it('are unique within their brand: one address, two accounts, each for its own host and password', async () => {
    const email = 'both@example.org'
    const [home, farm] = [await signUp(LAB, email), await signUp(FARM, email, 'another good one')]
    expect([home.status, farm.status]).toEqual([201, 201])
    expect(farm.json.id).not.toBe(home.json.id)
    expect([home.json.username, farm.json.username]).toEqual([`${email}_1`, `${email}_2`])
    expect((await signUp(FARM, email)).status).toBe(400)
    const ids = [await signIn(LAB, email), await signIn(FARM, email, 'another good one')]
    expect(ids.map(({ json }) => json.id)).toEqual([home.json.id, farm.json.id])
    // No header, known or not, tries a password at another brand's accounts.
    for (const named of ['farm', 'home', 'nobody'])
      expect((await signIn(LAB, email, 'another good one', named)).status).toBe(400)
    // Each is shown in its own brand, whatever the host.
    const cookie = ids[1]?.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
    expect((await brandAt(LAB, { cookie })).name).toBe('farm')
  })

  it('are guarded each by itself: who has the address with another brand gets no more guesses', async () => {
    const email = 'guessed@example.org'
    await signUp(LAB, email)
    await signUp(FARM, email, 'another good one')
    const guess = async () => (await signIn(LAB, email, 'not the right one')).status
    for (let tries = 0; tries < 5; tries++) expect(await guess()).toBe(400)
    // Neither forgotten by a sign-in there, nor held against it.
    expect((await signIn(FARM, email, 'another good one')).status).toBe(200)
    expect(await guess()).toBe(429)
  })

  it('are written to from the address and in the name of their brand', async () => {
    const letterOf = async (host: string, email: string) => {
      await signUp(host, email)
      await mailbox.letterTo(email, /confirm/i)
      mailbox.received.length = 0
      expect((await at(host, 'POST', '/api/v1/auth/password/reset/', { email })).status).toBe(204)
      const { from, text = '' } = await mailbox.letterTo(email, /password/i)
      return { from, text }
    }
    const farm = await letterOf(FARM, 'farmer@example.org')
    expect(farm.from).toMatchObject({ name: 'Print Farm', address: 'hello@farm.example' })
    expect(farm.text).toContain('Print Farm')
    // Its accounts are signed in to at its own host alone: there the link leads.
    expect(farm.text).toContain(`https://${FARM}/accounts/password/reset/`)
    const home = await letterOf(LAB, 'homely@example.org')
    expect(home.from?.address).toBe('vigil@example.org')
    expect(home.text).not.toContain('Print Farm')
    expect(home.text).toContain(`http://${LAB}/accounts/password/reset/`)
    // Who has no account of this brand gets no letter of it.
    mailbox.received.length = 0
    await at(LAB, 'POST', '/api/v1/auth/password/reset/', { email: 'farmer@example.org' })
    await letterOf(LAB, 'last@example.org')
    expect(mailbox.received.filter(({ to }) => to.includes('farmer@example.org'))).toEqual([])
  })
})
