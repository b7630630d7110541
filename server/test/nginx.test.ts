import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { aPrinter, aUser, buildTestApp, PASSWORD, type TestApp, type TestUser } from './app.ts'
import { ask, type Asking, findNginx, freePort, type Nginx, startNginx } from './nginx.ts'

const program = findNginx()
if (program === null) {
  const advice = 'nginx is not installed: the proxy tests cannot run (apt-get install nginx-light).'
  if (process.env['CI'] === 'true') throw new Error(advice)
  console.warn(`${advice} Skipped.`)
}

/** A client on another address than the proxy: the whole of 127/8 is this machine, and only .1 is trusted. */
const STRANGER = '127.0.0.2'

let app: TestApp
let nginx: Nginx
let user: TestUser
let token: string
let printerId: number
const ports = { plain: 0, tls: 0, bare: 0 }

/** The example that operators copy: how it listens, and its headers. */
const EXAMPLE = readFileSync(join(import.meta.dirname, '../../docs/self-hosting.md'), 'utf8')
  .split('```nginx')[1]!
  .split('\n')
const LISTENS = /listen 443 ([^;]*);/.exec(EXAMPLE.join('\n'))![1]!
const HEADERS = EXAMPLE.filter((line) => /^\s*proxy_(?:set_header|http_version) /.test(line)).join('\n')

const PREFIXES = ['/vigil', '/haus/drucker'] as const

