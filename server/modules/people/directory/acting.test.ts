import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  aPrinter,
  aUser,
  buildTestApp,
  call,
  PASSWORD,
  type TestApp,
  type TestUser,
} from '../../../test/app.ts'
import { connectAgent, eventually } from '../../../test/wire/agent.ts'
import { openBrowser } from '../../../test/wire/browser.ts'
import { asId } from '../../../test/ids.ts'
import { endLapsed } from '../sessions/sessions.ts'

let app: TestApp
let admin: TestUser
let maria: TestUser

beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  app.newWindows()
  admin = await aUser(app, { isAdmin: true })
  maria = await aUser(app)
})

const by = (who: TestUser, method: string, path: string, body?: unknown) =>
  call(app, method, path, { cookie: who.cookie, body })
const act = (who = maria, reason = 'They cannot find their printer') =>
  by(admin, 'POST', `/api/v1/admin/people/${who.id}/act_as/`, { reason })
const stop = () => by(admin, 'DELETE', '/api/v1/admin/acting/')
const whoAmI = async () => (await by(admin, 'GET', '/api/v1/users/me/')).json.email
const logOf = async (who: TestUser) =>
  (await by(who, 'GET', `/api/v1/households/${who.id}/audit/?kind=admin`)).json as Record<string, any>[]

