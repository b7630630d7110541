import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aNode, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { boxTriangles, stlOf } from '../../../test/meshes.ts'
import { cleanHtml } from './designs.service.ts'

const DESIGNS = '/ent/api/designs/'
let app: TestApp
let owner: TestUser
beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
})
afterAll(() => app?.close())

const get = async (path: string, node: Pick<TestApp, 'url'> = app) =>
  call(node, 'GET', path, { cookie: owner.cookie })
const picture = (path: string, node: Pick<TestApp, 'url'> = app) =>
  fetch(node.url + path, { headers: { cookie: owner.cookie } })

describe('the models of our own', () => {
  it('are found by words, in both languages, each with its picture', async () => {
    const all = (await get(DESIGNS)).json
    expect(all).toMatchObject({ provider: 'sample', is_old: false })
    expect(all.hits.length).toBeGreaterThanOrEqual(20)
    expect((await get(`${DESIGNS}?page=2`)).json.hits).toEqual([])
    const hooks = (await get(`${DESIGNS}?keyword=Wall+hook`)).json.hits
    expect(hooks.map(({ name }: { name: string }) => name)).toEqual(['Wall hook'])
    expect((await get(`${DESIGNS}?keyword=线夹&lang=zh`)).json.hits[0].name).toMatch(/线夹/)
    const shown = await picture(hooks[0].preview_image)
    expect(shown.headers.get('content-type')).toBe('image/webp')
    const { width } = await sharp(Buffer.from(await shown.arrayBuffer())).metadata()
    expect(width).toBe(640)
  })

  it('each can be sliced as it is: whole, mended in nothing, as large as most beds', async () => {
    const { hits } = (await get(DESIGNS)).json
    const who = await aUser(app)
    for (const { id } of hits) {
      const path = `${DESIGNS}${id}/`
      const files = (await get(`${path}files/`)).json
      expect(files).toEqual([expect.objectContaining({ is_mesh: true })])
      const body = { file_ids: [files[0].id] }
      const { status, json } = await call(app, 'POST', `${path}models/`, { cookie: who.cookie, body })
      expect(status).toBe(201)
      expect(json[0].notes).toEqual([])
      expect(Math.max(...json[0].size)).toBeLessThan(200)
    }
  })

  it('what is not there, and a picture that nobody gave out, is not found', async () => {
    for (const path of [`${DESIGNS}999/`, `${DESIGNS}999/files/`, `${DESIGNS}pictures/x?of=wallHook`])
      expect((await get(path)).status).toBe(404)
  })
})

it('of somebody’s HTML only words, lists and links come through', async () => {
  const html =
    '<p onclick="x()">A <b>b</b><script>alert(1)</script><img src=x onerror=y><a href="javascript:z">l</a><style>p{}</style><iframe src="//evil"></iframe></p><a href="https://example.org" target="_top">m</a>'
  const clean = await cleanHtml(html)
  expect(clean).not.toMatch(/script|alert|onclick|onerror|img|style|iframe|javascript|evil|_top/)
  expect(clean).toContain('A <b>b</b>')
  expect(clean).toMatch(/<a href="https:\/\/example\.org" [^>]{0,200}rel="noopener noreferrer nofollow"/)
})

/** What Thingiverse answers, as its documents have it; spoilt by each test in its way. */
type Answer = (request: IncomingMessage, response: ServerResponse) => void
const CDN = 'https://cdn.thingiverse.com'
const thing = (id: number) => ({
  id,
  name: `Thing ${id}`,
  preview_image: `${CDN}/${id}.jpg`,
  creator: { name: 'ada', first_name: 'Ada', thumbnail: null },
  like_count: 12,
  collect_count: 3,
  file_count: 2,
  description_html: '<p>Hi<script>1</script></p>',
  license: 'CC BY',
  public_url: `https://www.thingiverse.com/thing:${id}`,
})

