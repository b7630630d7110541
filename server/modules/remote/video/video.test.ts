import type { ShareLink } from '@vigil/contract/remote/sharing.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aNode, aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { setPlan } from '../../people/accounts/index.ts'
import {
  agentWithJanus,
  ANSWER,
  eventually,
  type JanusAgent,
  message,
  openPage,
  type Page,
  play,
} from './video.fixture.ts'

const WEBCAMS = [
  { name: 'Front', is_primary_camera: true, stream_mode: 'h264_transcode', stream_id: 1 },
  { name: 'Side', is_primary_camera: false, stream_mode: 'mjpeg_webrtc', stream_id: '3' },
]

let app: TestApp
let owner: TestUser
let printer: Awaited<ReturnType<typeof aPrinter>>
let agent: JanusAgent
let link: ShareLink
const pages: Page[] = []

beforeAll(async () => {
  const env = {
    IS_ENT: 'true',
    TURN_URLS: 'turn:turn.example.org:3478?transport=udp',
    TURN_SECRET: 'relay-secret',
    TUNNEL_DOMAIN: 'vigil.test',
  }
  app = await buildTestApp({ env })
})
afterAll(() => app.close())
beforeEach(async () => {
  owner = await aUser(app)
  await setPlan(app.ctx, { email: owner.email, plan: 'pro' })
  printer = await aPrinter(app, owner)
  const agentSettings = JSON.stringify({ webcams: WEBCAMS, data_channel_id: 389 })
  await app.ctx.db.updateTable('printers').set({ agentSettings }).where('id', '=', printer.id).execute()
  agent = await agentWithJanus(app, printer.auth_token)
  const links = `/api/v1/printers/${printer.id}/share_links/`
  link = (await call(app, 'POST', links, { cookie: owner.cookie, body: {} })).json
})
afterEach(() => {
  for (const page of pages.splice(0)) page.ws.terminate()
  agent.ws.terminate()
})

async function page(path = `/ws/janus/${printer.id}/`, cookie = owner.cookie): Promise<Page> {
  const opened = await openPage(app, path, cookie)
  pages.push(opened)
  return opened
}
const guest = () => page(`/ws/share_token/janus/${link.share_token}/`, '')
const kinds = () => agent.asked.map(({ janus, body }) => body?.request ?? janus)
const asked = (kind: string) => eventually(() => agent.asked.find(({ janus }) => janus === kind))

