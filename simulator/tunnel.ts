/** Answers tunnel requests from a tiny page of its own or from a real web service (docs/wire/agents.md 4.3). */
import { fieldsOf } from '@vigil/contract/fields.ts'
import { createHash } from 'node:crypto'
import { type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { deflateSync } from 'node:zlib'
import { WebSocket } from 'ws'
import type { Host } from './flavour.ts'
import { textOf, type Json } from './types.ts'

interface LocalReply {
  status: number
  headers: Record<string, string>
  cookies?: string[]
  body: Buffer
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options']
const REQUEST_KEYS = new Set(['ref', 'method', 'path', 'headers', 'data', 'params', 'timeout'])

/** Takes one `http.tunnelv2` request; an unknown key means no answer at all, as in the real agents. */
export async function answerTunnel(host: Host, asked: Json): Promise<void> {
  const { ref, method, path, headers } = asked
  if (
    Object.keys(asked).some((key) => !REQUEST_KEYS.has(key)) ||
    typeof ref !== 'string' ||
    typeof path !== 'string'
  )
    return
  if (typeof headers !== 'object' || !headers) return
  const answer = (response: Json): void => host.post({ 'http.tunnelv2': { ref, response } }, true)
  if (!METHODS.includes(textOf(method))) {
    return answer({
      status: 502,
      content: `module 'requests' has no attribute '${textOf(method)}'`,
      headers: {},
    })
  }
  try {
    const reply = await askLocal(
      host,
      textOf(method).toUpperCase(),
      path,
      headers as Record<string, string>,
      bytesOf(asked.data),
      Number(asked.timeout ?? 30),
    )
    const compressed = reply.body.length >= 1000
    const content = compressed ? deflateSync(reply.body) : reply.body
    answer({
      status: reply.status,
      compressed,
      content,
      cookies: reply.cookies ?? null,
      headers: reply.headers,
    })
  } catch (error) {
    answer({ status: 502, content: String(error), headers: {} })
  }
}

const sockets = new WeakMap<Host, Map<string, WebSocket | null>>()

/** Takes one `ws.tunnel` message. Opening one holds the agent's reader for a second (docs/wire/agents.md 4.3). */
export async function answerSocketTunnel(host: Host, message: Json): Promise<void> {
  const ref = textOf(message.ref)
  const open = sockets.get(host) ?? new Map<string, WebSocket | null>()
  sockets.set(host, open)
  const say = (type: string, data: unknown): void => host.post({ 'ws.tunnel': { ref, data, type } }, true)
  if (message.type === 'tunnel_close') {
    open.get(ref)?.close()
    open.delete(ref)
    return
  }
  if (open.has(ref)) {
    const text = Buffer.isBuffer(message.data) ? message.data.toString() : textOf(message.data)
    const local = open.get(ref)
    if (local) local.send(text)
    else say('octoprint_message', localAnswer(host, text))
    return
  }
  open.set(ref, host.localUrl ? openLocal(host, textOf(message.path), say, () => open.delete(ref)) : null)
  if (!host.localUrl && host.flavourName === 'octoprint') say('octoprint_message', 'o')
  await host.stallReader(1.1)
}

function openLocal(
  host: Host,
  path: string,
  say: (type: string, data: unknown) => void,
  onEnd: () => void,
): WebSocket {
  const local = new WebSocket(new URL(path, host.localUrl?.replace(/^http/, 'ws')).href, {
    perMessageDeflate: false,
  })
  local.on('message', (data, isBinary) =>
    say('octoprint_message', isBinary ? data : Buffer.from(data as Buffer).toString()),
  )
  local.on('close', () => {
    say('octoprint_close', null)
    onEnd()
  })
  local.on('error', (error) => host.note('local websocket failed', { error: error.message }))
  return local
}

/** What the made-up web service says on its websocket: Moonraker's `server.info`, anything else comes back. */
function localAnswer(host: Host, text: string): string {
  if (host.flavourName === 'octoprint') return `a[${JSON.stringify({ echo: text })}]`
  try {
    const call = fieldsOf(JSON.parse(text))
    return JSON.stringify({
      jsonrpc: '2.0',
      result: call.method === 'server.info' ? { klippy_connected: true, klippy_state: 'ready' } : {},
      id: call.id ?? null,
    })
  } catch {
    return text
  }
}

async function askLocal(
  host: Host,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: Buffer | null,
  seconds: number,
): Promise<LocalReply> {
  if (!host.localUrl) return builtIn(host, method, path, headers)
  const plain = Object.entries(headers).filter(
    ([name]) => !/^(host|connection|content-length|accept-encoding)$/i.test(name),
  )
  if (/^websocket$/i.test(headers['Upgrade'] ?? '')) return await shakeHands(host, path, headers, seconds)
  const isBodiless = method === 'GET' || method === 'HEAD' || !body
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    const url = new URL(path, host.localUrl)
    const length = isBodiless ? {} : { 'content-length': body.length }
    const asked = { ...Object.fromEntries(plain), ...length, 'accept-encoding': 'identity' }
    // Not fetch: it says things of its own, as a language, that agents' clients don't.
    request(url, { method, headers: asked, signal: AbortSignal.timeout(seconds * 1000) }, resolve)
      .on('error', reject)
      .end(isBodiless ? undefined : body)
  })
  const { 'set-cookie': cookies, ...others } = reply.headers
  const answer = {
    status: reply.statusCode ?? 502,
    headers: Object.fromEntries(Object.entries(others).map(([name, value]) => [name, String(value)])),
    body: await buffer(reply),
  }
  return cookies ? { ...answer, cookies } : answer
}

