import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { endpoint } from '@vigil/contract/endpoint.ts'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readConfig } from '../config.ts'
import type { Ctx } from '../ctx.ts'
import { createApp } from '../http/app.ts'
import { registerHealth } from '../http/health.ts'
import { allowOnPage, registerPages } from '../http/pages.ts'
import type { UserPrincipal } from '../http/principal.ts'
import { route } from '../http/route.ts'
import { asId } from './ids.ts'

const folder = mkdtempSync(join(tmpdir(), 'vigil-pages-'))
const INDEX =
  '<!doctype html><html data-x="y" lang="en"><head><base href="/" /><title>3D printers</title>' +
  '<link rel="manifest" href="./brands/base/manifest.webmanifest" /></head><body></body></html>'
const script = 'console.log(1)\n'.repeat(200)
let app: FastifyInstance
const ctx = {
  stopping: new AbortController().signal,
  started: { monotonic: 0, at: 0 },
  config: { ...readConfig({ NODE_ENV: 'test' }), dataFolder: folder },
  log: pino({ level: 'silent' }),
  db: {
    getExecutor: () => ({
      transformQuery: (node: unknown) => node,
      compileQuery: () => ({}),
      executeQuery: async () => {
        if (isDatabaseAway) throw new Error('gone fishing')
        return { rows: [] }
      },
      provideConnection: async () => undefined,
    }),
  },
  live: { get: async () => null },
  clock: { now: () => Date.now(), monotonic: () => seconds * 1000 },
  detector: { model: 'none', health: () => ({ state: detectorState, queued: 0 }) },
} as unknown as Ctx
let isDatabaseAway = false
let seconds = 0
const THEIRS: UserPrincipal = {
  kind: 'user',
  via: 'session',
  userId: asId(1),
  language: 'zh',
  brand: 'yumi',
  sessionId: asId(1),
}
let detectorState = 'ready'

beforeAll(async () => {
  mkdirSync(join(folder, 'dist/assets'), { recursive: true })
  writeFileSync(join(folder, 'dist/index.html'), INDEX)
  writeFileSync(join(folder, 'dist/offline.html'), INDEX)
  writeFileSync(join(folder, 'dist/favicon.svg'), '<svg/>')
  writeFileSync(join(folder, 'dist/assets/index-BxY3_a9Q.js'), script)
  writeFileSync(join(folder, 'dist/assets/small-BxY3_a9Q.js'), script)
  writeFileSync(join(folder, 'dist/assets/small-BxY3_a9Q.js.gz'), gzipSync(script, { level: 9 }))
  writeFileSync(join(folder, 'dist/assets/small-BxY3_a9Q.js.br'), brotliCompressSync(script))
  writeFileSync(join(folder, 'secret.txt'), 'secret')
  app = await createApp(ctx, {
    session: async (token) => {
      if (isDatabaseAway) throw new Error('gone fishing')
      return token === 'slow' ? new Promise(() => undefined) : token === 'theirs' ? THEIRS : null
    },
    accessToken: async () => null,
    printerToken: async () => null,
  })
  const list = endpoint({
    method: 'GET',
    path: '/api/v1/things/',
    callers: ['anyone'],
    summary: 'x',
    response: z.unknown(),
  })
  route(app, list, () => [])
  registerHealth(app, ctx)
  registerPages(app, ctx, join(folder, 'dist'))
  allowOnPage(app, /^\/viewer\/\d+\/$/, () => ({ wasm: true }))
  allowOnPage(app, /^\/tunnel\/$/, ({ edge }) => ({ origins: [`https://7.${new URL(edge.origin).host}`] }))
  await app.ready()
})

afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

const get = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ url, headers: { host: 'my.home', ...headers } })

/** Each answer has a nonce of its own. */
const NONCE = /'nonce-[\w+/=]{24}'/
const META = /<meta property="csp-nonce" nonce="[\w+/=]{24}">/

