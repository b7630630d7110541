import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { setPlan } from '../accounts/index.ts'

const WRITTEN = '/api/v1/admin/notices/'
let app: TestApp
let admin: TestUser
let maria: TestUser

beforeAll(async () => {
  app = await buildTestApp({ env: { IS_ENT: 'true' } })
  admin = await aUser(app, { isAdmin: true })
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.ctx.db.deleteFrom('accountNotices').execute()
  maria = await aUser(app)
})

const by = (who: TestUser, method: string, path: string, body?: unknown) =>
  call(app, method, path, { cookie: who.cookie, body })
const basics = { level: 'info', body: { en: 'We move.', zh: '我们搬家。' } }
const write = (more: object = {}) => by(admin, 'POST', WRITTEN, { ...basics, ...more })
const shown = async (who = maria, lang = 'en') =>
  (await by(who, 'GET', `/ent/api/messages/?lang=${lang}`)).json as Record<string, any>[]
const at = (ms: number) => new Date(app.ctx.clock.now() + ms).toISOString()

describe('a notice', () => {
  it('is shown to people in their language, as the contract has it', async () => {
    const until = at(3_600_000)
    const made = await write({
      level: 'warning',
      title: { en: 'Tonight', zh: '今晚' },
      body: { en: 'We move <b>tonight</b>.\nBriefly.\n\nSorry & thanks.', zh: '今晚搬家。' },
      link_url: 'https://status.example.org/',
      link_text: { en: 'More', zh: '更多' },
      until,
    })
    expect(made.status).toBe(201)
    expect(await shown()).toEqual([
      {
        id: made.json.id,
        level: 'warning',
        title: 'Tonight',
        body_html: '<p>We move &lt;b&gt;tonight&lt;/b&gt;.<br />Briefly.</p><p>Sorry &amp; thanks.</p>',
        body: 'We move <b>tonight</b>.\nBriefly.\n\nSorry & thanks.',
        link_url: 'https://status.example.org/',
        link_text: 'More',
        dismissible: true,
        created_at: made.json.from,
        expires_at: until,
      },
    ])
    expect(await shown(maria, 'zh')).toMatchObject([{ title: '今晚', body: '今晚搬家。', link_text: '更多' }])
    const app2 = await call(app, 'GET', '/ent/api/messages/', { token: maria.token })
    expect(app2.json).toHaveLength(1)
  })

  it('is put away for good by each for themselves, unless it stays', async () => {
    const [goes, stays] = [(await write()).json, (await write({ dismissible: false, level: 'error' })).json]
    expect((await shown()).map(({ id }) => id)).toEqual([stays.id, goes.id])
    const dismiss = (id: number, who = maria) => by(who, 'POST', `/ent/api/messages/${id}/dismiss/`)
    expect((await dismiss(goes.id)).status).toBe(204)
    expect((await dismiss(stays.id)).status).toBe(403)
    expect((await dismiss(goes.id)).status).toBe(404)
    expect((await shown()).map(({ id }) => id)).toEqual([stays.id])
    expect(await shown(admin)).toHaveLength(2)
    expect((await by(admin, 'GET', WRITTEN)).json).toMatchObject([{ dismissed: 0 }, { dismissed: 1 }])
    // Written anew, it is the same.
    await by(admin, 'PUT', `${WRITTEN}${goes.id}/`, { ...basics, level: 'error' })
    expect(await shown()).toHaveLength(1)
  })

  it('has its time', async () => {
    await write({ from: at(3_600_000), until: at(7_200_000) })
    expect(await shown()).toEqual([])
    app.advance(3_700_000)
    expect(await shown()).toHaveLength(1)
    app.advance(3_700_000)
    expect(await shown()).toEqual([])
  })

  it.each([
    ['all', [true, true, true]],
    ['free', [true, false, false]],
    ['pro', [false, true, true]],
    ['staff', [false, false, true]],
  ] as const)('for %s is seen by whom it is for', async (audience, wanted) => {
    const free = await aUser(app)
    await setPlan(app.ctx, { email: free.email, plan: 'free' })
    await write({ audience })
    const seen = [await shown(free), await shown(maria), await shown(admin)].map((rows) => rows.length === 1)
    expect(seen).toEqual(wanted)
  })

  it('for a brand is seen by its people alone', async () => {
    await write({ brand: 'yumi' })
    expect(await shown()).toEqual([])
    await app.ctx.db.updateTable('users').set({ brand: 'yumi' }).where('id', '=', maria.id).execute()
    expect(await shown()).toHaveLength(1)
  })

  it.each([
    ['body', { body: { en: 'x', zh: ' ' } }],
    ['title', { title: { en: 'x', zh: '' } }],
    ['link_text', { link_url: 'https://x.example/' }],
    ['link_url', { link_text: { en: 'x', zh: 'x' } }],
    ['link_url', { link_url: 'javascript:alert(1)', link_text: { en: 'x', zh: 'x' } }],
    ['until', { from: '2026-12-02T00:00:00Z', until: '2026-12-01T00:00:00Z' }],
    ['until', { until: '2020-01-01T00:00:00Z' }],
    ['brand', { brand: 'nobody' }],
    ['level', { level: 'loud' }],
  ])('that lacks something is refused beside %s', async (field, more) => {
    const { status, json } = await write(more)
    expect([status, Object.keys(json)]).toEqual([400, [field]])
  })

  it('is taken back', async () => {
    const { id } = (await write()).json
    expect((await by(admin, 'DELETE', `${WRITTEN}${id}/`)).status).toBe(204)
    expect((await by(admin, 'DELETE', `${WRITTEN}${id}/`)).status).toBe(404)
    expect((await by(admin, 'PUT', `${WRITTEN}${id}/`, basics)).status).toBe(404)
    expect(await shown()).toEqual([])
  })
})

it('the general edition shows notices, too: everybody has everything there', async () => {
  const home = await buildTestApp()
  const boss = await aUser(home, { isAdmin: true })
  for (const audience of ['all', 'free', 'pro'])
    await call(home, 'POST', WRITTEN, { cookie: boss.cookie, body: { ...basics, audience } })
  const { json } = await call(home, 'GET', '/ent/api/messages/', { cookie: boss.cookie })
  expect(json).toHaveLength(2)
  await home.close()
})
