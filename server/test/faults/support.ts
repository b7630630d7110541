import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import pg from 'pg'
import sharp from 'sharp'
import type { PrinterId } from '../../lib/id.ts'
import { runningPid } from '../../engines/db/cluster.ts'
import { tinyModelFolder } from '../../engines/inference/fixtures/tiny.ts'
import { loadConfig } from '../../cli/command.ts'
import { withContext } from '../../cli/context.ts'
import { addPrinter } from '../../modules/printers/printers/index.ts'
import { plainEnvironment, prepareFolder } from '../spawned.ts'
import { connectAgent, eventually, type WireAgent } from '../wire/agent.ts'

const MAIN = join(import.meta.dirname, '../../cli/main.ts')
export const PASSWORD = 'correct horse battery'
export const EMAIL = 'owner@example.org'

/** What the tests need of the machine; in CI its absence fails, unless the machine forbids it. */
export function missing(what: string, isForbidden = false): boolean {
  if (process.env['CI'] === 'true' && !isForbidden) throw new Error(`missing: ${what}`)
  console.warn(`SKIPPED, not tested here: ${what}`)
  return true
}

/** A printer as `printer add` makes it. */
export interface Added {
  readonly id: number
  readonly name: string
  readonly auth_token: string
}

/** `./vigil up` as a user runs it, with accounts and printers added beside it. */
export interface Running {
  readonly process: ChildProcess
  readonly url: string
  readonly wsUrl: string
  readonly dataFolder: string
  /** All that it printed and logged. */
  log(): string
  childPid(): number
  postgresPid(): number | null
  vigil(args: string[], input?: string): Promise<string>
  /** Cookie of a signed-in browser. */
  signIn(): Promise<string>
  addPrinters(count: number): Promise<Added[]>
  stop(): Promise<void>
}

