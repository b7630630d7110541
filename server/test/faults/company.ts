/** A company's Vigil for tests: two web nodes and two workers on one PostgreSQL, Redis and S3, behind nginx. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type TestS3 } from '../../engines/files/python.ts'
import { startMoto } from '../../engines/files/moto.ts'
import { findNginx, type Nginx, startNginx } from '../nginx.ts'
import { cloneDatabase, emptyDatabase } from '../pg.ts'
import { openRedis } from './nodes.ts'
import { aFolder, freePort, missing, removeFolder, type Running, up } from './support.ts'

/** What company tests need of the machine; null, with a plain word, where something is missing. */
async function openStores() {
  const program = findNginx()
  if (program === null) {
    missing('a company of nodes: nginx is not installed (apt-get install nginx-light)')
    return null
  }
  const redis = await openRedis()
  if (redis === null) return null
  const s3: TestS3 | null = await startMoto().catch((error: unknown) => {
    missing(`a company of nodes: no S3 (${String(error)})`)
    return null
  })
  if (s3 === null) {
    await redis.close()
    return null
  }
  return { program, redis, s3 }
}

/** One node: a process that can be killed and started again at the same place. */
export interface CompanyNode {
  readonly name: string
  readonly role: 'web' | 'worker'
  /** As it runs now. */
  running: Running
  isUp: boolean
}

export interface Company {
  /** Where everybody comes in. */
  readonly proxy: { readonly url: string; readonly wsUrl: string }
  readonly nodes: readonly CompanyNode[]
  readonly databaseUrl: string
  /** Those that serve now. */
  webs(): Running[]
  /** `kill -9` of all its processes. */
  kill(node: CompanyNode): Promise<void>
  /** As an update does it: it says goodbye to its agents and browsers. */
  stop(node: CompanyNode): Promise<void>
  /** Starts it again, as it was or in another version. */
  restart(node: CompanyNode, main?: string): Promise<void>
  close(): Promise<void>
}

/** nginx before the web nodes, with the headers of the example in docs/self-hosting.md. */
const proxyOf = (port: number, webs: readonly number[]) => `
  upstream vigil { ${webs.map((web) => `server 127.0.0.1:${web} max_fails=1 fail_timeout=2s;`).join(' ')} }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://vigil;
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
      proxy_read_timeout 300s;
    }
  }`

interface Options {
  /** A database without tables, for a version (`main`) that brings its own; else one of today's. */
  readonly isEmpty?: boolean
  readonly main?: string
}

/** Starts all of it; null, with a plain word, where something is missing. */
export async function openCompany({ isEmpty = false, main }: Options = {}): Promise<Company | null> {
  const stores = await openStores()
  if (stores === null) return null
  const { program, redis, s3 } = stores
  const database = isEmpty ? await emptyDatabase() : await cloneDatabase()
  const env = {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    S3_URL: s3.url,
    S3_ACCESS_KEY_ID: 'test',
    S3_SECRET_ACCESS_KEY: 'test',
    VIGIL_SECRET: randomBytes(32).toString('hex'),
    TUNNEL_DOMAIN: 'vigil.test',
    VIGIL_SETUP_TOKEN: randomBytes(16).toString('hex'),
  }
  const places = await Promise.all(
    (['web', 'web', 'worker', 'worker'] as const).map(async (role, at) => ({
      name: `${role} ${1 + (at % 2)}`,
      role,
      folder: aFolder(),
      port: await freePort(),
    })),
  )
  const start = ({ folder, port, role }: (typeof places)[number], version = main) =>
    up(folder, port, { ...env, ROLE: role }, version)
  const nodes = await Promise.all(
    places.map(async (place) => ({ ...place, running: await start(place), isUp: true })),
  )
  const port = await freePort()
  const webs = nodes.filter(({ role }) => role === 'web')
  const nginx: Nginx = await startNginx(
    program,
    proxyOf(
      port,
      webs.map((one) => one.port),
    ),
    port,
  )
  return {
    proxy: { url: `http://127.0.0.1:${port}`, wsUrl: `ws://127.0.0.1:${port}` },
    nodes,
    databaseUrl: database.url,
    webs: () => webs.filter(({ isUp }) => isUp).map(({ running }) => running),
    async kill(node) {
      node.isUp = false
      const { process: keeper } = node.running
      const ended = once(keeper, 'exit')
      const child = node.running.childPid()
      keeper.kill('SIGKILL')
      process.kill(child, 'SIGKILL')
      await ended
    },
    async stop(node) {
      node.isUp = false
      await node.running.stop()
    },
    async restart(node, version) {
      const place = nodes.find((one) => one === node)
      if (place === undefined) throw new Error(`${node.name} is none of these`)
      node.running = await start(place, version)
      node.isUp = true
    },
    async close() {
      await nginx.stop()
      await Promise.all(nodes.map(({ running }) => running.stop()))
      for (const { folder } of nodes) removeFolder(folder)
      await redis.close()
      s3.stop()
      await database.drop()
    },
  }
}
