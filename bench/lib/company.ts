/** Several nodes on one PostgreSQL and one Redis, each on a fixed share of a core. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openEmbedded } from '../../server/engines/db/embedded.ts'
import { CannotMeasure } from './benchmark.ts'
import { type Cgroup, openCgroup } from './cgroup.ts'
import { cpuOf } from './processes.ts'
import { type BenchPrinter, type BenchServer, freePort, startBenchServer } from './server.ts'

/** What all of it has used so far: seconds of processor time, and what the stores were asked. */
export interface Used {
  readonly nodes: number
  readonly postgres: number
  readonly redis: number
  /** Commands that Redis was given, and bytes that it was sent and sent on. */
  readonly redisCommands: number
  readonly redisBytes: number
  /** Transactions, and bytes of PostgreSQL's log of changes (WAL). */
  readonly transactions: number
  readonly walBytes: number
}

interface BenchNode {
  readonly server: BenchServer
  readonly share: Cgroup
}

export interface BenchCompany {
  readonly nodes: readonly BenchNode[]
  readonly cookie: string
  addPrinters(count: number): Promise<BenchPrinter[]>
  used(): Promise<Used>
  query(sql: string): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

interface Redis {
  readonly url: string
  readonly process: ChildProcess
  info(): Promise<string>
}

async function startRedis(): Promise<Redis> {
  const port = await freePort()
  const child = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', ''], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: tmpdir(),
  })
  const failed = once(child, 'error').then(([error]) => {
    throw new CannotMeasure(`redis-server cannot be started: ${String(error)}`)
  })
  failed.catch(() => undefined)
  const ready = async () => {
    for await (const text of child.stdout) if (/ready to accept/i.test(String(text))) return
  }
  await Promise.race([ready(), failed])
  child.stdout.resume()
  const { Redis: Client } = await import('ioredis')
  const client = new Client(`redis://127.0.0.1:${port}`)
  child.once('exit', () => client.disconnect())
  return { url: `redis://127.0.0.1:${port}`, process: child, info: () => client.info() }
}

const infoOf = (info: string, key: string) =>
  Number(new RegExp(`^${key}:(\\d+)`, 'm').exec(info)?.[1] ?? Number.NaN)

export const minus = (now: Used, before: Used): Used => ({
  nodes: now.nodes - before.nodes,
  postgres: now.postgres - before.postgres,
  redis: now.redis - before.redis,
  redisCommands: now.redisCommands - before.redisCommands,
  redisBytes: now.redisBytes - before.redisBytes,
  transactions: now.transactions - before.transactions,
  walBytes: now.walBytes - before.walBytes,
})

/** Starts so many nodes; each has its share once it is up, as a start is not what is measured. */
export async function startCompany(count: number, cores: number): Promise<BenchCompany> {
  const folder = await mkdtemp(join(tmpdir(), 'vigil-company-'))
  const log = { info: () => undefined, warn: console.error, error: console.error }
  const database = await openEmbedded({ dataFolder: folder, log })
  const postgresPid = Number.parseInt(readFileSync(join(folder, 'pg/postmaster.pid'), 'utf8'), 10)
  const redis = await startRedis()
  // However this process ends, its stores do, too.
  const onExit = () => {
    redis.process.kill('SIGTERM')
    process.kill(postgresPid, 'SIGINT')
  }
  process.on('exit', onExit)
  const env = {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    VIGIL_SECRET: randomBytes(32).toString('hex'),
  }
  const nodes: BenchNode[] = []
  const client = new pg.Client({ connectionString: database.url })
  const close = async () => {
    process.off('exit', onExit)
    await client.end()
    for (const { server, share } of nodes) {
      await server.stop()
      share.close()
    }
    redis.process.kill('SIGTERM')
    await once(redis.process, 'exit')
    await database.stop()
    await rm(folder, { recursive: true, force: true })
  }
  await client.connect()
  try {
    while (nodes.length < count)
      nodes.push({ server: await startBenchServer({ env }), share: openCgroup({ cores }) })
    const [first] = nodes
    if (first === undefined) throw new Error('a company has at least one node')
    const cookie = await first.server.signIn()
    for (const { server, share } of nodes) share.take(server.pid)
    return {
      nodes,
      cookie,
      addPrinters: (many) => first.server.addPrinters(many),
      async used() {
        const info = await redis.info()
        const { rows } = await client.query<{ commits: string; wal: string }>(
          `select xact_commit as commits, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as wal
           from pg_stat_database where datname = current_database()`,
        )
        return {
          nodes: nodes.reduce((sum, { server }) => sum + cpuOf(server.pid).node, 0),
          postgres: cpuOf(postgresPid).postgres,
          redis: cpuOf(redis.process.pid ?? 0).node,
          redisCommands: infoOf(info, 'total_commands_processed'),
          redisBytes: infoOf(info, 'total_net_input_bytes') + infoOf(info, 'total_net_output_bytes'),
          transactions: Number(rows[0]?.commits),
          walBytes: Number(rows[0]?.wal),
        }
      },
      query: async (sql) => (await client.query<Record<string, unknown>>(sql)).rows,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