const environment = (dataFolder: string, env: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv =>
  plainEnvironment(dataFolder, { NODE_ENV: 'test', DETECTOR_MODEL_FOLDER: tinyModelFolder(), ...env })

async function command(dataFolder: string, args: string[], input = ''): Promise<string> {
  const child = spawn(process.execPath, [MAIN, ...args], { env: environment(dataFolder) })
  child.stdin.end(input)
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  if (code !== 0) throw new Error(`vigil ${args.join(' ')}: exit ${code}: ${err}`)
  return out
}

/** The database of a server that was started by `up`, as only this machine reaches it. */
export async function openDatabase(dataFolder: string): Promise<pg.Client> {
  const host = encodeURIComponent(join(dataFolder, 'run'))
  const client = new pg.Client({ connectionString: `postgres://vigil@localhost/vigil?host=${host}` })
  // It goes with its server: what is asked of it then says so.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

export const aFolder = (): string => mkdtempSync(join(tmpdir(), 'vigil-hurt-'))

/** A port that was free just now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

interface Announced {
  readonly address: string
  readonly setup_link: string | null
}

/** Starts `up` on a data folder; with the same port again after a crash; of another version by its `main`. */
export async function up(
  dataFolder: string,
  port = 0,
  env: NodeJS.ProcessEnv = {},
  main = MAIN,
): Promise<Running> {
  const isEmbedded = env['DATABASE_URL'] === undefined
  if (isEmbedded && !existsSync(join(dataFolder, 'pg'))) prepareFolder(dataFolder)
  const child = spawn(process.execPath, [main, 'up', '--json'], {
    env: environment(dataFolder, { PORT: String(port), ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said: string[] = []
  child.stderr.on('data', (data) => said.push(String(data)))
  const lines = createInterface({ input: child.stdout })
  const first = await new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      said.push(`${line}\n`)
      if (line.includes('"address":"')) resolve(line)
    })
    child.once('exit', () => reject(new Error(`up has ended: ${said.join('')}`)))
  })
  const { address: url, setup_link: setup } = JSON.parse(first) as Announced
  const post = (path: string, body: object) =>
    fetch(`${url}/api/v1/auth/${path}/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: EMAIL, password: PASSWORD, ...body }),
    })
  // Who comes first creates the account, by the link that was printed.
  let token = setup && new URL(setup).searchParams.get('token')
  return {
    process: child,
    url,
    wsUrl: url.replace('http', 'ws'),
    dataFolder,
    log: () => said.join(''),
    childPid: () => childOf(child.pid ?? 0),
    postgresPid: () => runningPid(join(dataFolder, 'pg')),
    vigil: (args, input) => command(dataFolder, args, input),
    async signIn() {
      if (token !== null) await post('setup', { token })
      token = null
      const answer = await post('login', {})
      if (!answer.ok) throw new Error(`sign-in failed: ${answer.status} ${await answer.text()}`)
      return answer.headers
        .getSetCookie()
        .map((one) => one.split(';', 1)[0])
        .join('; ')
    },
    addPrinters: async (count) =>
      await withContext(loadConfig(environment(dataFolder, env)), async (ctx) => {
        const added: Added[] = []
        for (let number = 1; number <= count; number++) {
          const name = count === 1 ? 'Printer' : `Printer ${number}`
          added.push(await addPrinter(ctx, { ownerEmail: EMAIL, name }))
        }
        return added
      }),
    async stop() {
      if (hasEnded(child)) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null

/** The process that serves: the keeper's child that runs child.ts, built or not. */
function childOf(keeper: number): number {
  const pids = readFileSync(`/proc/${keeper}/task/${keeper}/children`, 'utf8').trim().split(' ').map(Number)
  const found = pids.find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('/child.'))
  if (found === undefined) throw new Error(`the keeper ${keeper} has no child`)
  return found
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Bytes of the heap when everything that can be collected has been. */
export async function heapAtRest(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    collect()
    await nextTurn()
  }
  return process.memoryUsage().heapUsed
}

export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true })

interface Node {
  readonly url: string
}

/** A call with cookie or agent token; never raises for a status. */
export async function ask(
  node: Node,
  method: string,
  path: string,
  {
    cookie,
    agent,
    body,
    timeoutMs = 60_000,
  }: { cookie?: string; agent?: string; body?: unknown; timeoutMs?: number } = {},
) {
  const answer = await fetch(node.url + path, {
    method,
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      ...(cookie === undefined ? {} : { cookie }),
      ...(agent === undefined ? {} : { authorization: `Token ${agent}` }),
      ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
  })
  const said = await answer.text()
  const isJson = answer.headers.get('content-type')?.includes('json') ?? false
  return {
    status: answer.status,
    headers: answer.headers,
    text: said,
    json: isJson && said !== '' ? JSON.parse(said) : null,
  }
}

let jpeg: Promise<Buffer> | null = null

/** Posts a picture as agents do. */
export async function postPicture(node: Node, token: string) {
  jpeg ??= sharp({ create: { width: 320, height: 240, channels: 3, background: '#456' } })
    .jpeg()
    .toBuffer()
  const form = new FormData()
  form.append('pic', new Blob([new Uint8Array(await jpeg)]), 'pic.jpg')
  return await ask(node, 'POST', '/api/v1/octo/pic/', { agent: token, body: form })
}

/** A status of a printer that prints; `n` numbers it. */
export const printing = (key: number, n = 0, event?: string) => ({
  current_print_ts: key,
  ...(event === undefined ? {} : { event: { event_type: event, data: { name: 'part.gcode' } } }),
  status: {
    _ts: Date.now() / 1000,
    n,
    state: { text: 'Printing', flags: { printing: true, operational: true } },
    job: { file: { name: 'part.gcode' } },
    progress: { completion: 10, printTime: 60 },
  },
})

/** A status of a printer that stands still. */
export const idle = (n = 0, key = -1, event?: string) => ({
  current_print_ts: key,
  ...(event === undefined ? {} : { event: { event_type: event, data: { name: 'part.gcode' } } }),
  status: {
    _ts: Date.now() / 1000,
    n,
    state: { text: 'Operational', flags: { printing: false, operational: true } },
  },
})

/** Connects and waits for the greeting. */
export async function greeted(node: { wsUrl: string }, token: string): Promise<WireAgent> {
  const agent = await connectAgent(node, token)
  await agent.hear((message) => message.remote_status !== undefined, 60_000)
  return agent
}

/** Commands that the agent was told so far. */
export const commandsOf = (agent: WireAgent): string[] =>
  agent.heard.flatMap(({ commands }) => (commands ?? []).map(({ cmd }) => cmd))

/** Waits until a printer's object satisfies `test`. */
export async function shown(
  node: Node,
  cookie: string,
  printerId: PrinterId,
  test: (printer: ReturnType<typeof JSON.parse>) => boolean,
  ms = 60_000,
) {
  let last: unknown
  return await eventually(
    async () => {
      const { json, status } = await ask(node, 'GET', `/api/v1/printers/${printerId}/`, { cookie })
      last = json ?? status
      return status === 200 && test(json) ? json : undefined
    },
    ms,
    () => JSON.stringify(last),
  )
}
