import { hash } from '@node-rs/argon2'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import { readConfig } from '../config.ts'
import type { UserId } from '../lib/id.ts'
import type { Ctx, RESTARTS } from '../ctx.ts'
import type { Detector } from '../engines/inference/port.ts'
import { type Server, startServer } from '../main.ts'
import { addUser } from '../modules/people/accounts/accounts.service.ts'
import { createAccessToken } from '../modules/people/accounts/index.ts'
import { addPrinter } from '../modules/printers/printers/index.ts'
import { cloneDatabase, keepQueues } from './pg.ts'
import { servesRoutes } from './served.ts'
import { guardEngines } from './transactions.ts'
import { warnings } from './warnings.ts'

const HOUR_MS = 3_600_000
export const PASSWORD = 'correct horse battery'

const { TEST_LOG } = process.env

/** A whole server on a database of its own, listening on a free port of 127.0.0.1. */
export interface TestApp {
  readonly server: Server
  readonly ctx: Ctx
  readonly databaseUrl: string
  /** `http://127.0.0.1:port` */
  readonly url: string
  readonly wsUrl: string
  readonly dataFolder: string
  /** Time passes on the server's clocks; timers do not follow. */
  advance(ms: number): void
  /** The next hour begins, and with it a window of every limit: tries that follow count together, however slow. */
  newWindows(): void
  /** Somebody sets the server's time of day forward (or back): no time passes. */
  setClock(ms: number): void
  /** `RESTARTS`: as when the next one follows at once. */
  close(why?: typeof RESTARTS): Promise<void>
}

interface Options {
  readonly env?: Record<string, string>
  readonly detector?: Detector
  /** What is said in it is looked at. */
  readonly log?: Logger
}

/** A detector that sees nothing, for tests that are not about seeing. */
export function blindDetector(overrides: Partial<Detector> = {}): Detector {
  const inspection = {
    score: 0,
    boxes: [],
    heat: null,
    model: 'none',
    modelKey: 'none',
    width: 640,
    height: 480,
    quality: { condition: null, hash: '', thumbnail: new Uint8Array(64 * 48) },
  }
  return {
    model: 'none',
    kind: 'vigil',
    detect: () => Promise.resolve(inspection),
    submit: () => Promise.resolve({ kind: 'inspected', inspection }),
    detectLayer: () =>
      Promise.resolve({
        model: 'none',
        score: 100,
        labels: ['noIssues'],
        shares: { gaps: 0, raisedRipples: 0, bumpsAndRoughSurface: 0, bubbling: 0, detached: 0 },
        notANozzleCam: 0,
        lines: null,
      }),
    health: () => ({ state: 'ready', queued: 0 }),
    close: () => Promise.resolve(),
    ...overrides,
  }
}

/** Starts the whole server as the product does, on a database of its own, with a clock that can be moved. */
export async function buildTestApp({ env, detector, log }: Options = {}): Promise<TestApp> {
  const database = await cloneDatabase()
  const node = await aNode(database.url, env, detector, log)
  await keepQueues(database.url)
  return {
    ...node,
    async close(why) {
      await node.close(why)
      await database.drop()
    },
  }
}

/** The same on a database that others may share. */
export async function aNode(
  databaseUrl: string,
  env: Record<string, string> = {},
  detector = blindDetector(),
  log?: Logger,
): Promise<TestApp> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'vigil-test-'))
  const stop = new AbortController()
  const config = readConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: TEST_LOG ?? 'silent',
    VIGIL_DATA: dataFolder,
    VIGIL_SECRET: randomBytes(32).toString('hex'),
    // what a test has stored stays, however full its disk is
    STORAGE_KEEP_FREE_MB: '0',
    ...env,
  })
  const isQuiet = TEST_LOG === undefined && config.SENTRY_DSN === undefined
  const said = log ?? (isQuiet ? pino({ level: 'warn' }, warnings) : null)
  let offset = 0
  let set = 0
  const server = await startServer({
    config,
    databaseUrl,
    signal: stop.signal,
    detector,
    ...(said && { log: said }),
    clock: { now: () => Date.now() + offset + set, monotonic: () => performance.now() + offset },
  })
  guardEngines(server.ctx)
  const { port } = await server.listen(0, '127.0.0.1')
  servesRoutes(`http://127.0.0.1:${port}`, server.app.routeTable)
  return {
    server,
    ctx: server.ctx,
    databaseUrl,
    url: `http://127.0.0.1:${port}`,
    wsUrl: `ws://127.0.0.1:${port}`,
    dataFolder,
    advance: (ms) => void (offset += ms),
    newWindows: () => void (offset += HOUR_MS - ((Date.now() + offset + set) % HOUR_MS)),
    setClock: (ms) => void (set += ms),
    async close(why) {
      stop.abort(why)
      await server.close()
      await rm(dataFolder, { recursive: true, force: true })
    },
  }
}

let counter = 0
/** As the product keeps it, with the least work that there is: nobody guesses passwords of tests, and hundreds sign in. */
let passwordHash: Promise<string> | undefined
const hashOnce = () => (passwordHash ??= hash(PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 }))

export interface TestUser {
  readonly id: UserId
  readonly email: string
  /** Cookie header of a signed-in browser. */
  readonly cookie: string
  /** OAuth access token. */
  readonly token: string
}

/** An account, signed in. Where an administrator signs in is where links in letters lead. */
export async function aUser(app: TestApp, { isAdmin = false } = {}): Promise<TestUser> {
  const email = `user${++counter}@example.org`
  const { db, config } = app.ctx
  const brand = config.brands[0].name
  const made = { brand, email, password: null, isAdmin, language: 'en', byOperator: true } as const
  const { id } = await addUser(app.ctx, made)
  await db
    .updateTable('users')
    .set({ passwordHash: await hashOnce() })
    .where('id', '=', id)
    .execute()
  const answer = await fetch(`${app.url}/api/v1/auth/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${(counter % 250) + 1}` },
    body: JSON.stringify({ email, password: PASSWORD }),
  })
  if (!answer.ok) throw new Error(`sign-in failed: ${answer.status} ${await answer.text()}`)
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ')
  const token = await createAccessToken(app.ctx, { userId: id, application: 'test' })
  return { id, email, cookie, token }
}

/** A printer of a user, with its agent's token. */
export async function aPrinter(app: TestApp, owner: TestUser, name = 'Ender') {
  return await addPrinter(app.ctx, { ownerEmail: owner.email, name })
}

/** A call with a JSON body and whatever credential, answered as status and parsed JSON. */
export async function call(
  app: Pick<TestApp, 'url'>,
  method: string,
  path: string,
  {
    body,
    headers = {},
    ...who
  }: {
    body?: unknown
    headers?: Record<string, string>
    cookie?: string
    token?: string
    agent?: string
  } = {},
) {
  const answer = await fetch(app.url + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(who.cookie === undefined ? {} : { cookie: who.cookie }),
      ...(who.token === undefined ? {} : { authorization: `Bearer ${who.token}` }),
      ...(who.agent === undefined ? {} : { authorization: `Token ${who.agent}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.includes('json') ?? false
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    json: isJson && text !== '' ? JSON.parse(text) : null,
  }
}