describe.skipIf(program === null)('behind nginx', () => {
  beforeAll(async () => {
    app = await buildTestApp({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
    for (const name of ['plain', 'tls', 'bare'] as const) ports[name] = await freePort()
    const server = (listen: string, locations: string) => `server { listen ${listen}; ${locations} }`
    const below = (prefix: string) => HEADERS.replace('X-Forwarded-Prefix ""', `X-Forwarded-Prefix ${prefix}`)
    const stripped = `location /vigil/ { proxy_pass ${app.url}/; ${below('/vigil')} }`
    const kept = `location /haus/drucker/ { proxy_pass ${app.url}; ${below('/haus/drucker')} }`
    const root = `location / { proxy_pass ${app.url}; ${HEADERS} }`
    const servers = [
      server(String(ports.plain), `${root} ${stripped} ${kept}`),
      server(`${ports.tls} ${LISTENS}`, `${root} ${stripped} ${kept}`),
      server(String(ports.bare), `location / { proxy_pass ${app.url}; }`),
    ]
    nginx = await startNginx(program as string, servers.join('\n'), ports.plain)
    user = await aUser(app, { isAdmin: true })
    const printer = await aPrinter(app, user)
    printerId = printer.id
    token = printer.auth_token
  })

  afterAll(async () => {
    await nginx?.stop()
    await app?.close()
  })

  it('is reached over HTTP/2 as the example has it', async () => {
    const session = connectHttp2(`https://127.0.0.1:${ports.tls}`, { rejectUnauthorized: false })
    try {
      const request = session.request({ ':path': '/vigil/', accept: 'text/html' })
      const [headers] = (await once(request, 'response')) as [Record<string, string>]
      const body = (await request.setEncoding('utf8').toArray()).join('')
      expect([headers[':status'], session.alpnProtocol]).toEqual([200, 'h2'])
      expect(body).toContain('<base href="/vigil/"')
    } finally {
      session.close()
    }
  })

  const places = (['plain', 'tls'] as const).flatMap((port) =>
    ['', ...PREFIXES].map((prefix) => ({ port, prefix })),
  )

  describe.each(places)('on $port at "$prefix/"', ({ port, prefix }) => {
    const origin = () => `${port === 'tls' ? 'https' : 'http'}://127.0.0.1:${ports[port]}`
    const at = (path: string, asking: Asking = {}) =>
      ask(origin() + prefix + path, { from: STRANGER, ...asking })
    const signIn = async (headers: Record<string, string> = {}) =>
      at('/api/v1/auth/login/', {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: origin(), ...headers },
        body: JSON.stringify({ email: user.email, password: PASSWORD }),
      })
    const cookie = async () => (await signIn()).headers['set-cookie']?.[0]?.split(';', 1)[0] ?? ''

    it('signs in, with a cookie for this place alone', async () => {
      const answer = await signIn()
      expect([answer.status, answer.json<{ email: string }>().email]).toEqual([200, user.email])
      const attributes = answer.headers['set-cookie']?.[0]?.split('; ') ?? []
      expect(attributes).toContain(`Path=${prefix}/`)
      expect(attributes.includes('Secure')).toBe(port === 'tls')
      expect(attributes.join()).not.toContain('Domain')
      const me = await at('/api/v1/users/me/', { headers: { cookie: await cookie() } })
      expect(me.status).toBe(200)
      const row = await app.ctx.db
        .selectFrom('users')
        .select('lastOrigin')
        .where('id', '=', user.id)
        .executeTakeFirst()
      expect(row?.lastOrigin).toBe(origin() + prefix)
    })

    it('serves the client below its own base', async () => {
      const { status, body } = await at('/printers/', { headers: { accept: 'text/html' } })
      expect([status, body.toString()]).toEqual([200, expect.stringContaining(`<base href="${prefix}/"`)])
    })

    it('sends a path without slash to the right place', async () => {
      const { status, headers } = await at('/api/v1/printers?with_archived=true')
      expect([status, headers.location]).toEqual([301, `${prefix}/api/v1/printers/?with_archived=true`])
    })

    it('takes pictures and gives addresses that work', async () => {
      const jpeg = await sharp({ create: { width: 64, height: 48, channels: 3, background: 'teal' } })
        .jpeg()
        .toBuffer()
      const form = new FormData()
      form.set('pic', new Blob([new Uint8Array(jpeg)]), 'x.jpg')
      const picture = new Request('http://x', { method: 'POST', body: form })
      const sent = await at('/api/v1/octo/pic/', {
        method: 'POST',
        headers: {
          authorization: `Token ${token}`,
          'content-type': picture.headers.get('content-type') ?? '',
        },
        body: Buffer.from(await picture.arrayBuffer()),
      })
      expect([sent.status, sent.body.toString()]).toEqual([200, expect.anything()])
      const shown = await at(`/api/v1/printers/${printerId}/`, { headers: { cookie: await cookie() } })
      const { pic } = shown.json<{ pic: { img_url: string } }>()
      expect(pic.img_url).toMatch(new RegExp(`^${origin()}${prefix}/media/`))
      const media = await ask(pic.img_url, { from: STRANGER })
      expect([media.status, media.headers['content-type']]).toEqual([200, 'image/jpeg'])
    })

    it('opens the browser socket for its own page only', async () => {
      const headers = { cookie: await cookie() }
      const url = `${origin().replace('http', 'ws')}${prefix}/ws/web/${printerId}/`
      const ws = new WebSocket(url, { headers, origin: origin(), rejectUnauthorized: false })
      const [frame] = (await once(ws, 'message')) as [Buffer]
      expect(JSON.parse(frame.toString())).toMatchObject({
        id: printerId,
        pic: { img_url: expect.stringContaining(`${origin()}${prefix}/media/`) },
      })
      ws.terminate()
      const evil = new WebSocket(url, { headers, origin: 'https://evil.example', rejectUnauthorized: false })
      const [, refused] = (await once(evil, 'unexpected-response')) as [unknown, { statusCode: number }]
      expect(refused.statusCode).toBe(403)
      evil.on('error', () => undefined).terminate()
    })
  })

  it('believes the proxy about addresses, and nobody else', async () => {
    const guess = (url: string, i: number, from: string) =>
      ask(`${url}/api/v1/auth/login/`, {
        method: 'POST',
        from,
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `6.6.6.${i}` },
        body: JSON.stringify({ email: `guess${i}@example.org`, password: 'wrong password' }),
      })
    for (const [url, from] of [
      [`http://127.0.0.1:${ports.plain}`, '127.0.0.3'],
      [app.url, '127.0.0.4'],
    ] as const) {
      app.newWindows()
      const statuses: number[] = []
      for (let i = 0; i < 12; i++) statuses.push((await guess(url, i, from)).status)
      expect([url, statuses.slice(-2)]).toEqual([url, [429, 429]])
      expect((await guess(url, 99, '127.0.0.5')).status).toBe(400)
    }
  })

  it('ignores a prefix, a host and a scheme that a stranger claims', async () => {
    const headers = {
      'x-forwarded-prefix': '/evil',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      accept: 'text/html',
    }
    for (const url of [app.url, `http://127.0.0.1:${ports.plain}`]) {
      const page = await ask(`${url}/printers/`, { from: STRANGER, headers })
      expect(page.body.toString()).toContain('<base href="/"')
      const { headers: answer } = await ask(`${url}/api/v1/printers`, { from: STRANGER, headers })
      expect(answer.location).toBe('/api/v1/printers/')
      const seen = await ask(`${url}/hc/?full=1`, { from: STRANGER, headers })
      expect(seen.json<{ caller: object }>().caller).toMatchObject({
        origin: url,
        prefix: '',
        address: STRANGER,
      })
    }
  })

  // Known: linking keys such a client by the proxy's own address, which strangers share (linking.rules bucketOf).
  it('shows no printer through an nginx that hides addresses', async () => {
    const announce = (name: string) =>
      ask(`http://127.0.0.1:${ports.bare}/api/v1/octo/unlinked/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          device_id: name.repeat(32),
          hostname: name,
          host_or_ip: '192.168.1.9',
          port: 5000,
        }),
      })
    expect((await announce('a')).status).toBe(200)
    const listed = await ask(`http://127.0.0.1:${ports.bare}/api/v1/printer_discovery/`, {
      headers: { cookie: user.cookie },
    })
    expect([listed.status, listed.json()]).toEqual([200, []])
  })
})
