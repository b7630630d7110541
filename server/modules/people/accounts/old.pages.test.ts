import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aUser, buildTestApp, call, type TestApp } from '../../../test/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

const FOLLOWED = {
  referer: 'ORIGIN/printers/',
  'sec-fetch-site': 'same-origin',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
}

/** As a browser goes there: `fetch` has words of its own for how. */
async function visit(path: string, cookie: string, headers: Record<string, string>, method = 'GET') {
  const { referer } = headers
  const told = { cookie, ...headers, ...(referer && { referer: referer.replace('ORIGIN', app.url) }) }
  const asked = request(app.url + path, { method, headers: told })
  asked.end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  answer.resume()
  return { status: answer.statusCode, location: answer.headers.location }
}
const isIn = async (cookie: string) =>
  (await call(app, 'GET', '/api/v1/users/me/', { cookie })).status === 200

describe('signing out by an address', () => {
  it.each([
    ['a link of ours', FOLLOWED],
    ['a browser that tells no more than where from', { referer: 'ORIGIN/printers/' }],
  ])('is done for %s', async (_, headers) => {
    const { cookie } = await aUser(app)
    const left = await visit('/accounts/logout/?next=/help/', cookie, headers)
    expect([left, await isIn(cookie)]).toEqual([{ status: 303, location: '/help/' }, false])
  })

  it.each<[string, Record<string, string>]>([
    ['who types it, or comes from a letter', { ...FOLLOWED, 'sec-fetch-site': 'none' }],
    ['who loads the page again', { ...FOLLOWED, referer: 'ORIGIN/accounts/logout/' }],
    ['who loads again what they typed', { ...FOLLOWED, referer: '' }],
    ['another site', { ...FOLLOWED, 'sec-fetch-site': 'cross-site' }],
    ["a printer's page beside us", { ...FOLLOWED, 'sec-fetch-site': 'same-site' }],
    ['a picture', { ...FOLLOWED, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
    ['a frame', { ...FOLLOWED, 'sec-fetch-dest': 'iframe' }],
    ['a browser that fetches ahead', { ...FOLLOWED, 'sec-purpose': 'prefetch' }],
    ['another origin', { referer: 'http://other.test/' }],
    ['who says nothing', {}],
  ])('is not done for %s, who sees the button', async (_, headers) => {
    const { cookie } = await aUser(app)
    const shown = await visit('/accounts/logout/', cookie, headers)
    expect([shown.status, await isIn(cookie)]).toEqual([200, true])
  })

  it('is done for a form of ours, and for no other', async () => {
    const { cookie } = await aUser(app)
    const other = await visit('/accounts/logout/', cookie, { 'sec-fetch-site': 'cross-site' }, 'POST')
    expect([other.status, await isIn(cookie)]).toEqual([403, true])
    const ours = await visit('/accounts/logout/', cookie, FOLLOWED, 'POST')
    expect([ours, await isIn(cookie)]).toEqual([{ status: 303, location: '/accounts/login/' }, false])
  })

  it('leads nowhere else', async () => {
    const { cookie } = await aUser(app)
    const { location } = await visit('/accounts/logout/?next=//other.test/', cookie, FOLLOWED)
    expect(location).toBe('/accounts/login/')
  })
})

it.each([
  ['/accounts/social/connections/', '/user_preferences/security/'],
  ['/accounts/google/login/token/', '/accounts/google/login/'],
  ['/o/authorized_tokens/', '/user_preferences/authorized_apps/'],
])('%s leads to %s, from other sites too', async (from, to) => {
  const shown = await visit(`${from}?next=/x/`, '', {})
  expect([shown.status, shown.location]).toEqual([301, `${to}?next=/x/`])
  const sent = await visit(from, '', { 'sec-fetch-site': 'cross-site' }, 'POST')
  expect(sent).toEqual({ status: 303, location: to })
})