/** What a websocket's handshake is answered; `requests` takes a 101 for any other answer, and hangs up. */
async function shakeHands(
  host: Host,
  path: string,
  headers: Record<string, string>,
  seconds: number,
): Promise<LocalReply> {
  return await new Promise((resolve, reject) => {
    const url = new URL(path, host.localUrl)
    const asked = request(url, { headers, signal: AbortSignal.timeout(seconds * 1000) })
    asked.on('upgrade', (_, socket) => {
      socket.destroy()
      resolve({ status: 101, headers: { Upgrade: 'websocket' }, body: Buffer.alloc(0) })
    })
    asked.on('response', (reply) => {
      reply.resume()
      resolve({ status: reply.statusCode ?? 502, headers: { Server: 'local' }, body: Buffer.alloc(0) })
    })
    asked.on('error', reject).end()
  })
}

function bytesOf(data: unknown): Buffer | null {
  if (data === null || data === undefined) return null
  return Buffer.isBuffer(data) ? data : Buffer.from(textOf(data))
}

function builtIn(host: Host, method: string, path: string, headers: Record<string, string>): LocalReply {
  const url = new URL(path, 'http://printer.local')
  if (url.pathname === '/redirect')
    return { status: 302, headers: { Location: '/', 'Content-Type': 'text/html' }, body: Buffer.alloc(0) }
  if (url.pathname === '/login') {
    return {
      ...json({ ok: true }),
      cookies: ['session_P5000=abc; HttpOnly; Path=/; SameSite=Lax', 'csrf_token_P5000=xyz; Path=/'],
    }
  }
  if (url.pathname === '/echo') return json({ method, path, headers })
  if (url.pathname === '/server/info')
    return json({ result: { klippy_connected: true, klippy_state: 'ready', moonraker_version: 'simulated' } })
  const stored = /^\/server\/files\/gcodes\/(.+)$/.exec(url.pathname)?.[1]
  if (method === 'DELETE' && stored !== undefined && host.flavourName === 'klipper') {
    const path = decodeURIComponent(stored)
    return host.files.delete(path)
      ? json({ result: { item: { path, root: 'gcodes' }, action: 'delete_file' } })
      : { ...json({ error: { code: 404, message: `File ${path} does not exist` } }), status: 404 }
  }
  if (url.pathname === '/api/version') return json({ api: '0.1', server: '1.11.3', text: 'OctoPrint 1.11.3' })
  if (url.pathname === '/bytes')
    return {
      status: 200,
      headers: { 'Content-Type': 'application/octet-stream' },
      body: Buffer.alloc(Math.min(Number(url.searchParams.get('n')) || 0, 64 << 20), 'x'),
    }
  // As Moonraker and OctoPrint say it where a websocket is.
  if (url.pathname.endsWith('/websocket'))
    return {
      status: 400,
      headers: { 'Content-Type': 'text/html; charset=UTF-8' },
      body: Buffer.from('Can "Upgrade" only to "WebSocket".'),
    }
  if (url.pathname !== '/')
    return {
      status: 404,
      headers: { 'Content-Type': 'text/html' },
      body: Buffer.from('<html><title>404: Not Found</title></html>'),
    }
  const page = Buffer.from(pageOf(host))
  const etag = `"${createHash('sha1').update(page).digest('hex').slice(0, 16)}"`
  if (headers['If-None-Match'] === etag)
    return { status: 304, headers: { ETag: etag }, body: Buffer.alloc(0) }
  return { status: 200, headers: { 'Content-Type': 'text/html; charset=utf-8', ETag: etag }, body: page }
}

function json(value: unknown): LocalReply {
  return {
    status: 200,
    headers: { 'Content-Type': 'application/json' },
    body: Buffer.from(JSON.stringify(value)),
  }
}

function pageOf(host: Host): string {
  const name = host.flavourName === 'klipper' ? 'Mainsail' : 'OctoPrint'
  const rows = [...host.files.values()].map((file) => `<li>${file.path}</li>`).join('')
  return `<!doctype html><html><head><title>${name} (simulated)</title></head><body><h1>${name} of simulated printer ${host.seed}</h1><p id="state">${host.printer.state}</p><ul>${rows}</ul></body></html>`
}
