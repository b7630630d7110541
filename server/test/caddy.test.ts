/** The examples of docs/self-hosting.md for Caddy, as operators copy them. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { aPrinter, aUser, buildTestApp, PASSWORD, type TestApp, type TestUser } from './app.ts'
import { freePort } from './nginx.ts'
import { eventually } from './wire/agent.ts'

const hasCaddy = spawnSync('caddy', ['version']).status === 0
if (!hasCaddy) console.warn('caddy is not installed: its examples are not tested (apt-get install caddy).')

let app: TestApp
let caddy: ChildProcess
let user: TestUser
let printerId: number
let origin = ''
const folder = mkdtempSync(join(tmpdir(), 'vigil-caddy-'))

/** The first block of our documents that begins like this, for this server. */
function example(begins: string, to: string): string {
  const docs = readFileSync(join(import.meta.dirname, '../../docs/self-hosting.md'), 'utf8')
  const blocks = docs
    .split('```caddyfile\n')
    .slice(1)
    .map((rest) => rest.split('```', 1)[0] ?? '')
  const block = blocks.find((one) => one.trimStart().startsWith(begins))
  if (block === undefined) throw new Error(`no example begins with ${begins}`)
  return block.replaceAll('127.0.0.1:3334', to)
}

describe.skipIf(!hasCaddy)('behind Caddy', () => {
  beforeAll(async () => {
    app = await buildTestApp({ env: { TRUSTED_PROXIES: '127.0.0.1', TUNNEL_DOMAIN: 'vigil.test' } })
    const port = await freePort()
    origin = `http://127.0.0.1:${port}`
    const to = new URL(app.url).host
    const root = example('vigil.example.org {', to)
    const inner = root.slice(root.indexOf('\n') + 1, root.lastIndexOf('}'))
    const below = example('handle_path', to)
    const config = `{\n admin off\n auto_https off\n}\nhttp://:${port} {\n${below}\nhandle {\n${inner}\n}\n}\n`
    writeFileSync(join(folder, 'Caddyfile'), config)
    const args = ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile']
    caddy = spawn('caddy', args, {
      stdio: 'ignore',
      env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder },
    })
    user = await aUser(app, { isAdmin: true })
    printerId = (await aPrinter(app, user)).id
    await eventually(async () => (await fetch(`${origin}/hc/`).catch(() => null))?.ok || undefined)
  })
  afterAll(async () => {
    if (caddy?.kill()) await once(caddy, 'exit')
    await app?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test.each(['', '/vigil'])('pages, cookies, a large file and a websocket work at "%s/"', async (prefix) => {
    const page = await fetch(`${origin}${prefix}/printers/`, { headers: { accept: 'text/html' } })
    expect(await page.text()).toContain(`<base href="${prefix}/"`)
    const signedIn = await fetch(`${origin}${prefix}/api/v1/auth/login/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ email: user.email, password: PASSWORD }),
    })
    const [pair = '', ...attributes] = signedIn.headers.getSetCookie()[0]?.split('; ') ?? []
    expect(attributes).toContain(`Path=${prefix}/`)

    const form = new FormData()
    form.set('filename', 'large.gcode')
    form.set('file', new Blob([`G28\n${'G1 X1 Y1\n'.repeat(2_000_000)}`]), 'large.gcode')
    const headers = { cookie: pair, origin }
    const stored = await fetch(`${origin}${prefix}/api/v1/g_code_files/`, {
      method: 'POST',
      headers,
      body: form,
    })
    expect([stored.status, await stored.json()]).toEqual([
      201,
      expect.objectContaining({ num_bytes: 18_000_004 }),
    ])

    const url = `${origin.replace('http', 'ws')}${prefix}/ws/web/${printerId}/`
    const socket = new WebSocket(url, { headers: { cookie: pair }, origin })
    const [frame] = await once(socket, 'message')
    expect(JSON.parse(String(frame))).toMatchObject({ id: printerId })
    socket.terminate()
  })

  test('the door of a tunnel is reached by its name', async () => {
    const host = '0000000000000000.tunnels.vigil.test'
    const { request } = await import('node:http')
    const asked = request(`${origin}/`, { headers: { host } })
    asked.end()
    const [answer] = await once(asked, 'response')
    answer.resume()
    expect(answer.headers['www-authenticate']).toContain('tunnel 0000000000000000')
  })

  test('what a stranger claims of host and prefix is not believed', async () => {
    const headers = { 'x-forwarded-prefix': '/evil', 'x-forwarded-host': 'evil.example', accept: 'text/html' }
    expect(await (await fetch(`${origin}/printers/`, { headers })).text()).toContain('<base href="/"')
    const seen = await (await fetch(`${origin}/hc/?full=1`, { headers })).json()
    expect(seen).toMatchObject({ caller: { origin, prefix: '', proxy: 'trusted' } })
  })
})
