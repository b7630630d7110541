import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { SharedPrinter, ShareLink } from '@vigil/contract/remote/sharing.ts'
import { createApp } from '../../../http/app.ts'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { connectAgent, eventually } from '../../../test/wire/agent.ts'
import { accountCredentials } from '../../people/accounts/index.ts'
import { countViewers } from '../share-links/crowd.service.ts'
import { shareSockets } from './share.sockets.ts'
import { asId } from '../../../test/ids.ts'

let app: TestApp
let second: Awaited<ReturnType<typeof createApp>>
let secondUrl: string
let owner: TestUser
let stranger: TestUser
let printer: Awaited<ReturnType<typeof aPrinter>>

beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
  stranger = await aUser(app)
  const credentials = { ...accountCredentials(app.ctx), printerToken: () => Promise.resolve(null) }
  second = await createApp(app.ctx, credentials)
  shareSockets(second, app.ctx)
  await second.listen({ port: 0, host: '127.0.0.1' })
  secondUrl = `ws://127.0.0.1:${(second.server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await second.close()
  await app.close()
})
beforeEach(async () => {
  printer = await aPrinter(app, owner, 'Voron')
})

const old = (method: string, who = owner, printerId = printer.id) =>
  call(app, method, `/api/v1/sharedresources/?printer_id=${printerId}`, { cookie: who.cookie })
const links = (method: string, body?: object, who = owner) =>
  call(app, method, `/api/v1/printers/${printer.id}/share_links/`, { cookie: who.cookie, body })
const aLink = async (body: object = {}) => (await links('POST', body)).json as ShareLink
const link = (method: string, id: number, body?: object, who = owner) =>
  call(app, method, `/api/v1/share_links/${id}/`, { cookie: who.cookie, body })
const listed = async (id: number) =>
  ((await links('GET')).json as ShareLink[]).find((one) => one.id === id) as ShareLink
const look = (token: string, headers: Record<string, string> = {}) =>
  call(app, 'GET', `/api/v1p/printer/?share_token=${token}`, { headers })

/** A viewer with everything it hears. */
async function view(token: string, { base = app.wsUrl, cookie = '', address = '' } = {}) {
  const ws = new WebSocket(`${base}/ws/share_token/web/${token}/`, {
    headers: { ...(cookie ? { cookie } : {}), ...(address ? { 'x-forwarded-for': address } : {}) },
  })
  const heard: SharedPrinter[] = []
  const viewer = { ws, heard, closed: null as number | null, status: 0 }
  ws.on('message', (data: Buffer) => heard.push(JSON.parse(data.toString()) as SharedPrinter))
  ws.on('close', (code) => (viewer.closed = code))
  ws.on('error', () => undefined)
  const refused = once(ws, 'unexpected-response').then(
    ([, answer]) => (answer as { statusCode: number }).statusCode,
  )
  viewer.status = await Promise.race([once(ws, 'open').then(() => 101), refused])
  if (viewer.status === 101) await eventually(() => heard[0])
  return viewer
}

/** Milliseconds until all viewers were closed with 4401. */
async function allClosed(viewers: readonly { closed: number | null }[], since = performance.now()) {
  await eventually(() => viewers.every(({ closed }) => closed !== null) || undefined)
  expect(new Set(viewers.map(({ closed }) => closed))).toEqual(new Set([4401]))
  return performance.now() - since
}

/** What of a camera everybody sees. */
const FRONT = {
  name: 'Front',
  is_primary_camera: true,
  stream_mode: 'h264_transcode',
  stream_id: 7,
  flipV: true,
  rotation: 90,
  streamRatio: '4:3',
}

/** The printer with everything that an agent tells, and a picture. */
async function alive() {
  const agent = await connectAgent(app, printer.auth_token)
  agent.send({
    current_print_ts: -1,
    status: { _ts: Date.now() / 1000, state: { text: 'Operational', flags: { ready: true } } },
    settings: {
      webcams: [
        {
          ...FRONT,
          stream_url: 'http://admin:secret@192.168.1.20/webcam',
          snapshot_url: 'http://192.168.1.20/snapshot',
        },
        { name: 3, stream_id: { odd: true } },
      ],
      data_channel_id: 389,
      platform_uname: ['Linux', 'hiddenhost'],
      installed_plugins: ['secretplugin'],
      printer_metadata: { MACHINE_TYPE: 'hidden' },
      agent: { name: 'moonraker_obico', version: '2.1.4' },
    },
  })
  const jpeg = await sharp({ create: { width: 64, height: 48, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer()
  const form = new FormData()
  form.set('pic', new Blob([new Uint8Array(jpeg)]), 'x.jpg')
  const headers = { authorization: `Token ${printer.auth_token}` }
  await fetch(`${app.url}/api/v1/octo/pic/`, { method: 'POST', headers, body: form })
  await eventually(async () => {
    const { json } = await call(app, 'GET', `/api/v1/printers/${printer.id}/`, { cookie: owner.cookie })
    return json.pic && json.status && json.settings.webcams ? true : undefined
  })
  return agent
}

describe('the old switch', () => {
  test('is off, on with the same token however often, off, and on with a new one', async () => {
    expect((await old('GET')).json).toEqual([])
    const first = await old('POST')
    expect(first.status).toBe(200)
    expect(first.json).toEqual([
      {
        id: expect.any(Number),
        printer_id: printer.id,
        share_token: expect.stringMatching(/^[0-9a-f]{36}$/),
      },
    ])
    expect((await old('POST')).json).toEqual(first.json)
    expect((await old('GET')).json).toEqual(first.json)
    const path = `/api/v1/sharedresources/${first.json[0].id}/`
    expect((await call(app, 'DELETE', path, { cookie: owner.cookie })).status).toBe(204)
    expect((await call(app, 'DELETE', path, { cookie: owner.cookie })).status).toBe(404)
    expect((await old('GET')).json).toEqual([])
    expect((await old('POST')).json[0].share_token).not.toBe(first.json[0].share_token)
  })

  test('takes the printer from the body too, and asked at once it makes one link', async () => {
    const body = { printer_id: printer.id }
    const ask = () => call(app, 'POST', '/api/v1/sharedresources/', { cookie: owner.cookie, body })
    const answers = await Promise.all([ask(), ask(), ask()])
    expect(new Set(answers.map(({ json }) => json[0].share_token)).size).toBe(1)
  })

  test('knows the default link alone', async () => {
    await aLink({ label: 'Family' })
    expect((await old('GET')).json).toEqual([])
    const [first] = (await old('POST')).json
    expect((await old('GET')).json).toEqual([first])
    expect((await listed(first.id)).is_default).toBe(true)
  })

  test('of a foreign, archived or missing printer is refused', async () => {
    for (const method of ['GET', 'POST']) {
      expect((await old(method, stranger)).status).toBe(404)
      expect((await old(method, owner, asId(99_999_999))).status).toBe(404)
      const nobody = await call(app, method, '/api/v1/sharedresources/', { cookie: owner.cookie })
      expect([nobody.status, Object.keys(nobody.json)]).toEqual([404, ['detail']])
    }
    await call(app, 'POST', `/api/v1/printers/${printer.id}/archive/`, { cookie: owner.cookie })
    expect((await old('POST')).status).toBe(404)
  })
})

describe('several links', () => {
  test('have a label, an end and a PIN that is never told', async () => {
    const ends_at = new Date(app.ctx.clock.now() + 3_600_000).toISOString()
    const answer = await links('POST', { label: ' Club ', ends_at, pin: '1234' })
    expect(answer.status).toBe(201)
    expect(answer.json).toEqual({
      id: expect.any(Number),
      printer_id: printer.id,
      share_token: expect.stringMatching(/^[0-9a-f]{36}$/),
      url: `${app.url}/printers/share_token/${answer.json.share_token}/`,
      label: 'Club',
      is_default: false,
      ends_at,
      has_ended: false,
      has_pin: true,
      viewers: 0,
      last_used_at: null,
      created_at: expect.any(String),
    })
    const row = await app.ctx.db
      .selectFrom('sharedResources')
      .selectAll()
      .where('id', '=', answer.json.id)
      .executeTakeFirstOrThrow()
    expect(row.pinHash).toMatch(/^\$argon2id\$/)
    const changed = await link('PATCH', answer.json.id, { label: 'All', ends_at: null, pin: null })
    expect(changed.json).toMatchObject({ label: 'All', ends_at: null, has_pin: false })
    await aLink()
    expect((await links('GET')).json).toHaveLength(2)
    expect((await link('DELETE', answer.json.id)).status).toBe(204)
    expect((await links('GET')).json).toHaveLength(1)
  })

  test.each([
    ['an end that has passed', { ends_at: '2020-01-01T00:00:00Z' }, 'ends_at'],
    ['an end without a zone', { ends_at: '2099-01-01T00:00:00' }, 'ends_at'],
    ['an end that is no time', { ends_at: 'tomorrow' }, 'ends_at'],
    ['a short PIN', { pin: '123' }, 'pin'],
    ['a long PIN', { pin: '1'.repeat(13) }, 'pin'],
    ['a PIN with NUL', { pin: '12\u00003' }, 'pin'],
    ['a long label', { label: 'x'.repeat(101) }, 'label'],
  ])('%s is refused by name', async (_name, body, field) => {
    const { id } = await aLink()
    for (const answer of [await links('POST', body), await link('PATCH', id, body)])
      expect([answer.status, Object.keys(answer.json)]).toEqual([400, [field]])
  })

  test('are at most fifty', async () => {
    const values = Array.from({ length: 40 }, (_, i) => ({
      printerId: printer.id,
      shareToken: `${printer.id}-${i}`,
    }))
    await app.ctx.db.insertInto('sharedResources').values(values).execute()
    const storm = await Promise.all(Array.from({ length: 60 }, () => links('POST', {})))
    expect(storm.filter(({ status }) => status === 201)).toHaveLength(10)
    expect(storm.filter(({ status }) => status === 400)).toHaveLength(50)
  })

  test('of others do not exist', async () => {
    const { id } = await aLink()
    expect((await links('GET', undefined, stranger)).status).toBe(404)
    expect((await links('POST', {}, stranger)).status).toBe(404)
    expect((await link('PATCH', id, { label: 'x' }, stranger)).status).toBe(404)
    expect((await link('DELETE', id, undefined, stranger)).status).toBe(404)
    const path = `/api/v1/sharedresources/${id}/`
    expect((await call(app, 'DELETE', path, { cookie: stranger.cookie })).status).toBe(404)
  })
})

describe('a viewer', () => {
  test('sees name, picture and camera settings, and nothing that tells more', async () => {
    const agent = await alive()
    const { share_token: token } = await aLink()
    const page = await look(token)
    const viewer = await view(token)
    expect(page.status).toBe(200)
    expect(viewer.heard[0]).toEqual(page.json)
    expect(page.json).toEqual({
      name: 'Voron',
      pic: {
        img_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1p\/printer\/pic\/\?share_token=/),
        taken_at: expect.stringMatching(/^\d{4}-.*Z$/),
      },
      settings: {
        webcams: [FRONT, {}],
        data_channel_id: '389',
        ratio169: false,
        webcam_flipV: true,
        webcam_flipH: false,
        webcam_rotation: 90,
        webcam_rotate90: false,
        webcam_streamRatio: '4:3',
      },
    })
    const told = JSON.stringify([page.json, viewer.heard])
    for (const secret of [
      printer.auth_token,
      'secret',
      'hidden',
      'Linux',
      '192.168',
      'moonraker',
      'Operational',
    ])
      expect(told).not.toContain(secret)
    expect(told).not.toMatch(new RegExp(`\\b(id|status|auth_token|snapshots|raw)\\b|/${printer.id}/`))
    viewer.ws.terminate()
    agent.ws.terminate()
  })

  test('gets the picture by the link alone, and none when the link has gone', async () => {
    const agent = await alive()
    const { id, share_token: token } = await aLink()
    const { img_url } = (await look(token)).json.pic
    const answer = await fetch(img_url)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(100)
    await link('DELETE', id)
    expect((await fetch(img_url)).status).toBe(404)
    agent.ws.terminate()
  })

  test('hears of a new name at once, is not told what did not change, and is not listened to', async () => {
    const { share_token: token } = await aLink()
    const viewer = await view(token)
    viewer.ws.send('{"passthru":{"ref":"1","target":"Printer","func":"home"}}')
    viewer.ws.send('not json')
    const path = `/api/v1/printers/${printer.id}/`
    await call(app, 'PATCH', path, { cookie: owner.cookie, body: { retract_on_pause: 3 } })
    await call(app, 'PATCH', path, { cookie: owner.cookie, body: { name: 'Renamed' } })
    await eventually(() => viewer.heard.find(({ name }) => name === 'Renamed'))
    expect(viewer.heard.map(({ name }) => name)).toEqual(['Voron', 'Renamed'])
    viewer.ws.terminate()
  })

  test('counts: its agent is told that somebody looks, the owner how many', async () => {
    const agent = await connectAgent(app, printer.auth_token)
    await agent.hear(({ remote_status }) => remote_status?.viewing === false)
    const { id, share_token: token } = await aLink()
    const here = await view(token)
    const there = await view(token, { base: secondUrl })
    await agent.hear(({ remote_status }) => remote_status?.viewing === true)
    expect(await listed(id)).toMatchObject({ viewers: 2, last_used_at: expect.any(String) })
    here.ws.close()
    there.ws.close()
    await eventually(async () => ((await listed(id)).viewers === 0 ? true : undefined))
    const before = agent.heard.length
    await eventually(() =>
      agent.heard.slice(before - 1).find(({ remote_status }) => remote_status?.viewing === false),
    )
    agent.ws.terminate()
  })

  test('of a printer that does not print sees a new still when nothing moves, and adds none to a print', async () => {
    const { auth_token: code, id } = await aPrinter(app, owner, 'Idle')
    const agent = await connectAgent(app, code)
    const says = async (isPrinting: boolean) => {
      const flags = { operational: true, ready: !isPrinting, printing: isPrinting }
      const text = isPrinting ? 'Printing' : 'Operational'
      agent.send({ status: { _ts: app.ctx.clock.now() / 1000, state: { text, flags } } })
      await eventually(async () => {
        const shown = (await call(app, 'GET', `/api/v1/printers/${id}/`, { cookie: owner.cookie })).json
        return JSON.stringify(shown).includes(`"text":"${text}"`) ? true : undefined
      })
    }
    const viewing = () => agent.heard.filter(({ remote_status: said }) => said?.viewing === true).length
    await says(false)
    const path = `/api/v1/printers/${id}/share_links/`
    const made = await call(app, 'POST', path, { cookie: owner.cookie, body: {} })
    const viewer = await view((made.json as ShareLink).share_token)
    const before = await eventually(() => viewing() || undefined)
    viewer.ws.send('{"still":true}')
    await eventually(() => (viewing() === before + 1 ? true : undefined))
    app.advance(5_000)
    await says(true)
    viewer.ws.send('{"still":true}')
    viewer.ws.ping()
    await once(viewer.ws, 'pong')
    app.advance(5_000)
    await says(false)
    viewer.ws.send('{"still":true}')
    await eventually(() => (viewing() === before + 2 ? true : undefined))
    for (const { ws } of [viewer, agent]) ws.terminate()
  })

  test.each(['', '0'.repeat(36), 'x', 'A'.repeat(36), '%00', "'", '0'.repeat(500)])(
    'without a link finds nothing: %s',
    async (token) => {
      expect((await look(token)).status).toBe(404)
      expect((await fetch(`${app.url}/api/v1p/printer/pic/?share_token=${token}`)).status).toBeOneOf([
        404, 400,
      ])
      if (token !== '') expect((await view(token)).status).toBe(404)
    },
  )

  test('of a printer without link parameter finds nothing', async () => {
    expect((await call(app, 'GET', '/api/v1p/printer/')).status).toBe(404)
    expect((await call(app, 'GET', '/api/v1p/printer/pic/')).status).toBe(404)
  })
})

describe('an end', () => {
  test('by revocation closes fifty viewers of two nodes within a second', async () => {
    const { id, share_token: token } = await aLink()
    const viewers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => view(token, i % 2 ? { base: secondUrl } : {})),
    )
    expect(viewers.every(({ status }) => status === 101)).toBe(true)
    expect((await listed(id)).viewers).toBe(50)
    const since = performance.now()
    await link('DELETE', id)
    expect(await allClosed(viewers, since)).toBeLessThan(1_000)
    expect((await look(token)).status).toBe(404)
    expect((await view(token)).status).toBe(404)
  })

  test('leaves the other links’ viewers alone', async () => {
    const [gone, kept] = [await aLink(), await aLink()]
    const [leaving, staying] = [await view(gone.share_token), await view(kept.share_token)]
    await link('DELETE', gone.id)
    await allClosed([leaving])
    expect(staying.closed).toBeNull()
    staying.ws.terminate()
  })

  test.each([
    ['deleted', () => call(app, 'DELETE', `/api/v1/printers/${printer.id}/`, { cookie: owner.cookie })],
    [
      'archived',
      () => call(app, 'POST', `/api/v1/printers/${printer.id}/archive/`, { cookie: owner.cookie }),
    ],
  ])('comes when the printer is %s', async (_how, end) => {
    const { share_token: token } = await aLink()
    const viewers = [await view(token), await view(token, { base: secondUrl })]
    await end()
    expect(await allClosed(viewers)).toBeLessThan(1_000)
    expect((await look(token)).status).toBe(404)
    expect((await view(token)).status).toBe(404)
  })

  test('comes at its time, also when the time is moved', async () => {
    const at = (ms: number) => new Date(app.ctx.clock.now() + ms).toISOString()
    const { id, share_token: token } = await aLink({ ends_at: at(3_600_000) })
    const viewers = [await view(token), await view(token, { base: secondUrl })]
    const moved = performance.now()
    await link('PATCH', id, { ends_at: at(400) })
    const took = await allClosed(viewers, moved)
    expect(took).toBeGreaterThan(300)
    expect(took).toBeLessThan(1_400)
    expect((await look(token)).status).toBe(404)
    expect((await view(token)).status).toBe(404)
    expect(await listed(id)).toMatchObject({ has_ended: true })
  })

  test('of the default link switches sharing off; on again is a new link', async () => {
    const [first] = (await old('POST')).json
    await link('PATCH', first.id, { ends_at: new Date(app.ctx.clock.now() + 10_000).toISOString() })
    app.advance(11_000)
    expect((await old('GET')).json).toEqual([])
    const [next] = (await old('POST')).json
    expect(next.share_token).not.toBe(first.share_token)
    expect((await look(next.share_token)).status).toBe(200)
  })

  test('comes a little later when nobody was told: by the database, or by losing the account', async () => {
    const person = await aUser(app)
    const theirs = await aPrinter(app, person)
    const path = `/api/v1/printers/${theirs.id}/share_links/`
    const { json } = await call(app, 'POST', path, { cookie: person.cookie, body: {} })
    const { id, share_token: token } = await aLink()
    const viewers = [await view(token), await view(json.share_token)]
    await app.ctx.db.deleteFrom('sharedResources').where('id', '=', asId(id)).execute()
    await app.ctx.db.updateTable('users').set({ isActive: false }).where('id', '=', person.id).execute()
    await eventually(() => viewers.every(({ closed }) => closed === 4401) || undefined)
  })

  test('does not wait for a viewer that does not answer', async () => {
    const { id, share_token: token } = await aLink()
    const deaf = await view(token)
    deaf.ws.pause()
    expect(countViewers(app.ctx, asId(id))).toBe(1)
    await link('DELETE', id)
    await eventually(() => (countViewers(app.ctx, asId(id)) === 0 ? true : undefined), 1_500)
    deaf.ws.terminate()
  })
})

describe('a PIN', () => {
  const unlock = (share_token: string, pin: string, address = '', cookie?: string) =>
    call(app, 'POST', '/api/v1p/printer/pin/', {
      body: { share_token, pin },
      headers: address ? { 'x-forwarded-for': address } : {},
      ...(cookie === undefined ? {} : { cookie }),
    })

  test('is asked for by page, picture and socket, and opens them by a cookie', async () => {
    const { share_token: token } = await aLink({ pin: 'abcd' })
    const locked = await look(token)
    expect(locked).toMatchObject({ status: 401, json: { pin_required: true, detail: expect.any(String) } })
    expect(JSON.stringify(locked.json)).not.toContain('Voron')
    expect((await fetch(`${app.url}/api/v1p/printer/pic/?share_token=${token}`)).status).toBe(401)
    expect((await view(token)).status).toBe(401)
    expect(await unlock(token, 'wrong', '198.51.100.1')).toMatchObject({
      status: 400,
      json: { pin: [expect.any(String)] },
    })
    const answer = await unlock(token, 'abcd', '198.51.100.1')
    expect(answer).toMatchObject({ status: 200, json: { succeeded: true } })
    const set = answer.headers.get('set-cookie') ?? ''
    expect(set).toMatch(/HttpOnly/)
    expect(set).toMatch(/SameSite=Lax/)
    expect(set).not.toMatch(/Domain/i)
    const cookie = set.split(';')[0] as string
    expect((await look(token, { cookie })).json.name).toBe('Voron')
    const viewer = await view(token, { cookie })
    expect(viewer.status).toBe(101)
    viewer.ws.terminate()
  })

  test('changed, shuts out who knew the old one; a stale cookie opens nothing', async () => {
    const { id, share_token: token } = await aLink({ pin: 'first' })
    const other = await aLink({ pin: 'first' })
    const cookie = (await unlock(token, 'first', '198.51.100.2')).headers
      .get('set-cookie')
      ?.split(';')[0] as string
    const stolen = cookie.replace(token.slice(0, 8), other.share_token.slice(0, 8))
    expect((await look(other.share_token, { cookie: stolen })).status).toBe(401)
    const viewer = await view(token, { cookie })
    await link('PATCH', id, { pin: 'second' })
    expect(await allClosed([viewer])).toBeLessThan(1_000)
    expect((await look(token, { cookie })).status).toBe(401)
    expect((await unlock(token, 'first', '198.51.100.2')).status).toBe(400)
    const fresh = (await unlock(token, 'second', '198.51.100.2')).headers
      .get('set-cookie')
      ?.split(';')[0] as string
    expect((await look(token, { cookie: fresh })).status).toBe(200)
    app.advance(12 * 3_600_000 + 1)
    expect((await look(token, { cookie: fresh })).status).toBe(401)
    app.advance(-(12 * 3_600_000 + 1))
  })

  test('cannot be guessed: five tries from one address, sixty from all', async () => {
    app.newWindows()
    const { share_token: token } = await aLink({ pin: '0000' })
    const honest = await unlock(token, '0000', '198.51.100.6')
    const tries = await Promise.all(Array.from({ length: 8 }, () => unlock(token, '9999', '198.51.100.3')))
    expect(tries.map(({ status }) => status).toSorted()).toEqual([400, 400, 400, 400, 400, 429, 429, 429])
    const refused = await unlock(token, '0000', '198.51.100.3')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await unlock(token, '0000', '198.51.100.4')).status).toBe(200)
    const storm = await Promise.all(
      Array.from({ length: 90 }, (_, i) => unlock(token, '9999', `203.0.113.${Math.floor(i / 6)}`)),
    )
    expect(storm.filter(({ status }) => status === 400)).toHaveLength(60 - 5)
    expect((await unlock(token, '0000', '198.51.100.5')).status).toBe(429)
    const cookie = honest.headers.get('set-cookie')?.split(';')[0] as string
    expect((await unlock(token, '0000', '198.51.100.6', cookie)).status).toBe(200)
    expect((await unlock(token, '0000', '198.51.100.6', `${cookie}x`)).status).toBe(429)
  })

  test('put right forgets the wrong ones before, and how long they would have waited', async () => {
    const { share_token: token } = await aLink({ pin: '0000' })
    const exhaust = async () => {
      app.newWindows()
      for (let i = 0; i < 5; i++) expect((await unlock(token, '9999', '198.51.100.9')).status).toBe(400)
      return unlock(token, '9999', '198.51.100.9')
    }
    const wait = async () => Number((await exhaust()).headers.get('retry-after'))
    expect(await wait()).toBeLessThanOrEqual(600)
    app.newWindows()
    expect((await unlock(token, '0000', '198.51.100.9')).status).toBe(200)
    expect(await wait()).toBeLessThanOrEqual(600)
  })

  test('may be right as often as there are viewers', async () => {
    const { share_token: token } = await aLink({ pin: '0000' })
    for (let i = 0; i < 65; i++)
      expect((await unlock(token, '0000', `198.51.100.${100 + (i % 20)}`)).status).toBe(200)
  })

  test('is asked for in the reader’s language', async () => {
    const { share_token: token } = await aLink({ pin: '0000' })
    const { json } = await look(token, { 'accept-language': 'zh-CN' })
    expect(json).toEqual({ detail: '此链接需要 PIN 码。', pin_required: true })
  })

  test('of no link is not tried', async () => {
    expect((await unlock('0'.repeat(36), '0000')).status).toBe(404)
    expect((await call(app, 'POST', '/api/v1p/printer/pin/', { body: {} })).status).toBe(400)
  })
})

describe('editions', () => {
  const only = async (env: Record<string, string>, work: (other: TestApp) => Promise<void>) => {
    const other = await buildTestApp({ env })
    try {
      await work(other)
    } finally {
      await other.close()
    }
  }

  test('enterprise: Pro alone shares, and what it shared ends with Pro', async () => {
    await only({ IS_ENT: 'true' }, async (other) => {
      const user = await aUser(other)
      const { id } = await aPrinter(other, user)
      const setPro = (isPro: boolean) =>
        other.ctx.db.updateTable('users').set({ isPro }).where('id', '=', user.id).execute()
      const path = `/api/v1/printers/${id}/share_links/`
      const share = () => call(other, 'POST', path, { cookie: user.cookie, body: {} })
      await setPro(true)
      const { id: linkId, share_token: token } = (await share()).json as ShareLink
      expect((await call(other, 'GET', `/api/v1p/printer/?share_token=${token}`)).status).toBe(200)
      await setPro(false)
      expect(await share()).toMatchObject({
        status: 403,
        json: { detail: 'Printer feed sharing is a Pro feature' },
      })
      const switchOn = await call(other, 'POST', `/api/v1/sharedresources/?printer_id=${id}`, {
        cookie: user.cookie,
      })
      expect(switchOn.status).toBe(403)
      expect((await call(other, 'GET', `/api/v1p/printer/?share_token=${token}`)).status).toBe(404)
      const ws = new WebSocket(`${other.wsUrl}/ws/share_token/web/${token}/`)
      ws.on('error', () => undefined)
      const [, answer] = await once(ws, 'unexpected-response')
      expect((answer as { statusCode: number }).statusCode).toBe(404)
      ws.terminate()
      expect(
        (await call(other, 'DELETE', `/api/v1/share_links/${linkId}/`, { cookie: user.cookie })).status,
      ).toBe(204)
    })
  })

  test('general: on for all, unless the operator switches it off', async () => {
    await app.ctx.db.updateTable('users').set({ isPro: false }).where('id', '=', owner.id).execute()
    expect((await links('POST', {})).status).toBe(201)
    await only({ SHARING_ENABLED: 'false' }, async (other) => {
      const { json: shown } = await call(other, 'GET', '/api/v1/bootstrap/')
      expect(shown).toMatchObject({ settings: { SHARING_ENABLED: false } })
      const user = await aUser(other)
      const { id } = await aPrinter(other, user)
      const path = `/api/v1/printers/${id}/share_links/`
      expect((await call(other, 'POST', path, { cookie: user.cookie, body: {} })).status).toBe(403)
      expect((await call(other, 'GET', path, { cookie: user.cookie })).json).toEqual([])
    })
  })
})
