/** How an agent without a token comes by one (docs/wire/agents.md 2). */
import { fieldsOf } from '@vigil/contract/fields.ts'
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { hostname, networkInterfaces } from 'node:os'
import type { Http } from './http.ts'
import { sleep } from './socket.ts'
import type { FlavourName, Json } from './types.ts'

export interface LinkOptions {
  http: Http
  flavour: FlavourName
  server: string
  timeScale: number
  /** Port of the handshake server; 0 takes a free one. */
  handshakePort: number
  hostOrIp: string | undefined
  signal: AbortSignal
  /** Told the one-time passcode that the printer would show, and where it can be typed. */
  onPasscode: (passcode: string, link: string) => void
  note: (note: string, more?: Json) => void
}

interface Announcement {
  messages?: { device_id: string; type: string; data: { code: string; secret: string } }[]
  one_time_passcode?: string
  one_time_passlink?: string
  verification_code?: string
}

/** Trades a six-digit code for the printer's token (docs/wire/agents.md 2.1). */
export async function verifyCode(http: Http, code: string): Promise<string> {
  const reply = await http.call('POST', `/api/v1/octo/verify/?code=${encodeURIComponent(code)}`, {
    isAnonymous: true,
  })
  if (reply.status >= 300)
    throw new Error(`The server refused code ${code}: ${reply.status} ${reply.body.toString().slice(0, 200)}`)
  const { auth_token: token } = fieldsOf(fieldsOf(reply.json()).printer)
  if (typeof token !== 'string') throw new Error('The server sent no auth_token')
  return token
}

/** Announces itself until somebody links it; null when it gives up (docs/wire/agents.md 2.2, 2.4). */
export async function discover(options: LinkOptions): Promise<string | null> {
  const { http, signal, timeScale, note } = options
  const isKlipper = options.flavour === 'klipper'
  const deviceId = randomBytes(16).toString('hex')
  const deviceSecret = randomBytes(32).toString('hex')
  const stopped = new AbortController()
  const port = await serveHandshake(
    options,
    deviceId,
    deviceSecret,
    AbortSignal.any([signal, stopped.signal]),
  )
  const address = options.hostOrIp ?? ownAddress(options.server)
  const device: Device = { id: deviceId, secret: deviceSecret, address, port, passcode: '' }
  try {
    for (let polls = isKlipper ? 7200 : 120; polls > 0 && !signal.aborted; polls--) {
      const code = await poll(options, device)
      if (code === 'stop') return null
      if (code) return await verifyCode(http, code)
      await sleep(((isKlipper ? 2 : 5) * 1000) / timeScale, signal)
    }
  } catch (error) {
    note('discovery ended', { error: String(error) })
  } finally {
    stopped.abort()
  }
  return null
}

interface Device {
  id: string
  secret: string
  address: string
  port: number
  passcode: string
}

/** One announcement; the code that came back, null for none, 'stop' when the agent gives up. */
async function poll(options: LinkOptions, device: Device): Promise<string | null> {
  const isKlipper = options.flavour === 'klipper'
  const reply = await announce(options.http, announcement(options.flavour, device))
  if (!isKlipper && reply.status >= 400 && reply.status < 500) return 'stop'
  if (reply.status !== 200) return null
  const answer = reply.json() as Announcement
  const { one_time_passcode: passcode, one_time_passlink: link } = answer
  if (isKlipper && passcode && passcode !== device.passcode && !answer.verification_code) {
    device.passcode = passcode
    options.onPasscode(passcode, link ?? '')
  }
  return codeIn(answer, isKlipper, device)
}

async function announce(http: Http, body: Json): Promise<{ status: number; json: () => unknown }> {
  try {
    return await http.call('POST', '/api/v1/octo/unlinked/', {
      json: body,
      isAnonymous: true,
      timeoutSeconds: 5,
    })
  } catch {
    return { status: 599, json: () => ({}) }
  }
}

function announcement(flavour: FlavourName, device: Device): Json {
  const common = {
    device_id: device.id,
    hostname: hostname(),
    port: device.port,
    arch: 'x86_64',
    rpi_model: '',
    host_or_ip: device.address,
  }
  if (flavour === 'klipper') {
    return {
      ...common,
      os: '',
      plugin_version: '2.1.4',
      agent: 'moonraker_obico',
      printerprofile: 'Unknown',
      machine_type: 'Klipper',
      one_time_passcode: device.passcode,
    }
  }
  return {
    ...common,
    os: 'linux',
    octopi_version: '',
    plugin_version: '2.6.1',
    agent: 'Obico for OctoPrint',
    printerprofile: 'Default',
    machine_type: '',
  }
}

/** The six-digit code in an answer, null when there is none, 'stop' when the agent would give up on it. */
function codeIn(answer: Announcement, isKlipper: boolean, device: Device): string | null {
  if (isKlipper && answer.verification_code) return answer.verification_code
  const messages = answer.messages ?? []
  if (isKlipper && messages.length !== 1) return null
  for (const message of messages) {
    if (message.type !== 'verify_code') {
      if (isKlipper) return 'stop'
      continue
    }
    return message.device_id === device.id && message.data.secret === device.secret
      ? message.data.code
      : 'stop'
  }
  return null
}

/** The little web service that hands the secret to a browser nearby (docs/wire/agents.md 2.3). */
async function serveHandshake(
  options: LinkOptions,
  deviceId: string,
  secret: string,
  signal: AbortSignal,
): Promise<number> {
  const server = createServer((request, reply) => answerHandshake(request, reply, deviceId, secret))
  signal.addEventListener('abort', () => server.close(), { once: true })
  return new Promise((resolve) => {
    server.on('error', (error) => {
      options.note('handshake server failed', { error: error.message })
      resolve(options.handshakePort)
    })
    server.listen(options.handshakePort, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : options.handshakePort)
    })
  })
}

function answerHandshake(
  request: IncomingMessage,
  reply: ServerResponse,
  deviceId: string,
  secret: string,
): void {
  const url = new URL(request.url ?? '/', 'http://localhost')
  if (request.method !== 'GET' || url.pathname !== '/plugin/obico/grab-discovery-secret') {
    reply.writeHead(404).end()
    return
  }
  const forwarded = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')[0]
    ?.trim()
  const peer = (forwarded || request.socket.remoteAddress || '').replace(/^::ffff:/, '')
  if (!isPrivate(peer) || url.searchParams.get('device_id') !== deviceId) {
    reply.writeHead(403).end()
    return
  }
  const headers = {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Headers': '*',
    Connection: 'close',
  }
  if (request.headers.accept?.includes('application/json')) {
    reply
      .writeHead(200, { ...headers, 'Content-Type': 'application/json' })
      .end(JSON.stringify({ device_secret: secret }))
    return
  }
  const page = `<html><head></head><body><script>window.opener.postMessage({device_secret: '${secret}'}, '*'); window.close()</script></body></html>`
  reply.writeHead(200, { ...headers, 'Content-Type': 'text/html' }).end(page)
}

function isPrivate(address: string): boolean {
  return /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|::1$|f[cd])/i.test(address)
}

function ownAddress(server: string): string {
  const host = new URL(server).hostname
  if (host === 'localhost' || host.startsWith('127.')) return '127.0.0.1'
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  return all.find((one) => one.family === 'IPv4' && !one.internal && isPrivate(one.address))?.address ?? ''
}
