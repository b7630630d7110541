import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aNode, aUser, buildTestApp, call, type TestApp } from '../../../test/app.ts'
import { setPlan } from '../../people/accounts/index.ts'

const PATH = '/ent_pub/pricing/'
let app: TestApp
beforeAll(async () => {
  app = await buildTestApp({ env: { IS_ENT: 'true', ACCOUNT_ALLOW_SIGN_UP: 'true' } })
})
afterAll(() => app.close())

/** What is read before anything fails. */
const shownOf = (text: string) => text.split('<dialog')[0] ?? ''
const page = (more: Parameters<typeof call>[3] = {}, query = '') => call(app, 'GET', PATH + query, more)

it('is found and read by whoever comes, without the app', async () => {
  const { status, headers, text } = await page()
  expect(status).toBe(200)
  expect(headers.get('content-type')).toContain('text/html')
  expect(gzipSync(text).length).toBeLessThan(100_000)
  expect(text).not.toMatch(/<script[^>]+src=|noindex/)
  // What stands in it, it may: its script and its style.
  for (const name of ['script', 'style']) {
    const inside = text.slice(text.indexOf(`<${name}>`) + name.length + 2, text.indexOf(`</${name}>`))
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(inside))
    const policy = headers.get('content-security-policy')
    expect(policy).toMatch(new RegExp(`${name}-src [^;]*'sha256-`))
    expect(policy).toContain(`'sha256-${Buffer.from(hash).toString('base64')}'`)
  }
  for (const words of [
    '$4',
    '$48 billed once a year',
    'SAVE 33%',
    'Get Started',
    'Start 1 month FREE trial',
    'Build Your Pro Plan',
    'Popular',
    '250 AI Detection Hours',
    '2500\u00a0h',
  ])
    expect(text).toContain(words)
  expect(text).not.toContain('View/Change Subscription')
})

it('says how many questions to the assistant plans have, where a model answers there', async () => {
  expect((await page()).text).not.toContain('slicer’s assistant')
  const env = {
    IS_ENT: 'true',
    LLM_BASE_URL: 'http://127.0.0.1:9/v1',
    VIGIL_SECRET: app.ctx.config.VIGIL_SECRET ?? '',
  }
  const node = await aNode(app.databaseUrl, env)
  try {
    const { text } = await call(node, 'GET', PATH)
    const row = text.slice(text.indexOf('slicer’s assistant'))
    expect(row.slice(0, row.indexOf('</tr>'))).toMatch(/50 a month[^]*Unlimited/)
  } finally {
    await node.close()
  }
})

it('is in the reader’s language, and of the brand', async () => {
  expect((await page({}, '?lang=zh')).text).toContain('立即开始')
  // What was chosen in this browser goes before the account's, which another device may have set.
  const { cookie, id } = await aUser(app)
  await app.ctx.db.updateTable('users').set({ language: 'en' }).where('id', '=', id).execute()
  const chosen = `${cookie}; tsd_language=zh`
  expect((await page({ cookie })).text).toContain('lang="en"')
  expect((await page({ cookie: chosen })).text).toContain('lang="zh-CN"')
  expect((await page({ cookie: chosen }, '?lang=en')).text).toContain('lang="en"')
  const partner = (await page({ headers: { 'x-obico-syndicate': 'yumi' } })).text
  expect(partner).toContain('$3.17')
  expect(partner).toContain('$38 billed once a year')
  expect(partner).toContain('200\u00a0MB')
})

it('leads who has a plan to it, and who has none or tries one to what they can buy', async () => {
  const owner = await aUser(app)
  const given = (await page({ cookie: owner.cookie })).text
  expect(given).toContain('View/Change Subscription')
  expect(given).not.toContain('Upgrade')
  await setPlan(app.ctx, { email: owner.email, plan: 'free' })
  const free = shownOf((await page({ cookie: owner.cookie })).text)
  expect(free).toMatch(/href="#build"\s*>\s*Upgrade/)
  expect(free).not.toContain('View/Change Subscription')
  expect(free).not.toContain('Start 1 month FREE trial')
  // This server sells nothing, and says so.
  expect(free).toContain('Checkout is not set up on this server yet.')
  expect(free).not.toContain('generate_')
})

it('where something is sold, who is signed in is led to its checkouts', async () => {
  const shop = await buildTestApp({ env: { IS_ENT: 'true', BILLING: 'sandbox' } })
  const owner = await aUser(shop)
  const look = async (more: object = {}) => (await call(shop, 'GET', PATH, more)).text
  // Somebody who has a plan buys hours alone.
  const given = await look({ cookie: owner.cookie })
  expect(given).not.toContain('generate_pro_checkout_url')
  expect(given).toContain('/ent/generate_prepaid_dhpack_checkout_url/?')
  await setPlan(shop.ctx, { email: owner.email, plan: 'free' })
  const free = shownOf(await look({ cookie: owner.cookie }))
  expect(free).toContain('/ent/generate_pro_checkout_url/?plan=pro&amp;')
  expect(free).toContain('/ent/generate_prepaid_dhpack_checkout_url/?')
  expect(free).not.toContain('Checkout is not set up')
  expect(await look()).not.toContain('generate_')
  await shop.close()
})

it('is no page of the general edition', async () => {
  const home = await buildTestApp()
  expect((await call(home, 'GET', PATH)).text).not.toContain('SAVE 33%')
  await home.close()
})