describe('pages', () => {
  it("are the client at every path, in the browser's language and below the prefix", async () => {
    const plain = await get('/printers/3/?x=1', { accept: 'text/html' })
    expect([plain.statusCode, plain.body.replace(META, ''), plain.headers['cache-control']]).toEqual([
      200,
      INDEX.replace('3D printers', 'Vigil').replace('<body>', '<body data-tenant="base">'),
      'no-cache',
    ])
    expect(plain.headers['content-security-policy']).toContain("script-src 'self'")
    expect(plain.headers['permissions-policy']).toMatch(/camera=\(\), .*microphone=\(\)/)
    const forwarded = { 'x-forwarded-prefix': '/vigil', 'accept-language': 'zh-CN' }
    for (const url of ['/vigil/printers/', '/printers/', '/vigil', '/']) {
      const { body } = await get(url, forwarded)
      expect([url, body]).toEqual([url, expect.stringContaining('<base href="/vigil/"')])
      expect(body).toContain('<html data-x="y" lang="zh"')
    }
  })

  it('allow the scripts that stand in them by their hash, and no other', async () => {
    writeFileSync(
      join(folder, 'dist/index.html'),
      INDEX.replace('<body>', '<script>early()</script><script src="./x.js"></script><body>'),
    )
    const { headers } = await get('/', { accept: 'text/html' })
    const hash = createHash('sha256').update('early()').digest('base64')
    expect(headers['content-security-policy']).toContain(`script-src 'self' 'sha256-${hash}';`)
    writeFileSync(join(folder, 'dist/index.html'), INDEX)
    const plain = await get('/', { accept: 'text/html' })
    expect(plain.headers['content-security-policy']).toContain("script-src 'self';")
    expect((await get('/api/v1/things/')).headers['content-security-policy']).toContain("script-src 'self';")
  })

  it('allow the styles that stand in them by their hash, those that they make by a nonce of each answer, and no other', async () => {
    writeFileSync(join(folder, 'dist/index.html'), INDEX.replace('<body>', '<style>p{top:0}</style><body>'))
    const [one, other] = [await get('/', { accept: 'text/html' }), await get('/', { accept: 'text/html' })]
    const hash = createHash('sha256').update('p{top:0}').digest('base64')
    const policy = String(one.headers['content-security-policy'])
    expect(policy).toContain(`style-src 'self' 'sha256-${hash}' 'nonce-`)
    expect(policy).not.toContain('unsafe-inline')
    const nonce = NONCE.exec(policy)?.[0]
    expect(one.body).toContain(`<meta property="csp-nonce" nonce="${nonce?.slice(7, -1)}">`)
    expect(other.headers['content-security-policy']).not.toContain(nonce)
    writeFileSync(join(folder, 'dist/index.html'), INDEX)
    expect((await get('/api/v1/things/')).headers['content-security-policy']).toContain("style-src 'self';")
  })

  it('are held by no window of others over HTTPS, but where others open them and wait', async () => {
    const opener = async (url: string, proto = 'https') =>
      (await get(url, { accept: 'text/html', 'x-forwarded-proto': proto })).headers[
        'cross-origin-opener-policy'
      ]
    expect(await opener('/printers/')).toBe('same-origin-allow-popups')
    expect(await opener('/tunnels/new/')).toBeUndefined()
    expect(await opener('/printers/', 'http')).toBeUndefined()
  })

  it('do more than others only where the page was allowed to, and no other answer does', async () => {
    const policy = async (url: string) =>
      String((await get(url, { accept: 'text/html' })).headers['content-security-policy']).replace(NONCE, '')
    const usual = await policy('/')
    expect(usual).not.toMatch(/wasm|frame-src|https?:/)
    for (const url of ['/printers/', '/viewer/', '/viewer/7/more/', '/tunnel/x/', '/offline.html'])
      expect([url, await policy(url)]).toEqual([url, usual])
    expect(await policy('/viewer/7/')).toBe(
      usual.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'"),
    )
    expect(await policy('/tunnel/')).toBe(
      usual.replace(
        "connect-src 'self'",
        "connect-src 'self' https://7.my.home wss://7.my.home; frame-src 'self' https://7.my.home",
      ),
    )
  })

  it('ignore a prefix that is no path', async () => {
    const { body } = await get('/', { 'x-forwarded-prefix': '/"><script>' })
    expect(body).toContain('<base href="/"')
  })

  it('know their brand, theme and app before any script asks', async () => {
    const { body } = await get('/', { 'x-obico-syndicate': 'yumi', 'x-tsd-platform': 'iOS' })
    expect(body).toContain('<title>Yumi</title>')
    expect(body).toContain('lang="en" data-theme="dark" data-platform="ios"')
    expect(body).toContain('<body data-tenant="yumi">')
    expect(body).toContain('/brands/yumi/manifest.webmanifest')
    expect((await get('/', { 'user-agent': 'JusPrin/2.1 (light)' })).body).toContain('data-theme="light"')
  })

  it("are in the account's brand and language; without a database, or soon, in the host's", async () => {
    const own = { cookie: 'tsd_sessionid=theirs' }
    expect((await get('/', own)).body).toMatch(/lang="zh" data-theme="dark" data-member>.*<title>Yumi</)
    expect((await get('/')).body).not.toContain('data-member')
    isDatabaseAway = true
    expect((await get('/', own)).body).toContain('<title>Vigil<')
    isDatabaseAway = false
    expect((await get('/', { cookie: 'tsd_sessionid=slow' })).body).toContain('<title>Vigil<')
  })

  it('contain nothing that was sent', async () => {
    const hostile = '"><script>alert(1)</script>'
    const { body } = await get(`/?platform=${encodeURIComponent(hostile)}`, {
      'x-obico-syndicate': hostile,
      'x-tsd-platform': hostile,
      'user-agent': `TSDApp-${hostile}`,
    })
    expect(body).not.toMatch(/alert|data-platform/)
  })

  it('that a browser keeps for later know nobody', async () => {
    const { body, headers } = await get('/offline.html', { cookie: 'tsd_sessionid=theirs' })
    expect(body).toMatch(/lang="en">.*<title>Vigil</)
    expect(headers['cache-control']).toBe('no-cache')
  })

  it('never stand in for data', async () => {
    for (const url of [
      '/api/v1/nothing/',
      '/api',
      '/ent/api/x/',
      '/ws/web/1/',
      '/media/a/b.jpg',
      '/assets/gone-12345678.js',
      '/brands/nobody/mark.svg',
      '/mobile/auth/login/',
      '/o/authorize/',
    ]) {
      const { statusCode, headers } = await get(url, { accept: 'text/html,*/*' })
      expect([url, statusCode, headers['content-type']]).toEqual([
        url,
        404,
        'application/json; charset=utf-8',
      ])
    }
    expect((await get('/printers/', { accept: 'application/json' })).statusCode).toBe(404)
  })

  it('come with their files: hashed ones for ever, compressed where wanted', async () => {
    const asset = await get('/assets/index-BxY3_a9Q.js', { 'accept-encoding': 'gzip' })
    expect([asset.statusCode, asset.headers['content-encoding'], asset.headers['cache-control']]).toEqual([
      200,
      'gzip',
      'public, max-age=31536000, immutable',
    ])
    const icon = await get('/favicon.svg')
    expect([icon.body, icon.headers['content-type'], icon.headers['cache-control']]).toEqual([
      '<svg/>',
      'image/svg+xml',
      'public, max-age=0',
    ])
    expect((await get('/favicon.svg', { 'if-none-match': icon.headers.etag as string })).statusCode).toBe(304)
    const head = await app.inject({ method: 'HEAD', url: '/favicon.svg' })
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', '6'])
  })

  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['identity', undefined],
  ])('send what the build has compressed to who takes %s', async (accepted, coding) => {
    const url = '/assets/small-BxY3_a9Q.js'
    const asset = await get(url, { 'accept-encoding': accepted })
    expect([asset.statusCode, asset.headers['content-encoding']]).toEqual([200, coding])
    expect(asset.headers['content-type']).toMatch(/^(text|application)\/javascript; charset=utf-8$/)
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    if (coding) expect(asset.headers.vary).toContain('accept-encoding')
    if (coding === 'gzip') expect(asset.rawPayload).toEqual(gzipSync(script, { level: 9 }))
    if (coding === 'br') expect(asset.rawPayload).toEqual(brotliCompressSync(script))
    const again = await get(url, {
      'accept-encoding': accepted,
      'if-none-match': asset.headers.etag as string,
    })
    expect(again.statusCode).toBe(304)
  })

  it('show no file outside', async () => {
    for (const url of [
      '/../secret.txt',
      '/%2e%2e/secret.txt',
      '/..%2fsecret.txt',
      '/assets/..%5c..%5csecret.txt',
      '/assets/../../secret.txt',
      '/%2e%2e%2fsecret.txt%00.js',
    ]) {
      const { body, statusCode } = await get(url)
      expect([url, body.includes('secret'), statusCode < 500]).toEqual([url, false, true])
    }
  })
})