describe('a viewer', () => {
  it('talks with the Janus of the printer, and nobody else hears it', async () => {
    const [mine, other, viewer] = [await page(), await page(), await guest()]
    await other.attach()
    const heard = other.heard.length
    const { session_id, handle_id, up } = await play(mine)
    expect(up).toEqual({ janus: 'webrtcup', session_id, sender: handle_id })
    agent.tell({ janus: 'slowlink', session_id, sender: handle_id, media: 'video', uplink: false, lost: 7 })
    await mine.hear(({ janus }) => janus === 'slowlink')
    // With nobody's session, with nobody's transaction, and with another's.
    agent.tell({ janus: 'media', session_id: 7, sender: 8 })
    agent.tell({ janus: 'event', transaction: 'x', session_id: 7 })
    agent.tell({ janus: 'ack', transaction: agent.asked[0].transaction, session_id })
    agent.tell({ janus: 'keepalive', session_id })
    agent.tell({ janus: 'media', session_id, sender: handle_id, receiving: true })
    await mine.hear(({ janus }) => janus === 'media')
    expect(mine.heard.map(({ janus }) => janus).slice(-2)).toEqual(['slowlink', 'media'])
    expect(other.heard).toHaveLength(heard)
    expect(viewer.heard).toEqual([])
  })

  it('is told no address but candidates, no secret, and how to reach a relay for an hour', async () => {
    const mine = await page()
    const created = await mine.ask({ janus: 'create' })
    const [{ username, credential, urls }] = created.ice_servers
    expect(urls).toEqual(['turn:turn.example.org:3478?transport=udp'])
    const [until] = username.split(':')
    expect(Math.abs(Number(until) - app.ctx.clock.now() / 1000 - 3_600)).toBeLessThan(60)
    expect(Buffer.from(credential, 'base64')).toHaveLength(20)
    expect(JSON.stringify(mine.heard)).not.toContain(printer.auth_token)
    const at = await mine.attach()
    const { plugindata } = await mine.ask(message(at, { request: 'info', id: 1 }))
    expect(plugindata.data.info).toEqual({
      id: 1,
      type: 'rtp',
      media: [{ mid: 'v', type: 'video', codec: 'h264' }],
    })
    const { jsep } = await mine.ask(message(at, { request: 'watch', id: 1, offer_video: true }))
    const withAddress = jsep.sdp.split('\r\n').filter((line: string) => line.includes('192.168'))
    expect(withAddress).toEqual(['a=candidate:1 1 udp 2015363327 192.168.1.5 20003 typ host'])
  })

  it('uses their own sessions and handles alone', async () => {
    const [mine, other] = [await page(), await page()]
    const at = await play(mine)
    const theirs = await other.attach()
    const before = agent.asked.length
    for (const strange of [
      { janus: 'destroy', session_id: at.session_id },
      { janus: 'keepalive', session_id: 4711 },
      { janus: 'hangup', session_id: at.session_id, handle_id: at.handle_id },
    ])
      expect(await other.ask(strange)).toMatchObject({ janus: 'error', error: { code: 458 } })
    expect(
      await other.ask(message({ ...theirs, handle_id: at.handle_id }, { request: 'stop' })),
    ).toMatchObject({ error: { code: 459 } })
    expect(agent.asked).toHaveLength(before)
  })

  it('who goes leaves nothing at the Janus, also what was only being made', async () => {
    const mine = await page()
    const { session_id } = await play(mine)
    mine.ws.terminate()
    expect(await asked('destroy')).toMatchObject({ session_id })
    const hasty = await page()
    hasty.send({ janus: 'create', transaction: 'x' })
    hasty.ws.close()
    const made = () => agent.asked.filter(({ janus }) => janus === 'create').length
    const ended = () => agent.asked.filter(({ janus }) => janus === 'destroy').length
    // What was said and what was not taken any more are both well; what was made is ended.
    await eventually(() => (made() === ended() ? true : undefined))
  })

  it('is told when there is no agent, and when it goes', async () => {
    const mine = await page()
    await mine.attach()
    agent.close()
    await eventually(() => mine.closed === 4404 || undefined)
    const late = await page()
    await eventually(() => late.closed === 4404 || undefined)
  })

  it('who says too much at once is sent away', async () => {
    const mine = await page()
    for (let i = 0; i < 400; i++) mine.send({ janus: 'create', transaction: `n${i}` })
    await eventually(() => mine.closed === 4000 || undefined)
    expect(kinds().filter((kind) => kind === 'create').length).toBeLessThanOrEqual(8)
  })

  it('may come with the printer’s token, and goes when it changes', async () => {
    await expect(page('/ws/token/janus/0123456789abcdef0123/', '')).rejects.toThrow('403')
    const mine = await page(`/ws/token/janus/${printer.auth_token}/`, '')
    await play(mine)
    await app.ctx.db
      .updateTable('printers')
      .set({ authToken: 'f'.repeat(20) })
      .where('id', '=', printer.id)
      .execute()
    app.ctx.live.publish(`printer:${printer.id}`, '{"kind":"changed"}')
    await eventually(() => mine.closed === 4401 || undefined)
  })
})

describe('an app with a tunnel', () => {
  const tunnelOf = async () => {
    const body = { app_name: 'OctoApp', target_printer_id: printer.id }
    const made = await call(app, 'POST', '/api/v1/tunnels/', { cookie: owner.cookie, body })
    const { host, username, password } = new URL(made.json.tunnel_endpoint)
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
    const [{ id }] = (await call(app, 'GET', '/api/v1/tunnels/', { cookie: owner.cookie })).json
    return { host, authorization, id }
  }

  it('watches its printer at both addresses, asks for nothing else, and is cut off when it is shut out', async () => {
    const { host, authorization, id } = await tunnelOf()
    const path = `/ws/janus/${printer.id}/`
    const open = async (headers: Record<string, string>, at = path) => {
      const opened = await openPage(app, at, '', { authorization, ...headers })
      pages.push(opened)
      return opened
    }
    const [here, there] = [await open({}), await open({ host })]
    for (const one of [here, there]) {
      const { up, ...at } = await play(one)
      expect(up).toMatchObject({ janus: 'webrtcup' })
      for (const request of ['list', 'create', 'destroy', 'recording', 'edit'])
        expect(await one.ask(message(at, { request, id: 1 }))).toMatchObject({ error: { code: 403 } })
    }
    expect(new Set(kinds())).toEqual(new Set(['create', 'attach', 'watch', 'start']))
    const other = `/ws/janus/${(await aPrinter(app, owner)).id}/`
    for (const [headers, at, status] of [
      [{}, other, 403],
      [{ host }, other, 404],
      [{ host, authorization: '' }, path, 401],
      [{ host, origin: 'https://evil.example' }, path, 403],
    ] as const)
      await expect(open(headers, at)).rejects.toThrow(`refused ${status}`)
    await call(app, 'DELETE', `/api/v1/tunnels/${id}/`, { cookie: owner.cookie })
    await eventually(() => (here.closed !== null && there.closed !== null) || undefined)
    expect([here.closed, there.closed]).toEqual([4401, 4401])
    await expect(open({})).rejects.toThrow('refused 403')
  })
})

