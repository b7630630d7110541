import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { aNode, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { LOOK_MS } from './site.service.ts'

const BASE = '/api/v1/admin/site/'
let app: TestApp
let admin: TestUser

beforeAll(async () => {
  app = await buildTestApp()
  admin = await aUser(app, { isAdmin: true })
})
afterAll(() => app.close())
beforeEach(async () => {
  await by('DELETE', 'brands/base/')
})

const by = (method: string, path: string, body?: unknown) =>
  call(app, method, BASE + path, { cookie: admin.cookie, body })
const bootstrap = async () => (await call(app, 'GET', '/api/v1/bootstrap/')).json
const colors = { accent: '#102030', accent_soft: '#405060', on_accent: '#ffffff' }

describe('a brand', () => {
  it('is dressed anew at once, and as its file has it again', async () => {
    const wish = {
      display_name: 'Ours',
      docs: 'https://help.example.org/',
      community: null,
      theme: 'dark',
      colors: { light: colors, dark: colors },
      email_from: 'printers@example.org',
    }
    const { json } = await by('PATCH', 'brands/base/', wish)
    expect(json.brands[0]).toMatchObject({
      shown: { name: 'base', display_name: 'Ours', docRoot: 'https://help.example.org/', theme: 'dark' },
      email_from: 'printers@example.org',
      is_changed: true,
    })
    expect((await bootstrap()).page_context.syndicate).toMatchObject({
      display_name: 'Ours',
      colors: wish.colors,
    })
    const page = await call(app, 'GET', '/brands/base/manifest.webmanifest')
    expect(page.text).toContain('Ours')
    // What is not named stays.
    await by('PATCH', 'brands/base/', { theme: null })
    expect((await bootstrap()).page_context.syndicate).toMatchObject({ display_name: 'Ours', theme: null })
    expect((await by('DELETE', 'brands/base/')).json.brands[0]).toMatchObject({
      shown: { display_name: 'Vigil' },
      is_changed: false,
    })
  })

  it.each([
    ['display_name', { display_name: ' ' }],
    ['docs', { docs: 'http://plain.example/' }],
    ['community', { community: 'javascript:alert(1)' }],
    ['theme', { theme: 'blue' }],
    ['colors', { colors: { light: colors, dark: { ...colors, accent: 'red' } } }],
    ['email_from', { email_from: 'nobody' }],
  ])('is refused with a wrong %s', async (field, wish) => {
    const { status, json } = await by('PATCH', 'brands/base/', wish)
    expect([status, Object.keys(json)]).toEqual([400, [field]])
  })

  it('that does not fit any more counts as unchanged, and no other with it', async () => {
    const value = JSON.stringify({
      brands: { base: { display_name: 'Ours' }, yumi: { display_name: 7 } },
      flags: { SHARING_ENABLED: false, GONE: true, DISCOVERY_ENABLED: 'perhaps' },
    })
    await app.ctx.db
      .insertInto('instance')
      .values({ key: 'site', value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute()
    const { json } = await by('GET', '')
    expect(json.brands.map((one: any) => [one.shown.name, one.is_changed])).toEqual([
      ['base', true],
      ['jusprin', false],
      ['yumi', false],
    ])
    const turned = json.flags.filter((one: any) => one.is_changed).map((one: any) => one.name)
    expect(turned).toEqual(['SHARING_ENABLED'])
    await by('PUT', 'flags/SHARING_ENABLED/', { value: null })
  })

  it('is one that there is', async () => {
    expect((await by('PATCH', 'brands/nobody/', { display_name: 'x' })).status).toBe(404)
  })
})

describe('a feature', () => {
  const turn = (value: boolean | null) => by('PUT', 'flags/ACCOUNT_ALLOW_SIGN_UP/', { value })
  const signUp = (email: string) =>
    call(app, 'POST', '/api/v1/auth/signup/', { body: { email, password: 'a good long one' } })

  it('is turned while the server runs, on all nodes and over a restart, and back', async () => {
    expect((await signUp('one@example.org')).status).toBe(403)
    const { json } = await turn(true)
    expect(json.flags).toContainEqual({
      name: 'ACCOUNT_ALLOW_SIGN_UP',
      value: true,
      usual: false,
      is_changed: true,
    })
    expect((await bootstrap()).settings.ACCOUNT_ALLOW_SIGN_UP).toBe(true)
    expect((await signUp('one@example.org')).status).toBe(201)
    const node = await aNode(app.databaseUrl)
    expect(node.ctx.config.ACCOUNT_ALLOW_SIGN_UP).toBe(true)
    await turn(null)
    expect((await signUp('two@example.org')).status).toBe(403)
    await node.close()
  })

  it('is followed, too, by a node that was not told', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const node = await aNode(app.databaseUrl)
      // What it has of `live` is its own: it hears nothing.
      await turn(true)
      expect(node.ctx.config.ACCOUNT_ALLOW_SIGN_UP).toBe(false)
      vi.advanceTimersByTime(LOOK_MS)
      await eventually(() => node.ctx.config.ACCOUNT_ALLOW_SIGN_UP || undefined)
      await turn(null)
      await node.close()
    } finally {
      vi.useRealTimers()
    }
  })

  it('is one of those that may be turned', async () => {
    expect((await by('PUT', 'flags/VIGIL_SECRET/', { value: true })).status).toBe(404)
    expect((await by('PUT', 'flags/SHARING_ENABLED/', { value: 'perhaps' })).status).toBe(400)
  })

  it('is turned by who has just shown who they are', async () => {
    app.advance(16 * 60_000)
    expect((await turn(true)).json).toMatchObject({ reason: 'proof_wanted' })
    await eventually(async () =>
      (await bootstrap()).settings.ACCOUNT_ALLOW_SIGN_UP === false ? true : undefined,
    )
  })
})
