import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import type { SimulatedPrinter } from '@vigil/simulator/index.ts'
import { eventually } from '../server/test/eventually.ts'
import { inSuite } from '../scripts/suites.ts'
import { theBrowser } from './browsers.ts'
import { type Look, profileOf } from './looks.ts'
import { secrets, type Vigil } from './vigil.ts'

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
    // moving parts are drawn without a graphics card here; `--all` has them move
    reducedMotion: inSuite('reduce', 'no-preference'),
    ...options,
  })
  secrets.watch(context)
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    // Another worker's lab has got a network, or lost one (e2e/lab/net.ts): Chromium asks again.
    if (message.text().includes('net::ERR_NETWORK_CHANGED')) return
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

/**
 * The same without a page: on a server that had a first account before, whose pages know that and show no form. The owner is signed in, at
 * an address of the server that shows nothing: what a page costs, journeys spend on their own.
 */
export async function takeFirstAccount(page: Page, vigil: Vigil): Promise<void> {
  await page.goto(`${vigil.address}/api/v1/bootstrap/`)
  const token = new URL(vigil.setupLink).searchParams.get('token')
  const status = await page.evaluate(
    async (body) => {
      const headers = { 'Content-Type': 'application/json' }
      return (await fetch('/api/v1/auth/setup/', { method: 'POST', headers, body })).status
    },
    JSON.stringify({ ...OWNER, token }),
  )
  if (status !== 201) throw new Error(`no first account: ${status}`)
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

/** Stores a G-code file in the cloud as a page does; its id. */
export const storeGcode = (page: Page, filename: string, content: string): Promise<number> =>
  page.evaluate(
    async ([name, text]) => {
      const form = new FormData()
      form.set('filename', name)
      form.set('file', new Blob([text]), name)
      const answer = await fetch('/api/v1/g_code_files/', { method: 'POST', body: form })
      return ((await answer.json()) as { id: number }).id
    },
    [filename, content] as const,
  )

/** Goes to another page as a link leads there: where the app is loaded already, that costs a tenth of a load. */
export async function walkTo(page: Page, path: string): Promise<void> {
  const isThere = (await page.locator('#root').count()) > 0
  if (isThere) await page.evaluate((to) => history.pushState(null, '', to), path)
  else await page.goto(new URL(path, page.url()).href)
}

/** What the console complained about, less the refusals that the journey asked for. */
export function complaintsBut(person: Person, ...expected: RegExp[]): string[] {
  return person.complaints.filter((complaint) => !expected.some((one) => one.test(complaint)))
}

/** Of what a printer heard and did, kept with what a person saw. */
const LAST_EVENTS = 100

/** Keeps what the person saw, for whoever has to find out why a journey failed. */
export async function keepEvidence(
  { page, complaints }: Person,
  name: string,
  vigil: Vigil,
  machine?: SimulatedPrinter,
): Promise<void> {
  const folder = join(import.meta.dirname, 'out')
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
  const events = machine?.events.slice(-LAST_EVENTS).map((event) => JSON.stringify(event)) ?? []
  const said = [page.url(), ...complaints, vigil.said(), ...events]
  await writeFile(join(folder, `${name}.txt`), said.join('\n'))
}

/** Polls until `check` holds; as long as a page is waited for, unless an agent or a print takes longer. */
export async function until<T>(
  check: () => Promise<T | false | null | undefined>,
  what: string,
  ms?: number,
): Promise<T> {
  return await eventually(
    async () => (await check()) || undefined,
    ms,
    () => what,
  )
}

/** Turns a switch once it stands still; the box itself is hidden below the track, so nothing waits for it by itself. */
export async function touchSwitch(box: Locator): Promise<void> {
  await (await box.elementHandle())?.waitForElementState('stable')
  await box.click({ force: true })
}

/** Waits for a toast and puts it away, so that the next one is a new one. */
export async function closeToast(page: Page, toast: string, close: string): Promise<void> {
  const shown = page.getByText(toast, { exact: true }).first()
  await shown.waitFor()
  // It may go by itself while a busy machine reaches for its button.
  while ((await shown.count()) > 0) {
    await page
      .getByRole('button', { name: close, exact: true })
      .first()
      .click({ timeout: 2_000 })
      .catch(() => undefined)
    await shown.waitFor({ state: 'detached', timeout: 2_000 }).catch(() => undefined)
  }
}
