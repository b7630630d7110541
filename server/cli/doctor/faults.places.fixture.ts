/** What a fault is, and servers, folders and programs that are wrong in one way each, for the list of faults. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { readConfig } from '../../config.ts'
import { openPlace } from '../../engines/backups/place.ts'
import { SHIPPED_MODEL } from '../../engines/inference/detector.ts'
import { writeSummary } from '../../modules/core/backups/sets.ts'
import { freePort, type Nginx, startNginx } from '../../test/nginx.ts'

export const PASSPHRASE = 'three blind mice'
export const DAY = 86_400_000

/** What a fault is made of. */
export interface Scene {
  /** A data folder: a sound one of its own, or that of the server that runs (`beside`). */
  readonly data: string
  /** Where the pages of a table lie, in `pg/`. */
  readonly pages: string
  /** Proxies before the server that runs. */
  readonly proxies: Proxies
  /** Says a statement to the database. */
  readonly tell: (statement: string) => Promise<void>
}
type Settings = Record<string, string>

export interface Fault {
  /** The line of doctor that finds it. */
  readonly line: string
  readonly state: 'warn' | 'fail'
  readonly found: RegExp
  readonly advice: RegExp
  /** Makes it real; returns settings that it needs. */
  readonly make: (scene: Scene) => Promise<Settings | void> | Settings | void
  /** It is one of what stands around a server, which runs. */
  readonly beside?: true
  /** Commands that it keeps from working, and that must say the same. */
  readonly commands?: readonly string[]
  /** The modes of files are what is wrong, which root passes over: a process heeds them. */
  readonly modes?: true
  /** Its process is what is wrong: its clock is days ahead, and it finds no package of video; or it finds no programs. */
  readonly wrong?: 'process' | 'path'
}

export const backups = (to: string, passphrase = PASSPHRASE) => ({
  BACKUP_TO: to,
  BACKUP_PASSPHRASE: passphrase,
})

/** A port at which nobody listens. */
export const nobodyAt = async (): Promise<string> => `127.0.0.1:${await freePort()}`

async function portOf(server: Server): Promise<number> {
  server.unref().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** A port that another program has. */
export const takenPort = async (): Promise<number> => await portOf(createServer())

/** A mail server that lets nobody in. */
export async function strictMail(): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.write('220 mail.example.org\r\n')
    socket.on('data', (said) => {
      const line = String(said)
      if (line.startsWith('EHLO')) socket.write('250-mail.example.org\r\n250 AUTH PLAIN\r\n')
      else if (line.startsWith('AUTH')) socket.write('535 5.7.8 Bad credentials\r\n')
      else socket.write('221 bye\r\n')
    })
  })
  return await portOf(server)
}

/** A place of whole backups that has one set, so many days old, or none; sealed unless without a passphrase. */
export async function aPlace(to: string, daysAgo: number | null, passphrase = PASSPHRASE): Promise<void> {
  mkdirSync(to, { recursive: true })
  const config = readConfig({ NODE_ENV: 'test', BACKUP_TO: to, BACKUP_PASSPHRASE: passphrase })
  const place = await openPlace(config)
  const summary = { version: 'test', rows: 1, tables: 1, files: 0, bytes: 0, newFiles: 0, newBytes: 0 }
  const set = (ago: number) => new Date(Date.now() - ago * DAY).toISOString().slice(0, 16).replace(':', '-')
  if (daysAgo !== null) await writeSummary(place, set(daysAgo), summary)
  await place.close()
}

/** A STUN server that never answers. */
export async function silentStun(): Promise<number> {
  const socket = createSocket('udp4').unref().bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return socket.address().port
}

/** A relay that asks for a password, whatever it is given. */
export async function strictRelay(): Promise<number> {
  const socket = createSocket('udp4').unref().bind(0, '127.0.0.1')
  socket.on('message', (asked, { port }) => {
    const attributes = [
      [0x0009, Buffer.from([0, 0, 4, 1])],
      [0x0014, Buffer.from('home')],
      [0x0015, Buffer.from('once')],
    ] as const
    const body = attributes.map(([kind, value]) =>
      Buffer.concat([Buffer.from([0, kind, 0, value.length]), value]),
    )
    const head = Buffer.from(asked.subarray(0, 20))
    head.writeUInt16BE(0x0113, 0)
    head.writeUInt16BE(Buffer.concat(body).length, 2)
    socket.send(Buffer.concat([head, ...body]), port, '127.0.0.1')
  })
  await once(socket, 'listening')
  return socket.address().port
}

/** The model that ships, with a bit turned over. */
export function damagedModel(to: string): void {
  cpSync(SHIPPED_MODEL, to, { recursive: true })
  const { file } = JSON.parse(readFileSync(join(to, 'card.json'), 'utf8')) as { file: string }
  const bytes = readFileSync(join(to, file))
  bytes[bytes.length - 1]! ^= 1
  writeFileSync(join(to, file), bytes)
}

const EXAMPLE = readFileSync(join(import.meta.dirname, '../../../docs/self-hosting.md'), 'utf8')
  .split('```nginx')[1]!
  .split('\n')
  .filter((line) => /^\s*proxy_(?:set_header|http_version) /.test(line))
const without = (words: RegExp) => EXAMPLE.filter((line) => !words.test(line)).join('\n')

const PROXIES = {
  good: EXAMPLE.join('\n'),
  stripping: without(/Upgrade|Connection/),
  handing: without(/""/),
  strange: `${EXAMPLE.join('\n')} proxy_bind 127.0.0.7;`,
  naming: without(/ Host /),
}
export type Proxies = Record<keyof typeof PROXIES, string>

/** nginx before a server, as our documents have it, and wrong in four ways. */
export async function startProxies(program: string, port: number): Promise<{ nginx: Nginx; at: Proxies }> {
  const at: Proxies = { good: '', stripping: '', handing: '', strange: '', naming: '' }
  const blocks: string[] = []
  for (const [name, headers] of Object.entries(PROXIES)) {
    const listen = await freePort()
    Object.assign(at, { [name]: `http://127.0.0.1:${listen}` })
    blocks.push(`server { listen ${listen}; location / { proxy_pass http://127.0.0.1:${port}; ${headers} } }`)
  }
  const nginx = await startNginx(program, blocks.join('\n'), Number(new URL(at.good).port))
  return { nginx, at }
}
