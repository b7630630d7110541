import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, readFileSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { inject } from 'vitest'
import { openEmbedded } from '../server/engines/db/embedded.ts'
import { tinyModelFolder } from '../server/engines/inference/fixtures/tiny.ts'
import { cloneDatabase, keepQueues } from '../server/test/pg.ts'
import { openSecrets } from './secrets.ts'

const ROOT = join(import.meta.dirname, '..')

/** What journeys use that no log may say. */
export const secrets = openSecrets(inject('serversFolder'))

/** A server as an owner starts it: `up` on an empty folder, with a database of its own. */
export interface Vigil {
  readonly address: string
  readonly setupLink: string
  readonly dataFolder: string
  readonly databaseUrl: string
  /** Everything it has said on standard error and output. */
  readonly said: () => string
  /** As `vigil restart` does it: the address stays, what is open comes back. */
  restart(): void
  stop(): Promise<void>
}

type Settings = Readonly<Record<string, string>>

/**
 * Runs `vigil up` and waits until it says where it is. Its database is one of the run's own PostgreSQL, all else is as
 * at home; with `embedded` it makes and runs one in its folder. The model that ships looks where time of detection is quick: at the pace
 * of life no journey sees a print fail.
 */
export async function startVigil(env: Settings = {}, { embedded = false } = {}): Promise<Vigil> {
  if (embedded) return await run(env, embeddedUrl)
  if (env['DATABASE_URL'] !== undefined) return await run(env, () => env['DATABASE_URL']!)
  const database = await cloneDatabase()
  const vigil = await run(
    {
      DATABASE_URL: database.url,
      VIGIL_SECRET: randomBytes(32).toString('hex'),
      BACKUP_NIGHTLY: 'true',
      ...env,
    },
    () => database.url,
  )
  await keepQueues(database.url)
  return {
    ...vigil,
    async stop() {
      await vigil.stop()
      await database.drop()
    },
  }
}

async function embeddedUrl(dataFolder: string): Promise<string> {
  const silent = () => undefined
  const embedded = await openEmbedded({ dataFolder, log: { info: silent, warn: silent, error: silent } })
  await embedded.release()
  return embedded.url
}

async function run(
  env: Settings,
  databaseOf: (dataFolder: string) => string | Promise<string>,
): Promise<Vigil> {
  const dataFolder = await mkdtemp(join(inject('serversFolder'), 's'))
  const child = spawn(process.execPath, [join(ROOT, 'server/cli/main.ts'), 'up', '--json'], {
    env: {
      ...process.env,
      ...(env['DETECTION_TIME_SCALE'] === undefined && { DETECTOR_MODEL_FOLDER: tinyModelFolder() }),
      NODE_ENV: 'test',
      LOG_LEVEL: 'info',
      PORT: '0',
      HOST: '127.0.0.1',
      VIGIL_DATA: dataFolder,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // Beside the folder: what it has said is looked through when the run ends (secrets.ts).
  const log = `${dataFolder}.log`
  const say = (text: string) => appendFileSync(log, text)
  const said = () => readFileSync(log, 'utf8')
  say('')
  child.stderr.on('data', say)
  const first = await firstObject(child, (line) => say(`${line}\n`)).catch((error: unknown) => {
    throw new Error(`vigil did not start: ${said()}`, { cause: error })
  })
  const databaseUrl = await databaseOf(dataFolder)
  return {
    address: first.address,
    setupLink: first.setup_link,
    dataFolder,
    databaseUrl,
    said,
    restart: () => void child.kill('SIGUSR2'),
    async stop() {
      await keepSecrets({ databaseUrl })
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
      await rename(join(dataFolder, 'log'), `${dataFolder}.logs`).catch(() => undefined)
      await rm(dataFolder, { recursive: true, force: true })
    },
  }
}

function firstObject(
  child: ChildProcess,
  onLine: (line: string) => void,
): Promise<{ address: string; setup_link: string }> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`ended with ${code}`)))
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      // What is printed for the operator alone: the link of the first account stands in it.
      if (line.includes('"setup_link"')) resolve(JSON.parse(line) as { address: string; setup_link: string })
      else onLine(line)
    })
  })
}

/** By their settings, the servers that files of this worker have one after the other. */
const shared = new Map<string, { vigil: Vigil; setup: unknown }>()

/**
 * A server of those settings that nobody has an account of: one for all files of a worker, as its start costs more than
 * most journeys. Their accounts go, with all that was theirs, before the next file; it ends with the run.
 */
export async function sharedVigil(env: Settings = {}): Promise<Vigil> {
  const key = JSON.stringify(env)
  const before = shared.get(key)
  if (before && (await answers(before.vigil))) {
    await forgetOwners(before.vigil, before.setup)
    return before.vigil
  }
  // A start that a file's journeys left under way writes the same link as all before.
  const started = await startVigil({ VIGIL_SETUP_TOKEN: randomBytes(32).toString('base64url'), ...env })
  const vigil = { ...started, stop: () => keepSecrets(started) }
  shared.set(key, { vigil, setup: await setupOf(vigil) })
  return vigil
}

const answers = ({ address }: Vigil): Promise<boolean> =>
  fetch(`${address}/hc/`).then(
    ({ ok }) => ok,
    () => false,
  )

const SETUP = `select value from instance where key = 'setup_token_sha256'`
const setupOf = (vigil: Vigil): Promise<unknown> =>
  inDatabase(vigil, async (client) => (await client.query<{ value: unknown }>(SETUP)).rows[0]?.value)

/** A job that is under way may hold what this waits for, and wait for what this holds: PostgreSQL ends one of the two, and it may be this. */
async function emptied(client: pg.Client, tries = 10): Promise<void> {
  try {
    await client.query('truncate users, account_notices cascade')
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== '40P01' || tries === 0) throw error
    await emptied(client, tries - 1)
  }
}

/** As on the first day, with the same link for the first account; no number is given twice. */
const forgetOwners = (vigil: Vigil, setup: unknown): Promise<void> =>
  inDatabase(vigil, async (client) => {
    await emptied(client)
    await client.query(
      `insert into instance (key, value) values ('setup_token_sha256', $1) on conflict (key) do update set value = excluded.value`,
      [JSON.stringify(setup)],
    )
  })

/** Also of a server that has fallen, whose database a journey has ended. */
const keepSecrets = (vigil: Pick<Vigil, 'databaseUrl'>): Promise<void> =>
  inDatabase(vigil, (client) => secrets.keepRows((sql) => client.query(sql))).catch(() => undefined)

/** Asks a server's own database, beside it. */
export async function inDatabase<T>(
  { databaseUrl }: Pick<Vigil, 'databaseUrl'>,
  ask: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    return await ask(client)
  } finally {
    await client.end()
  }
}
