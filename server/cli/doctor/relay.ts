import { createHash, createHmac, randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { IceServer } from '@vigil/contract/remote/video.ts'
import type { Config } from '../../config.ts'
import { iceServersFor } from '../../modules/remote/janus/ice.rules.ts'
import { doubtful, type Finding, fine } from './finding.ts'

const ANSWER_MS = 3_000
const COOKIE = 0x2112a442
/** Of RFC 8489 and 8656. */
const TYPE = { binding: 0x0001, allocate: 0x0003, refresh: 0x0004 } as const
const ATTRIBUTE = {
  user: 0x0006,
  integrity: 0x0008,
  error: 0x0009,
  lifetime: 0x000d,
  realm: 0x0014,
  nonce: 0x0015,
  transport: 0x0019,
} as const
const OVER_UDP = Buffer.from([17, 0, 0, 0])

type Attribute = readonly [kind: number, value: Buffer]
/** A way to a server of STUN or TURN: says something, and resolves with its next message, or null. */
interface Way {
  ask(message: Buffer): Promise<Buffer | null>
  close(): void
}

/** Video from elsewhere: STUN and TURN servers that are named answer, and the relay takes the password that viewers get. */
export async function checkRelay(config: Config): Promise<Finding> {
  const servers = iceServersFor(config, Date.now(), 'doctor')
  if (servers.length === 0)
    return fine('No STUN or TURN server is named: video plays in this network, and nothing leaves it.')
  const asked = servers.flatMap((server) => server.urls.map((url) => ({ url, server })))
  const faults = (await Promise.all(asked.map(({ url, server }) => faultOf(url, server)))).filter(
    (fault) => fault !== null,
  )
  if (faults.length === 0) return fine(`${asked.map(({ url }) => url).join(', ')}: each answers.`)
  return doubtful(
    faults.join(' '),
    'Look at the addresses, the firewall (UDP and TCP), and whether TURN_SECRET is the static-auth-secret of the relay.',
  )
}

async function faultOf(url: string, server: IceServer): Promise<string | null> {
  let way: Way | null = null
  try {
    way = await open(url)
    return url.startsWith('turn') ? await allocate(way, url, server) : await bind(way, url)
  } catch (error) {
    return `${url} cannot be reached (${error instanceof Error ? error.message : String(error)}).`
  } finally {
    way?.close()
  }
}

async function bind(way: Way, url: string): Promise<string | null> {
  return (await way.ask(message(TYPE.binding, []))) === null ? `${url} does not answer.` : null
}

/** Takes a place at the relay, as a viewer would, and gives it back. */
async function allocate(
  way: Way,
  url: string,
  { username = '', credential = '' }: IceServer,
): Promise<string | null> {
  const asked: Attribute[] = [[ATTRIBUTE.transport, OVER_UDP]]
  const first = await way.ask(message(TYPE.allocate, asked))
  if (first === null) return `${url} does not answer.`
  const { realm, nonce } = Object.fromEntries(
    (['realm', 'nonce'] as const).map((name) => [name, attributesOf(first).get(ATTRIBUTE[name])]),
  )
  if (!realm || !nonce) return `${url} asks for no password: anybody may use it, or it is no relay.`
  const key = createHash('md5').update(`${username}:${realm.toString()}:${credential}`).digest()
  const signed: Attribute[] = [
    [ATTRIBUTE.user, Buffer.from(username)],
    [ATTRIBUTE.realm, realm],
    [ATTRIBUTE.nonce, nonce],
  ]
  const second = await way.ask(message(TYPE.allocate, [...asked, ...signed], key))
  if (second === null) return `${url} does not answer a second time.`
  if (second.readUInt16BE(0) === (TYPE.allocate | 0x0100)) {
    await way.ask(message(TYPE.refresh, [[ATTRIBUTE.lifetime, Buffer.alloc(4)], ...signed], key))
    return null
  }
  const error = attributesOf(second).get(ATTRIBUTE.error)
  const code = error && error.length >= 4 ? (error[2] ?? 0) * 100 + (error[3] ?? 0) : 0
  return code === 401 ? `${url} refuses the password that viewers get.` : `${url} refuses (${code}).`
}

function message(type: number, attributes: readonly Attribute[], key?: Buffer): Buffer {
  const body = Buffer.concat(attributes.map(attribute))
  const head = Buffer.alloc(20)
  head.writeUInt16BE(type, 0)
  head.writeUInt16BE(body.length + (key ? 24 : 0), 2)
  head.writeUInt32BE(COOKIE, 4)
  randomBytes(12).copy(head, 8)
  const whole = Buffer.concat([head, body])
  if (!key) return whole
  const sum = createHmac('sha1', key).update(whole).digest()
  return Buffer.concat([whole, attribute([ATTRIBUTE.integrity, sum])])
}

function attribute([kind, value]: Attribute): Buffer {
  const padded = Buffer.alloc(4 + Math.ceil(value.length / 4) * 4)
  padded.writeUInt16BE(kind, 0)
  padded.writeUInt16BE(value.length, 2)
  value.copy(padded, 4)
  return padded
}

function attributesOf(answer: Buffer): Map<number, Buffer> {
  const found = new Map<number, Buffer>()
  for (let at = 20; at + 4 <= answer.length;) {
    const length = answer.readUInt16BE(at + 2)
    found.set(answer.readUInt16BE(at), answer.subarray(at + 4, at + 4 + length))
    at += 4 + Math.ceil(length / 4) * 4
  }
  return found
}

/** Raises an error where nobody listens. */
async function open(url: string): Promise<Way> {
  const parts = /^(stuns?|turns?):(\[[^\]]+\]|[^:?]+)(?::(\d+))?(?:\?transport=(udp|tcp))?$/.exec(url)
  if (parts === null) throw new Error('not an address')
  const [, scheme = '', name = '', port, transport] = parts
  const isTls = scheme.endsWith('s')
  const host = name.replace(/^\[|\]$/g, '')
  const where = { host, port: Number(port ?? (isTls ? 5349 : 3478)) }
  if (!isTls && transport !== 'tcp') return overUdp(where)
  const socket = isTls ? connectTls({ ...where, servername: host }) : connectTcp(where)
  socket.on('error', () => undefined)
  await once(socket, isTls ? 'secureConnect' : 'connect', { signal: AbortSignal.timeout(ANSWER_MS) })
  return overStream(socket)
}

function overUdp({ host, port }: { host: string; port: number }): Way {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
  return {
    ask: async (text) =>
      await answered((resolve) => {
        socket.on('error', () => resolve(null))
        socket.once('message', (data) => resolve(data.length >= 20 ? data : null))
        socket.send(text, port, host, (error) => {
          if (error) resolve(null)
        })
      }),
    close: () => socket.close(),
  }
}

function overStream(socket: Socket): Way {
  return {
    ask: async (text) =>
      await answered((resolve) => {
        socket.once('data', (data: Buffer) => resolve(data.length >= 20 ? data : null))
        socket.once('close', () => resolve(null))
        socket.write(text)
      }),
    close: () => socket.destroy(),
  }
}

/** Null when it takes too long. */
async function answered(start: (resolve: (answer: Buffer | null) => void) => void): Promise<Buffer | null> {
  const { promise, resolve } = Promise.withResolvers<Buffer | null>()
  const timer = setTimeout(resolve, ANSWER_MS, null)
  start(resolve)
  return await promise.finally(() => clearTimeout(timer))
}