describe('health', () => {
  const fresh = async (url = '/hc/', headers = {}) => {
    seconds += 2
    return get(url, headers)
  }

  it('is one word when all is well', async () => {
    const { statusCode, body } = await get('/hc/')
    expect([statusCode, body]).toEqual([200, 'Okay'])
  })

  it('is degraded without a detector, and says so when asked', async () => {
    detectorState = 'down'
    const { statusCode, json } = await fresh('/hc/?full=1')
    expect([statusCode, json()]).toEqual([
      200,
      expect.objectContaining({
        status: 'degraded',
        disk: expect.objectContaining({ ok: true, free_bytes: expect.any(Number) }),
      }),
    ])
    expect((await get('/hc/')).body).toBe('Okay')
    detectorState = 'ready'
  })

  it('names what is away', async () => {
    isDatabaseAway = true
    const { statusCode, body } = await fresh()
    expect([statusCode, body]).toEqual([503, 'The database does not answer: gone fishing.'])
    expect((await get('/hc/ready/')).statusCode).toBe(503)
    expect((await get('/hc/ready/')).body).toMatch(/database does not answer/)
    // Nobody is to kill a server that waits for its database.
    expect((await get('/hc/live/')).body).toBe('Okay')
    isDatabaseAway = false
    expect((await fresh()).body).toBe('Okay')
    expect([(await get('/hc/ready')).statusCode, (await get('/hc/live')).statusCode]).toEqual([200, 200])
  })
})
