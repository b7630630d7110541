import { WebSocket } from 'ws'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { putAgent } from '../../core/presence/index.ts'
import { keys } from '../../core/presence/names.ts'

let app: TestApp
let owner: TestUser
let stranger: TestUser

beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
  stranger = await aUser(app)
})
afterAll(() => app.close())

const get = (path: string, who: TestUser = owner) => call(app, 'GET', path, { cookie: who.cookie })
const patch = (id: number, body: object, who: TestUser = owner) =>
  call(app, 'PATCH', `/api/v1/printers/${id}/`, { cookie: who.cookie, body })

describe('REST', () => {
  test('nobody without a credential sees printers: 403 with detail', async () => {
    const answer = await call(app, 'GET', '/api/v1/printers/')
    expect(answer).toMatchObject({ status: 403, json: { detail: expect.any(String) } })
  })

  test('lists the caller’s printers by id, never another’s', async () => {
    const [first, second] = [await aPrinter(app, owner, 'A'), await aPrinter(app, owner, 'B')]
    await aPrinter(app, stranger, 'C')
    const mine = (await get('/api/v1/printers/')).json as Printer[]
    expect(mine.map(({ id }) => id)).toEqual([first.id, second.id])
    expect((await get(`/api/v1/printers/${first.id}/`, stranger)).status).toBe(404)
    expect((await patch(first.id, { name: 'mine now' }, stranger)).status).toBe(404)
    for (const action of [
      'pause_print',
      'resume_print',
      'cancel_print',
      'mute_current_print',
      'acknowledge_alert',
      'archive',
    ]) {
      const answer = await call(app, 'POST', `/api/v1/printers/${first.id}/${action}/`, {
        cookie: stranger.cookie,
      })
      expect([action, answer.status]).toEqual([action, 404])
    }
    expect(
      (await call(app, 'DELETE', `/api/v1/printers/${first.id}/`, { cookie: stranger.cookie })).status,
    ).toBe(404)
  })

  test('a new printer is offline, not watched, and says so', async () => {
    const { id } = await aPrinter(app, owner)
    const { json } = await get(`/api/v1/printers/${id}/`)
    expect(json).toMatchObject({
      status: null,
      pic: null,
      current_print: null,
      not_watching_reason: 'Printer is not actively printing',
      not_watching_code: 'not_printing',
      watch: { state: 'not_watching', code: 'not_printing', picture_at: null, checked_at: null },
      agent: { state: 'offline', last_seen_at: null },
      settings: { webcam_rotation: 0, webcam_streamRatio: '16:9', ratio169: true },
      retract_on_pause: 6.5,
      lift_z_on_pause: 2.5,
    })
  })

  test('what clients read of the settings without looking is always there', async () => {
    const { id } = await aPrinter(app, owner)
    expect((await get(`/api/v1/printers/${id}/`)).json.settings).toMatchObject({
      printer_metadata: '{}',
      tsd_plugin_version: '',
      octoprint_version: '',
    })
  })

  test('the list knows no method of a single printer', async () => {
    for (const method of ['PATCH', 'PUT', 'DELETE']) {
      const { status, headers } = await call(app, method, '/api/v1/printers/', { cookie: owner.cookie })
      expect([method, status, headers.get('allow')]).toEqual([method, 405, 'GET, HEAD, POST'])
    }
  })

  test('presets are told as soon as the agent spoke of them, also of none', async () => {
    const { id } = await aPrinter(app, owner)
    const settings = async () => (await get(`/api/v1/printers/${id}/`)).json.settings
    expect(await settings()).not.toHaveProperty('temp_profiles')
    const keep = (agentSettings: object) =>
      app.ctx.db
        .updateTable('printers')
        .set({ agentSettings: JSON.stringify(agentSettings) })
        .where('id', '=', id)
        .execute()
    await keep({ temp_profiles: [] })
    expect(await settings()).toMatchObject({ temp_profiles: [] })
    await keep({ temp_profiles: [{ name: 'PLA', extruder: 200, bed: 60 }, 'odd'] })
    expect(await settings()).toMatchObject({ temp_profiles: [{ name: 'PLA', extruder: 200, bed: 60 }] })
  })

  test('a change is wrapped by PATCH and not by PUT; unknown and protected keys are ignored', async () => {
    const { id, auth_token } = await aPrinter(app, owner)
    const changed = await patch(id, {
      name: ' Voron ',
      auth_token: 'stolen',
      user: stranger.id,
      archived_at: null,
      lift_z_on_pause: '3.5',
    })
    expect(changed.json).toMatchObject({
      succeeded: true,
      printer: { name: 'Voron', auth_token, lift_z_on_pause: 3.5 },
    })
    const put = await call(app, 'PUT', `/api/v1/printers/${id}/`, {
      cookie: owner.cookie,
      body: { name: 'Prusa' },
    })
    expect(put.json).toMatchObject({ id, name: 'Prusa' })
  })

  test.each([
    ['name', ''],
    ['name', 'x'.repeat(257)],
    ['name', 'a\u0000b'],
    ['name', '\ud800'],
    ['detective_sensitivity', 1.5],
    ['detective_sensitivity', 'NaN'],
    ['retract_on_pause', -1],
    ['lift_z_on_pause', 1e308 * 10],
    ['min_timelapse_secs_on_finish', 9_007_199_254_740_993],
    ['min_timelapse_secs_on_cancel', 1.5],
    ['action_on_failure', 'EXPLODE'],
    ['watching_enabled', 'maybe'],
  ])('refuses %s = %s beside the field', async (field, value) => {
    const { id } = await aPrinter(app, owner)
    const answer = await patch(id, { [field]: value })
    expect(answer).toMatchObject({
      status: 400,
      json: { [field]: expect.arrayContaining([expect.any(String)]) },
    })
    expect((await get('/api/v1/printers/')).status).toBe(200)
  })

  test('a form is as good as JSON', async () => {
    const { id } = await aPrinter(app, owner)
    const answer = await fetch(`${app.url}/api/v1/printers/${id}`, {
      method: 'PATCH',
      headers: { cookie: owner.cookie, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'watching_enabled=f&name=Form',
    })
    expect(await answer.json()).toMatchObject({
      succeeded: true,
      printer: { name: 'Form', watching_enabled: false, not_watching_code: 'disabled' },
    })
  })

  test('archived printers show only when asked with the exact word; deleted ones never', async () => {
    const { id, auth_token } = await aPrinter(app, owner)
    expect(
      (await call(app, 'POST', `/api/v1/printers/${id}/archive/`, { cookie: owner.cookie })).status,
    ).toBe(204)
    expect((await get(`/api/v1/printers/${id}/`)).status).toBe(404)
    expect((await get(`/api/v1/printers/${id}/?with_archived=True`)).status).toBe(404)
    expect((await get(`/api/v1/printers/${id}/?with_archived=true`)).json.archived_at).not.toBeNull()
    expect((await call(app, 'GET', '/api/v1/octo/printer/', { agent: auth_token })).status).toBe(401)
    const path = `/api/v1/printers/${id}/?with_archived=true`
    expect((await call(app, 'DELETE', path, { cookie: owner.cookie })).status).toBe(204)
    expect((await get(path)).status).toBe(404)
  })

  test('a command without a print or an agent says that nothing happened', async () => {
    const { id } = await aPrinter(app, owner)
    for (const command of ['pause_print', 'resume_print', 'cancel_print', 'mute_current_print']) {
      const answer = await call(app, 'POST', `/api/v1/printers/${id}/${command}/`, { cookie: owner.cookie })
      expect(answer).toMatchObject({
        status: 200,
        json: { succeeded: false, detail: 'The printer is not printing.' },
      })
    }
    const inChinese = await call(app, 'POST', `/api/v1/printers/${id}/pause_print/?lang=zh`, {
      cookie: owner.cookie,
    })
    expect(inChinese.json).toMatchObject({ succeeded: false, detail: '打印机当前没有打印任务。' })
    const alert = await call(
      app,
      'POST',
      `/api/v1/printers/${id}/acknowledge_alert/?alert_overwrite=NOT_FAILED`,
      { cookie: owner.cookie },
    )
    expect(alert.status).toBe(404)
    const wrong = await call(app, 'POST', `/api/v1/printers/${id}/acknowledge_alert/?alert_overwrite=MAYBE`, {
      cookie: owner.cookie,
    })
    expect(wrong.status).toBe(400)
  })

  test('another site’s page cannot act with the owner’s cookie', async () => {
    const { id } = await aPrinter(app, owner)
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'null' },
    ]
    for (const headers of foreign) {
      const answer = await call(app, 'DELETE', `/api/v1/printers/${id}/`, { cookie: owner.cookie, headers })
      expect(answer.status).toBe(403)
    }
    expect((await get(`/api/v1/printers/${id}/`)).status).toBe(200)
  })
})

