/** The server as the product starts it, on an empty data folder, with an owner and printers; gone afterwards. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const ROOT = join(import.meta.dirname, '../..')
const VIGIL = join(ROOT, 'server/cli/main.ts')
const OWNER = 'bench@example.org'
const PASSWORD = 'a horse, a battery and a benchmark'
const START_MS = 60_000
const STOP_MS = 30_000

export interface BenchPrinter {
  readonly id: number
  readonly auth_token: string
}

/** A running server. */
export interface BenchServer {
  readonly url: string
  /** Of the keeper, whose family is the whole server with its PostgreSQL. */
  readonly pid: number
  readonly dataFolder: string
  readonly port: number
  /** Milliseconds from the start of the process to the first answer of `/hc/`. */
  readonly startMs: number
  /** Cookie header of the owner, signed in. */
  signIn(): Promise<string>
  addPrinters(count: number): Promise<BenchPrinter[]>
  /** Asks the server's own database. */
  query(sql: string): Promise<Record<string, unknown>[]>
  /** Ends it; the data folder stays when a second start is wanted. */
  stop(options?: { keepData: boolean }): Promise<void>
}

interface Options {
  readonly dataFolder?: string
  /** A free one without it. */
  readonly port?: number
  readonly env?: Record<string, string>
  /** Told its process before it has started anything. */
  readonly onSpawn?: (pid: number) => void
}

/** Starts a server and waits for its first answer. */
export async function startBenchServer({
  dataFolder: given,
  port: wanted,
  env: more,
  onSpawn,
}: Options = {}): Promise<BenchServer> {
  const dataFolder = given ?? (await mkdtemp(join(tmpdir(), 'vigil-bench-')))
  const port = wanted ?? (await freePort())
  // A log line of each request is written as the product writes it.
  const log = openSync(process.env.BENCH_LOG ?? join(dataFolder, 'vigil.log'), 'a')
  const env = environment(dataFolder, port, more)
  const began = performance.now()
  const child = spawn(process.execPath, [VIGIL, 'up', '--json'], {
    env,
    stdio: ['ignore', log, 'inherit'],
  })
  closeSync(log)
  if (child.pid !== undefined) onSpawn?.(child.pid)
  const ended = once(child, 'exit')
  const onExit = () => child.kill('SIGTERM')
  process.on('exit', onExit)
  const url = `http://127.0.0.1:${port}`
  const stop = async ({ keepData } = { keepData: false }): Promise<void> => {
    process.off('exit', onExit)
    await end(child, ended)
    if (!keepData) await rm(dataFolder, { recursive: true, force: true })
  }
  try {
    await firstAnswer(`${url}/hc/`, child)
  } catch (error) {
    await stop()
    throw error
  }
  const startMs = performance.now() - began
  const call = (args: string[], input = '') => vigil(args, { env, input })
  return {
    url,
    pid: child.pid!,
    dataFolder,
    port,
    startMs,
    stop,
    async signIn() {
      await call(['user', 'add', OWNER, '--password-stdin'], PASSWORD)
      return signIn(url)
    },
    async addPrinters(count) {
      const lines = await call(['printer', 'add', '--owner', OWNER, '--count', String(count)])
      return lines
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as BenchPrinter)
    },
    query: (sql) => query(dataFolder, sql),
  }
}

function environment(dataFolder: string, port: number, more: Record<string, string> = {}): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, BENCH_NODE_OPTIONS } = process.env
  return {
    // To look closer: BENCH_NODE_OPTIONS='--cpu-prof --cpu-prof-dir=/tmp/profiles' node bench/run.ts lists
    // (BENCH_LOG=/tmp/server.log keeps what it says).
    NODE_OPTIONS: BENCH_NODE_OPTIONS,
    PATH,
    HOME,
    TMPDIR,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    VIGIL_DATA: dataFolder,
    // As the script ./vigil has it, whose other work (is everything installed and built?) is left out here.
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node'),
    ...more,
  }
}

/** A port that was free just now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

async function firstAnswer(address: string, child: ChildProcess): Promise<void> {
  const until = Date.now() + START_MS
  while (Date.now() < until && child.exitCode === null) {
    const answer = await fetch(address).catch(() => null)
    if (answer !== null) return
    await sleep(5)
  }
  throw new Error(`The server gave no answer within ${START_MS / 1000} s.`)
}

async function end(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  const patience = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await ended
  clearTimeout(patience)
}

/** Runs one command of `./vigil` on the server's data; returns what it printed. */
async function vigil(
  args: string[],
  { env, input }: { env: NodeJS.ProcessEnv; input: string },
): Promise<string> {
  const child = spawn(process.execPath, [VIGIL, ...args], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(input)
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (code !== 0) throw new Error(`vigil ${args.join(' ')} failed with ${code}`)
  return said
}

/** Signs in; returns the cookie header. */
export async function signIn(url: string, email = OWNER, password = PASSWORD): Promise<string> {
  const answer = await fetch(`${url}/api/v1/auth/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  if (!answer.ok) throw new Error(`sign-in failed: ${answer.status} ${await answer.text()}`)
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ')
}

async function query(dataFolder: string, sql: string): Promise<Record<string, unknown>[]> {
  const host = encodeURIComponent(join(dataFolder, 'run'))
  const client = new pg.Client({ connectionString: `postgres://vigil@localhost/vigil?host=${host}` })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}