describe('a viewer by a link', () => {
  it('watches the cameras that are shown, without the printer’s status', async () => {
    const viewer = await guest()
    const at = await viewer.attach()
    await viewer.ask(message(at, { request: 'watch', id: 1, offer_video: true, offer_data: true }))
    await viewer.ask(message(at, { request: 'watch', id: 3, offer_data: true }))
    expect(agent.asked.slice(-2).map(({ body }) => body)).toEqual([
      { request: 'watch', id: 1, offer_video: true, offer_data: false },
      { request: 'watch', id: 3, offer_data: true },
    ])
    for (const body of [
      { request: 'watch', id: 389 },
      { request: 'info', id: 2 },
    ])
      expect(await viewer.ask(message(at, body))).toMatchObject({ error: { code: 403 } })
  })

  it('is disconnected when it is taken back, and the session is ended', async () => {
    const viewer = await guest()
    const { session_id } = await play(viewer)
    await call(app, 'DELETE', `/api/v1/share_links/${link.id}/`, { cookie: owner.cookie })
    await eventually(() => viewer.closed === 4401 || undefined)
    expect(await asked('destroy')).toMatchObject({ session_id })
    await expect(guest()).rejects.toThrow('404')
  })
})

describe('the free plan', () => {
  it('plays for 30 s and rests for as long, over all of an account’s sockets', async () => {
    await setPlan(app.ctx, { email: owner.email, plan: 'free' })
    const [mine, other] = [await page(), await page()]
    const first = await play(mine)
    expect(first.up.play.left_ms).toBeGreaterThan(29_000)
    app.advance(20_000)
    expect((await play(other)).up.play.left_ms).toBeLessThan(12_000)
    app.advance(12_000)
    for (const one of [mine, other]) {
      const { rest } = await one.hear(({ plugindata }) => plugindata?.data.result?.status === 'stopped')
      expect(rest.left_ms).toBeLessThanOrEqual(30_000)
      await one.hear(({ janus }) => janus === 'timeout')
    }
    await eventually(() => (kinds().filter((kind) => kind === 'destroy').length === 2 ? true : undefined))
    const at = await other.attach()
    const refused = await other.ask(message(at, { request: 'watch', id: 3 }))
    expect(refused.plugindata.data.error_code).toBe(4290)
    expect(refused.rest.left_ms).toBeGreaterThan(0)
    // The printer's status is no video.
    await other.ask(message(at, { request: 'watch', id: 389, offer_video: false }))
    // A server that was restarted knows of it.
    const next = await aNode(app.databaseUrl, { IS_ENT: 'true' })
    next.advance(32_000)
    const its = await agentWithJanus(next, printer.auth_token)
    const later = await openPage(next, `/ws/token/janus/${printer.auth_token}/`)
    const again = await later.ask(message(await later.attach(), { request: 'watch', id: 3 }))
    expect(again.plugindata.data.error_code).toBe(4290)
    its.ws.terminate()
    await next.close()
    app.advance(31_000)
    await play(mine, 3)
  })
})

