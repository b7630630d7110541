import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, PASSWORD, type TestApp } from '../test/app.ts'
import { createUser } from '../modules/people/accounts/index.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

const get = (path: string, headers: Record<string, string> = {}) => fetch(app.url + path, { headers })
async function bootstrap(headers: Record<string, string> = {}, query = '') {
  const answer = await get(`/api/v1/bootstrap/${query}`, headers)
  const { page_context: context, user } = (await answer.json()) as {
    page_context: { syndicate: Record<string, unknown>; app_platform: string | null }
    user: { username: string } | null
  }
  return { ...context, user, cookies: answer.headers.getSetCookie() }
}
const signIn = (email: string, headers: Record<string, string> = {}) =>
  fetch(`${app.url}/api/v1/auth/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ email, password: PASSWORD }),
  })

describe('bootstrap', () => {
  it('tells the brand', async () => {
    expect((await bootstrap()).syndicate).toEqual({
      name: 'base',
      display_name: 'Vigil',
      docRoot: '/help/',
      community: '',
      logo_full: '/brands/base/mark.svg',
      theme: null,
      colors: null,
    })
    const { syndicate, cookies } = await bootstrap({ 'x-obico-syndicate': 'jusprin' })
    expect(syndicate).toMatchObject({
      name: 'jusprin',
      theme: 'light',
      colors: { light: { accent: '#1667c0' } },
    })
    expect(cookies.join()).toMatch(/^tsd_syndicate=jusprin; Path=\/; HttpOnly; SameSite=Lax$/)
    const later = await bootstrap({ cookie: 'tsd_syndicate=jusprin' })
    expect([later.syndicate['name'], later.cookies]).toEqual(['jusprin', []])
    const unknown = await bootstrap({ 'x-obico-syndicate': 'nobody', cookie: 'tsd_syndicate=%00' })
    expect([unknown.syndicate['name'], unknown.cookies]).toEqual(['base', []])
  })

  it("is in the account's brand wherever it is shown", async () => {
    const email = 'page@example.org'
    await createUser(app.ctx, { email, password: PASSWORD, isAdmin: false })
    const cookie = (await signIn(email)).headers.getSetCookie()[0]!.split(';', 1)[0]!
    await app.ctx.db.updateTable('users').set({ brand: 'yumi' }).where('email', '=', email).execute()
    const { syndicate, user } = await bootstrap({ cookie, 'x-obico-syndicate': 'jusprin' })
    expect([syndicate['name'], user?.username]).toEqual(['yumi', `${email}_3`])
  })

  it.each([
    ['nothing', {}, '', null],
    ['a header', { 'x-tsd-platform': 'Android' }, '', 'android'],
    ["the app's name", { 'user-agent': 'TSDApp-iOS/3.1' }, '', 'ios'],
    ['the address, before all', { 'x-tsd-platform': 'ios' }, '?platform=android', 'android'],
    ['an address that wants none', { 'x-tsd-platform': 'ios' }, '?platform=', null],
    ['no word', { 'x-tsd-platform': '<b>' }, '', null],
  ])('tells the app around the page by %s (docs/wire/browsers.md 5)', async (_, headers, query, platform) => {
    expect((await bootstrap(headers as Record<string, string>, query)).app_platform).toBe(platform)
  })
})

describe('accounts', () => {
  it('of two brands may have one address, and a header opens none of another brand', async () => {
    const email = 'both@example.org'
    const base = await createUser(app.ctx, { email, password: PASSWORD, isAdmin: false })
    const other = await createUser(app.ctx, {
      email,
      password: `${PASSWORD} 2`,
      isAdmin: false,
      brand: 'yumi',
    })
    expect([base.brand, other.brand]).toEqual(['base', 'yumi'])
    const answer = await signIn(email, { 'x-obico-syndicate': 'yumi' })
    expect([answer.status, await answer.json()]).toEqual([
      200,
      expect.objectContaining({ id: base.id, username: `${email}_1` }),
    ])
    await expect(
      createUser(app.ctx, { email: 'x@example.org', password: PASSWORD, isAdmin: false, brand: 'none' }),
    ).rejects.toMatchObject({ status: 400 })
  })
})

describe('pictures and manifest', () => {
  it('come for each brand, and nothing else does', async () => {
    const icon = await get('/brands/yumi/icon-192.png')
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect((await get('/brands/base/mark.svg')).headers.get('content-type')).toBe('image/svg+xml')
    for (const path of [
      '/brands/nobody/mark.svg',
      '/brands/base/brands.json',
      '/brands/base/..%2fbrands.json',
      '/brands/..%2f..%2fbase/mark.svg',
      '/brands/base/',
      '/brands/',
    ])
      expect([path, (await get(path, { accept: 'text/html' })).status]).toEqual([path, 404])
  })

  it('stand below the prefix, in the colours of the theme', async () => {
    const manifest = async (path: string) => {
      const answer = await get(path, { 'x-forwarded-prefix': '/house' })
      expect(answer.headers.get('content-type')).toBe('application/manifest+json; charset=utf-8')
      return (await answer.json()) as Record<string, unknown>
    }
    expect(await manifest('/brands/base/manifest.webmanifest?theme=dark')).toMatchObject({
      id: '/house/',
      name: 'Vigil',
      start_url: '/house/',
      scope: '/house/',
      display: 'standalone',
      theme_color: '#0f1115',
      icons: [
        { src: '/house/brands/base/icon-192.png', sizes: '192x192' },
        { sizes: '512x512', purpose: 'any' },
        { sizes: '512x512', purpose: 'maskable' },
      ],
    })
    expect(await manifest('/brands/jusprin/manifest.webmanifest?theme=dark')).toMatchObject({
      name: 'JusPrin',
      theme_color: '#f6f5f2',
    })
  })
})