describe('an administrator who acts as somebody', () => {
  it('is that person in everything, and says so to the page', async () => {
    const { id } = await aPrinter(app, maria, 'Voron')
    expect((await act()).status).toBe(200)
    expect(await whoAmI()).toBe(maria.email)
    expect((await by(admin, 'GET', '/api/v1/bootstrap/')).json).toMatchObject({
      user: { email: maria.email },
      acting: { by: admin.email },
      is_admin: false,
    })
    expect((await by(admin, 'PATCH', `/api/v1/printers/${id}/`, { name: 'Found' })).status).toBe(200)
    expect((await act()).status).toBe(403)
    expect((await stop()).status).toBe(204)
    expect(await whoAmI()).toBe(admin.email)
    expect((await by(admin, 'GET', '/api/v1/bootstrap/')).json).toMatchObject({
      acting: null,
      is_admin: true,
    })
  })

  it('stands in the log of both, with the reason and every change', async () => {
    const { id } = await aPrinter(app, maria, 'Voron')
    await act(maria, 'They asked')
    await by(admin, 'PATCH', `/api/v1/printers/${id}/`, { name: 'Found' })
    await eventually(async () => ((await logOf(maria)).length === 2 ? true : undefined))
    await stop()
    const wanted = [
      ['admin.impersonation_ended', admin.email, null],
      ['admin.acted', admin.email, 'PATCH /api/v1/printers/:id/'],
      ['admin.impersonation_begun', admin.email, 'They asked'],
    ]
    for (const who of [maria, admin])
      expect((await logOf(who)).map((row) => [row['action'], row['who'].name, row['about']])).toEqual(wanted)
  })

  it('is who moved the printer over a line, too', async () => {
    const printer = await aPrinter(app, maria, 'Voron')
    const agent = await connectAgent(app, printer.auth_token)
    await agent.hear(({ remote_status }) => remote_status !== undefined)
    const settings = { agent: { name: 'octoprint_obico', version: '2.0.0' } }
    agent.send({ settings, status: { _ts: Date.now() / 1000 } })
    await eventually(async () => {
      const { json } = await by(maria, 'GET', `/api/v1/printers/${printer.id}/`)
      return json.agent_name === settings.agent.name || undefined
    })
    await act()
    const jog = { ref: 'a', target: '_printer', func: 'jog', args: [{ x: 10 }] }
    const page = await openBrowser(app, `/ws/web/${printer.id}/`, admin.cookie)
    page.send({ passthru: jog })
    const all = await openBrowser(app, '/ws/web/all/', admin.cookie)
    all.send({ watch: [printer.id] })
    await all.hear((said) => JSON.stringify(said).includes('Voron'))
    all.send({ id: printer.id, passthru: { ...jog, ref: 'b' } })
    const rows = app.ctx.db
      .selectFrom('audit')
      .select(['action', 'userId'])
      .where('printerId', '=', asId(printer.id))
    const moved = await eventually(async () => {
      const found = await rows.execute()
      return found.length === 2 ? found : undefined
    })
    const byAdmin = { action: 'passthru._printer.jog', userId: admin.id }
    expect(moved).toEqual([byAdmin, byAdmin])
    agent.ws.close()
    await stop()
  })

  it('sees no token and no key of the person', async () => {
    const printer = await aPrinter(app, maria, 'Voron')
    const path = `/api/v1/printers/${printer.id}/`
    const config = { custom_webhook_URL: 'https://hooks.example.org/secret' }
    const row = { userId: asId(maria.id), name: 'webhook', config: JSON.stringify(config) }
    await app.ctx.db.insertInto('notificationSettings').values(row).execute()
    const seen = async () => (await by(admin, 'GET', path)).json.auth_token
    const webhook = async (who: TestUser) =>
      (await by(who, 'GET', '/api/v1/notification_settings/')).json.find((one: any) => one.name === 'webhook')
    expect((await by(maria, 'GET', path)).json.auth_token).toBe(printer.auth_token)
    await act()
    expect(await seen()).toBe('')
    const { id, config: shown } = await webhook(admin)
    expect(shown).toEqual({})
    const off = await by(admin, 'PATCH', `/api/v1/notification_settings/${id}/`, { enabled: false })
    expect([off.status, off.json.config, off.json.enabled]).toEqual([200, {}, false])
    await stop()
    expect((await webhook(maria)).config).toMatchObject(config)
  })

  it('is told no word of a link, a phone or a browser, nor the one that stops letters', async () => {
    const printer = await aPrinter(app, maria, 'Voron')
    const print = await app.ctx.db
      .insertInto('prints')
      .values({
        userId: asId(maria.id),
        printerId: asId(printer.id),
        filename: 'a',
        video: JSON.stringify({}),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const [links, link] = [`/api/v1/printers/${printer.id}/share_links/`, `/api/v1/prints/${print.id}/link/`]
    const shared = `/api/v1/sharedresources/?printer_id=${printer.id}`
    await by(maria, 'POST', shared)
    await by(maria, 'PUT', link)
    const phone = { platform: 'ios', app_version: '1', device_token: 'push-word' }
    await by(maria, 'POST', '/api/v1/mobile_devices/', phone)
    const keys = { p256dh: 'A'.repeat(86) + 'A=', auth: `${'A'.repeat(22)}==` }
    const at = 'https://fcm.googleapis.com/fcm/send/push-word'
    await by(maria, 'POST', '/api/v1/push_subscriptions/', { endpoint: at, keys, label: 'Firefox' })
    const words = async (who: TestUser) => {
      const all = ['/api/v1/mobile_devices/', '/api/v1/push_subscriptions/', links, shared, link]
      const [phones, browsers, list, old, film] = await Promise.all(
        all.map(async (path) => (await by(who, 'GET', path)).json),
      )
      const { unsub_token: unsub } = (await by(who, 'GET', '/api/v1/users/me/')).json
      const { user } = (await by(who, 'GET', '/api/v1/bootstrap/')).json
      const told = [phones[0].device_token, browsers.subscriptions[0].endpoint, list[0].url, film.url]
      return [...told, list[0].share_token, old[0].share_token, unsub, user.unsub_token]
    }
    expect((await words(maria)).filter((word) => String(word).length < 9)).toEqual([])
    await act()
    expect(await words(admin)).toEqual(Array.from({ length: 8 }, () => ''))
    await stop()
  })

  it('is who stands in the log for what they do, by whatever way', async () => {
    const printer = await aPrinter(app, maria, 'Voron')
    await act()
    await by(admin, 'PATCH', `/api/v1/printers/${printer.id}/`, { name: 'Found' })
    await by(admin, 'POST', `/api/v1/printers/${printer.id}/pause_print/`, {})
    await stop()
    const rows = await app.ctx.db
      .selectFrom('audit')
      .select(['action', 'userId'])
      .where('printerId', '=', asId(printer.id))
      .execute()
    expect(rows).toContainEqual({ action: 'printer.changed', userId: admin.id })
    expect(rows.filter(({ userId }) => userId !== admin.id)).toEqual([])
  })

  it('is themselves again after thirty minutes, also without a word', async () => {
    await act()
    const line = await openBrowser(app, '/ws/web/all/', admin.cookie)
    app.advance(29 * 60_000)
    expect(await whoAmI()).toBe(maria.email)
    app.advance(61_000)
    expect(await whoAmI()).toBe(admin.email)
    await endLapsed(app.ctx)
    await eventually(() => (line.closed === null ? undefined : true))
    expect((await logOf(maria))[0]).toMatchObject({ action: 'admin.impersonation_lapsed' })
    // And may begin anew, once it was shown who asks.
    await by(admin, 'POST', '/api/v1/auth/proof/', { password: PASSWORD })
    expect((await act()).status).toBe(200)
  })

  it('closes what was open before, and what is open when it ends', async () => {
    const own = await openBrowser(app, '/ws/web/all/', admin.cookie)
    await act()
    await eventually(() => (own.closed === null ? undefined : true))
    const theirs = await openBrowser(app, '/ws/web/all/', admin.cookie)
    await stop()
    await eventually(() => (theirs.closed === null ? undefined : true))
  })

  it.each([
    ['POST', '/api/v1/auth/emails/', { email: 'new@example.org' }],
    ['POST', '/api/v1/auth/password/change/', { old: PASSWORD, new: 'another good one' }],
    ['POST', '/api/v1/api_keys/', { name: 'x', scope: 'manage' }],
    ['POST', '/api/v1/auth/factors/totp/', undefined],
    ['POST', '/ent/api/users/delete/', { acknowledged: true, reason: 'x' }],
    ['POST', '/api/v1/users/me/archive/', undefined],
    ['POST', '/api/v1/auth/proof/', { password: PASSWORD }],
    ['DELETE', '/api/v1/auth/sessions/', undefined],
    ['POST', '/api/v1/printers/1/share_links/', {}],
    ['POST', '/api/v1/sharedresources/', { printer_id: 1 }],
    ['PATCH', '/api/v1/share_links/1/', { label: 'x' }],
    ['POST', '/api/v1/households/1/members/', { email: 'x@example.org', role: 'viewer' }],
    ['PATCH', '/api/v1/households/1/members/1/', { role: 'owner' }],
    ['POST', '/api/v1/invitations/accept/', { key: 'x' }],
    ['GET', '/api/v1/onetimeverificationcodes/', undefined],
    ['GET', '/api/v1/onetimeverificationcodes/1/', undefined],
    ['POST', '/api/v1/mobile_devices/', { platform: 'ios', app_version: '1', device_token: 'x' }],
    ['PUT', '/api/v1/prints/1/link/', undefined],
    ['POST', '/api/v1/notification_settings/', { name: 'ntfy', config: {} }],
    ['POST', '/api/v1/notification_settings/slack_install/', { code: 'x', state: 'x' }],
    ['PATCH', '/api/v1/notification_settings/1/', { config: {} }],
    ['POST', '/api/v1/tunnels/', { app_name: 'x', target_printer_id: 1 }],
    ['GET', '/o/authorize/', undefined],
    ['GET', '/mobile/auth/fetch/', undefined],
    ['GET', '/octoprint/1/', undefined],
  ] as const)('may not %s %s: what is dangerous is for the person alone', async (method, path, body) => {
    await act()
    const answer = await by(admin, method, path, body)
    expect([answer.status, answer.json?.detail]).toEqual([
      403,
      expect.stringContaining('Only the person themselves'),
    ])
    await stop()
  })

  it('never is another administrator, nor somebody whose account is closed', async () => {
    const other = await aUser(app, { isAdmin: true })
    expect((await act(other)).status).toBe(409)
    expect((await act(maria, ' ')).json).toHaveProperty('reason')
    await by(admin, 'PATCH', `/api/v1/admin/people/${maria.id}/`, { is_active: false })
    expect((await act()).status).toBe(409)
    expect(
      (await by(maria, 'POST', `/api/v1/admin/people/${admin.id}/act_as/`, { reason: 'x' })).status,
    ).toBe(403)
  })

  it('is themselves again when the person is disabled, or they are no administrator any more', async () => {
    await act()
    await app.ctx.db.updateTable('users').set({ isStaff: false }).where('id', '=', admin.id).execute()
    // What a node believes of a session it believes for five seconds.
    await eventually(async () => ((await whoAmI()) === admin.email ? true : undefined))
  })
})

describe('ADMIN_IP_WHITELIST', () => {
  it('lets administrators administer from these networks alone', async () => {
    const walled = await buildTestApp({ env: { ADMIN_IP_WHITELIST: '["10.1.0.0/16", "::1"]' } })
    const boss = await aUser(walled, { isAdmin: true })
    const ask = (address: string) =>
      call(walled, 'GET', '/api/v1/admin/people/', {
        cookie: boss.cookie,
        headers: { 'x-forwarded-for': address },
      })
    expect((await ask('10.1.2.3')).status).toBe(200)
    expect(await ask('10.2.2.3')).toMatchObject({
      status: 403,
      json: { detail: expect.stringContaining('address') },
    })
    const known = await call(walled, 'GET', '/api/v1/bootstrap/', { cookie: boss.cookie })
    expect(known.json).toMatchObject({ user: { email: boss.email }, is_admin: false })
    await walled.close()
  })
})
