import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { openEmbedded } from '../server/engines/db/embedded.ts'
import { cloneDatabase } from '../server/test/pg.ts'
import { theBrowser } from './browsers.ts'
import { type Look, profileOf } from './looks.ts'

const ROOT = join(import.meta.dirname, '..')

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

type Settings = Record<string, string>

/**
 * Runs `vigil up` and waits until it says where it is. Its database is one of the run's own PostgreSQL, all else is as
 * at home; with `embedded` it makes and runs one in its folder.
 */
export async function startVigil(env: Settings = {}, { embedded = false } = {}): Promise<Vigil> {
  if (embedded) return await runVigil(env, ({ dataFolder }) => embeddedUrl(dataFolder))
  if (env['DATABASE_URL'] !== undefined) return await runVigil(env, () => env['DATABASE_URL']!)
  const database = await cloneDatabase()
  const beside = {
    DATABASE_URL: database.url,
    VIGIL_SECRET: randomBytes(32).toString('hex'),
    BACKUP_NIGHTLY: 'true',
  }
  const vigil = await runVigil({ ...beside, ...env }, () => database.url)
  return {
    ...vigil,
    async stop() {
      await vigil.stop()
      await database.drop()
    },
  }
}

async function embeddedUrl(dataFolder: string): Promise<string> {
  const embedded = await openEmbedded({ dataFolder, log: console })
  await embedded.release()
  return embedded.url
}

async function runVigil(
  env: Settings,
  databaseOf: (at: { dataFolder: string }) => string | Promise<string>,
): Promise<Vigil> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'vigil-e2e-'))
  const child = spawn(process.execPath, [join(ROOT, 'server/cli/main.ts'), 'up', '--json'], {
    env: {
      ...process.env,
      NODE_ENV: 'test',
      LOG_LEVEL: 'warn',
      PORT: '0',
      HOST: '127.0.0.1',
      VIGIL_DATA: dataFolder,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const first = await firstObject(child, (line) => (said += `${line}\n`)).catch((error: unknown) => {
    throw new Error(`vigil did not start: ${said}`, { cause: error })
  })
  return {
    address: first.address,
    setupLink: first.setup_link,
    dataFolder,
    databaseUrl: await databaseOf({ dataFolder }),
    said: () => said,
    restart: () => void child.kill('SIGUSR2'),
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
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
      onLine(line)
      if (line.includes('"address"')) resolve(JSON.parse(line) as { address: string; setup_link: string })
    })
  })
}

/** A person's browser, with every complaint of its console kept. */
export interface Person {
  readonly page: Page
  readonly complaints: string[]
  close(): Promise<void>
}

/** Opens a fresh profile. */
export async function aPerson(options: Parameters<Browser['newContext']>[0] = {}): Promise<Person> {
  const context: BrowserContext = await (
    await theBrowser()
  ).newContext({
    viewport: { width: 1440, height: 900 },
    // What a test answers in the server's place must not pass a worker first.
    serviceWorkers: 'block',
    ...options,
  })
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} (${page.url()})`)
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return { page, complaints, close: () => context.close() }
}

/** The same person at another device, signed in already, in its language and theme. */
export async function atAnotherDevice({ page }: Person, look: Look): Promise<Person> {
  const { cookies } = await page.context().storageState()
  const person = await aPerson({ ...profileOf(look), storageState: { cookies, origins: [] } })
  // What the person once chose on this device goes before the account's language.
  await person.page.addInitScript(
    (language) => localStorage.setItem('user-language', language),
    look.language,
  )
  return person
}

export const OWNER = { email: 'owner@example.org', password: 'a good long password' } as const

/** Creates the first account through the one-time link, as a new owner does. */
export async function setUpFirstAccount(page: Page, vigil: Vigil): Promise<void> {
  const { pathname, search } = new URL(vigil.setupLink)
  await page.goto(vigil.address + pathname + search)
  await page.getByLabel('E-mail').fill(OWNER.email)
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'No printers yet' }).waitFor()
}

/** Creates a printer without the wizard, for journeys that are about something else. */
export async function addPrinter(page: Page, name: string): Promise<{ id: number; auth_token: string }> {
  return await page.evaluate(async (given) => {
    const answer = await fetch('/api/v1/printers/', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: given }),
    })
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    const body = (await answer.json()) as { id: number; auth_token: string }
    return { id: body.id, auth_token: body.auth_token }
  }, name)
}

/** What the console complained about, less the refusals that the journey asked for. */
export function complaintsBut(person: Person, ...expected: RegExp[]): string[] {
  return person.complaints.filter((complaint) => !expected.some((one) => one.test(complaint)))
}

/** Keeps what the person saw, for whoever has to find out why a journey failed. */
export async function keepEvidence({ page, complaints }: Person, name: string, vigil: Vigil): Promise<void> {
  const folder = join(import.meta.dirname, 'out')
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
  await writeFile(join(folder, `${name}.txt`), [page.url(), ...complaints, vigil.said()].join('\n'))
}

/** Polls until `check` holds. */
export async function until<T>(
  check: () => Promise<T | false | null | undefined>,
  ms: number,
  what: string,
): Promise<T> {
  const end = Date.now() + ms
  for (;;) {
    const value = await check()
    if (value) return value
    if (Date.now() > end) throw new Error(`waited ${ms} ms in vain for: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** Turns a switch once it stands still; the box itself is hidden below the track, so nothing waits for it by itself. */
export async function touchSwitch(box: Locator): Promise<void> {
  await (await box.elementHandle())?.waitForElementState('stable')
  await box.click({ force: true })
}