describe('Thingiverse, by a token', () => {
  let vendor: Server
  let node: TestApp
  let answer: Answer = () => {}
  const asked: { url: string; token: string | undefined }[] = []
  const json =
    (body: unknown): Answer =>
    (_, response) =>
      response.end(JSON.stringify(body))

  beforeAll(async () => {
    vendor = createServer((request, response) => {
      asked.push({ url: request.url ?? '', token: request.headers.authorization })
      answer(request, response)
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => vendor.once('listening', resolve))
    const url = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`
    node = await aNode(app.databaseUrl, {
      VIGIL_SECRET: app.ctx.config.VIGIL_SECRET ?? '',
      THINGIVERSE_APP_TOKEN: 'a-token',
      OUTGOING_STAND_INS: `https://api.thingiverse.com=${url},${CDN}=${url}`,
    })
  })
  afterAll(async () => {
    await node?.close()
    vendor?.closeAllConnections()
    vendor?.close()
  })

  it('is asked for what is popular, and searched, with the server’s token alone', async () => {
    answer = json({ total: 2, hits: [thing(1), { id: 'nonsense' }, thing(2)] })
    const { json: said } = await get(DESIGNS, node)
    expect(said.hits.map(({ id }: { id: number }) => id)).toEqual([1, 2])
    expect(JSON.stringify(said)).not.toContain('a-token')
    await get(`${DESIGNS}?keyword=cable+clip&page=2`, node)
    expect(asked.map(({ url }) => url)).toEqual([
      '/search/?type=things&per_page=30&page=1&sort=popular&posted_after=now-30d',
      '/search/cable%20clip?type=things&per_page=30&page=2&sort=relevant&posted_after=',
    ])
    expect(asked.every(({ token }) => token === 'Bearer a-token')).toBe(true)
  })

  it('a picture is coded anew, and asked for without the token', async () => {
    const { json: said } = await get(DESIGNS, node)
    const jpeg = await sharp({ create: { width: 2000, height: 1000, channels: 3, background: 'teal' } })
      .jpeg()
      .toBuffer()
    answer = (_, response) => response.end(jpeg)
    const shown = await picture(said.hits[0].preview_image, node)
    const { format, width } = await sharp(Buffer.from(await shown.arrayBuffer())).metadata()
    expect({ format, width }).toEqual({ format: 'webp', width: 800 })
    expect(asked.at(-1)).toEqual({ url: '/1.jpg', token: undefined })
    for (const none of [
      '<svg onload="x">',
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
    ]) {
      answer = (_, response) => response.end(none)
      expect((await picture(said.hits[1].preview_image, node)).status).toBe(502)
    }
  })

  it.each([
    ['away', (_, response) => void response.destroy(), 503, /does not answer/],
    [
      'limited',
      (_, response) => void response.writeHead(429, { 'retry-after': '77' }).end(),
      503,
      /77\W{1,3}s/,
    ],
    ['lying', (_, response) => void response.end('<html>'), 502, /cannot be read/],
    ['endless', (_, response) => void response.end(Buffer.alloc(5 * 1_048_576, 32)), 413, /larger/],
    ['refusing', (_, response) => void response.writeHead(401).end(), 502, /token/],
    [
      'sending elsewhere',
      (_, response) => void response.writeHead(302, { location: 'http://169.254.169.254/secrets' }).end(),
      502,
      /cannot be read/,
    ],
  ] satisfies [string, Answer, number, RegExp][])('%s: it is said', async (name, bad, status, sentence) => {
    answer = bad
    const refused = await get(`${DESIGNS}?keyword=${encodeURIComponent(name)}`, node)
    expect(refused).toMatchObject({ status, json: { detail: expect.stringMatching(sentence) } })
  })

  it('what it said before is shown while it is away', async () => {
    answer = (_, response) => void response.writeHead(500).end()
    node.advance(11 * 60_000)
    const { status, json: said } = await get(DESIGNS, node)
    expect({ status, old: said.is_old, count: said.hits.length }).toEqual({
      status: 200,
      old: true,
      count: 2,
    })
    answer = (_, response) => void response.end(JSON.stringify(thing(1)))
    expect((await get(`${DESIGNS}1/`, node)).json.is_old).toBe(false)
    answer = (_, response) => void response.writeHead(500).end()
    node.advance(11 * 60_000)
    expect((await get(`${DESIGNS}1/`, node)).json).toMatchObject({ id: 1, is_old: true })
  })

  it('its files become models of who wants them; what is no mesh, and what only says so, does not', async () => {
    const file = (id: number, name: string) => ({
      id,
      name,
      size: 684,
      thumbnail: null,
      direct_url: `${CDN}/${name}`,
    })
    answer = ({ url = '' }, response) => {
      if (url === '/hook.stl') return void response.end(stlOf(boxTriangles(20)))
      if (url === '/lie.stl') return void response.end('not a mesh at all')
      const said = url.endsWith('/files')
        ? [file(5, 'hook.stl'), file(6, 'hook.f3d'), file(7, 'lie.stl')]
        : thing(1)
      response.end(JSON.stringify(said))
    }
    const bring = (id: number) =>
      call(node, 'POST', `${DESIGNS}1/models/`, { cookie: owner.cookie, body: { file_ids: [id] } })
    expect((await bring(5)).json).toEqual([expect.objectContaining({ name: 'hook', size: [20, 20, 20] })])
    expect((await bring(6)).json).toEqual({ error: 'File types other than STL cannot be sliced yet.' })
    expect(await bring(7)).toMatchObject({ status: 400, json: { error: expect.stringMatching(/mesh/) } })
    expect((await bring(8)).status).toBe(404)
  })
})