/** A browser's socket with everything it hears. */
async function watch(printerId: number, cookie: string, headers: Record<string, string> = {}) {
  const ws = new WebSocket(`${app.wsUrl}/ws/web/${printerId}/`, {
    headers: { cookie, origin: app.url, ...headers },
  })
  const heard: Printer[] = []
  let closed: number | null = null
  ws.on('message', (data: Buffer) => heard.push(JSON.parse(data.toString()) as Printer))
  ws.on('close', (code) => (closed = code))
  const status = await new Promise<number>((resolve) => {
    ws.on('open', () => resolve(101))
    ws.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
    ws.on('error', () => undefined)
  })
  const next = async (fits: (printer: Printer) => boolean) => {
    await expect.poll(() => heard.some(fits), { timeout: 5000 }).toBe(true)
    return heard.find(fits) as Printer
  }
  return { ws, status, heard, next, closed: () => closed }
}

describe('live', () => {
  test('the whole printer comes at once, and again when it changes', async () => {
    const { id } = await aPrinter(app, owner, 'Before')
    const browser = await watch(id, owner.cookie)
    await browser.next(({ name }) => name === 'Before')
    await patch(id, { name: 'After' })
    await browser.next(({ name }) => name === 'After')
    browser.ws.close()
  })

  test.each([
    ['a stranger', () => stranger.cookie, {}, 403],
    ['nobody', () => '', {}, 403],
    ['another site', () => owner.cookie, { origin: 'https://evil.example' }, 403],
  ])('%s is refused before the upgrade', async (_who, cookie, headers, status) => {
    const { id } = await aPrinter(app, owner)
    expect((await watch(id, cookie(), headers)).status).toBe(status)
  })

  test.each(['0', '-1', '1e9', '99999999999999999999', 'abc', '%00'])('no such printer: %s', async (id) => {
    expect([403, 404]).toContain((await watch(id as never, owner.cookie)).status)
  })

  test('deleting a printer closes its browsers', async () => {
    const { id } = await aPrinter(app, owner)
    const browser = await watch(id, owner.cookie)
    await browser.next(() => true)
    await call(app, 'DELETE', `/api/v1/printers/${id}/`, { cookie: owner.cookie })
    await expect.poll(() => browser.closed(), { timeout: 5000 }).toBe(4401)
  })

  test('signing out closes the browser’s sockets', async () => {
    const person = await aUser(app)
    const { id } = await aPrinter(app, person)
    const browser = await watch(id, person.cookie)
    await browser.next(() => true)
    await call(app, 'POST', '/api/v1/auth/logout/', { cookie: person.cookie })
    await expect.poll(() => browser.closed(), { timeout: 5000 }).toBe(4401)
  })

  test('silence makes an agent not responding after a minute and offline after two and a half', async () => {
    const { id } = await aPrinter(app, owner)
    const seenAt = app.ctx.clock.now()
    await putAgent(
      app.ctx,
      id,
      { state: 'connected', seenAt, reportedAt: seenAt, epoch: 1, needsRestart: false },
      0,
    )
    await app.ctx.live.put(
      keys.status(id),
      JSON.stringify({ _ts: seenAt / 1000, state: { text: 'Operational' } }),
      600_000,
    )
    const state = async () => (await get(`/api/v1/printers/${id}/`)).json as Printer
    expect((await state()).agent.state).toBe('connected')
    app.advance(71_000)
    expect((await state()).agent.state).toBe('not_responding')
    app.advance(80_000)
    expect(await state()).toMatchObject({ agent: { state: 'offline' }, status: null })
  })
})