it('a thousand crafted messages: none reaches the agent', async () => {
  const viewer = await guest()
  const at = await viewer.attach()
  const before = agent.asked.length
  const crafted = [...craftedMessages(at)]
  expect(crafted).toHaveLength(1_000)
  for (const [i, text] of crafted.entries()) {
    // Slower than what is too much at once.
    if (i % 100 === 99) app.advance(10_000)
    viewer.send(text)
    if (i % 50 === 49)
      await eventually(() => (viewer.heard.length >= i + 3 || viewer.closed ? true : undefined))
  }
  await eventually(() => (viewer.heard.length === 1_002 || viewer.closed !== null ? true : undefined))
  expect(viewer.closed).toBeNull()
  expect(viewer.heard.slice(2).filter(({ janus }) => janus !== 'error')).toEqual([])
  // What it may ask comes through, and nothing has come before it.
  app.advance(10_000)
  await viewer.ask(message(at, { request: 'watch', id: 1, offer_data: true }))
  expect(agent.asked.slice(before)).toMatchObject([{ body: { request: 'watch', id: 1 } }])
})

/** What is nearly allowed, each spoilt in one place; and what nobody may say. */
function* craftedMessages(at: { session_id: number; handle_id: number }): Generator<string> {
  const transaction = 'c'
  const good: Record<string, any>[] = [
    { janus: 'attach', session_id: at.session_id, plugin: 'janus.plugin.streaming', transaction },
    message(at, { request: 'watch', id: 1 }),
    message(at, { request: 'start' }, { type: 'answer', sdp: ANSWER }),
    {
      janus: 'trickle',
      ...at,
      candidate: { candidate: 'candidate:1 1 udp 1 10.0.0.1 9 typ host', sdpMid: 'v' },
    },
    { janus: 'keepalive', session_id: at.session_id },
    { janus: 'hangup', ...at },
    { janus: 'detach', ...at },
    { janus: 'destroy', session_id: at.session_id },
  ]
  const odd: unknown[] = [
    null,
    7.5,
    -1,
    1e300,
    true,
    '',
    'x',
    '__proto__',
    [],
    [1],
    {},
    { toString: 1 },
    '\u0000',
    'a b',
    'ä',
    '\r\n',
  ]
  const requests = [
    'create',
    'destroy',
    'edit',
    'list',
    'recording',
    'enable',
    'disable',
    'kick_all',
    'mutate',
    'switch',
    'configure',
  ]
  const plugins = [
    'janus.plugin.videoroom',
    'janus.plugin.textroom',
    'janus.plugin.streaming ',
    'janus.plugin.recordplay',
  ]
  const janus = [
    'info',
    'ping',
    'claim',
    'list_sessions',
    'handle_info',
    'start_pcap',
    'set_log_level',
    'message_plugin',
    'add_token',
  ]
  const all: unknown[] = []
  for (const kind of janus) all.push({ janus: kind, ...at }, { janus: kind, admin_secret: 'janusoverlord' })
  for (const plugin of plugins) all.push({ ...good[0], plugin })
  for (const request of requests)
    all.push(message(at, { request, id: 1 }), message(at, { request, id: 1, secret: '', new_pin: '1' }))
  all.push(message(at, { request: 'watch', id: 1 }, { type: 'answer', sdp: ANSWER }))
  for (const sdp of [
    '',
    'v=1',
    `${ANSWER}\nx y`,
    `${ANSWER}a=${'x'.repeat(40_000)}`,
    `v=0\r\n${'a=candidate:1\r\n'.repeat(70)}`,
  ])
    all.push(message(at, { request: 'start' }, { type: 'answer', sdp }))
  all.push(message(at, { request: 'start' }, { type: 'offer', sdp: ANSWER }))
  all.push(
    { janus: 'trickle', ...at },
    { janus: 'trickle', ...at, candidate: { completed: true }, candidates: [] },
  )
  for (const one of good)
    for (const key of Object.keys(one))
      for (const value of odd) if (!isFine(key, value)) all.push({ ...one, transaction, [key]: value })
  const texts = all.map((one) => JSON.stringify(one))
  for (let i = 0; i < 1_000; i++) {
    const text = texts[i % texts.length] ?? ''
    // The second time round, cut somewhere: no JSON.
    yield i < texts.length ? text : text.slice(0, 1 + ((i * 7) % (text.length - 1)))
  }
}

/** A transaction may be any word. */
const isFine = (key: string, value: unknown) =>
  (key === 'transaction' && typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)) ||
  (key === 'jsep' && value === undefined)
