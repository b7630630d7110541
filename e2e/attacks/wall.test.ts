import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inSuite } from '../../scripts/suites.ts'
import { freePort } from '../../server/test/nginx.ts'
import { aWorkshop } from '../fixture.ts'
import { aPerson, type Person } from '../support.ts'
import * as attacks from './attacks.ts'
import { type Aim, aHostilePage, type Attack, type Hostile } from './hostile.ts'

/** Attacks of a printer's page in a real browser, at each kind of address (docs/wire/remote.md 8). */

const port = await freePort()
const workshop = aWorkshop({
  env: { OCTOPRINT_TUNNEL_PORT_RANGE: `${port}-${port}` },
  profile: { serviceWorkers: 'allow' },
  machinesStay: true,
})
let hostile: Hostile
let printerId: number

beforeAll(async () => {
  hostile = await aHostilePage()
  const { id } = await workshop.linked('Hostile', { localUrl: hostile.url, withoutPictures: true })
  printerId = id
})
afterAll(() => hostile?.close())

/** Frames all of these; resolves when each has loaded, or has been refused. */
async function frameAll(urls: string[]) {
  const frame = (src: string) =>
    new Promise((resolve) => {
      const made = Object.assign(document.createElement('iframe'), { src })
      made.addEventListener('load', resolve)
      document.body.append(made)
    })
  await Promise.all(urls.map(frame))
}

const WORKER = 'addEventListener("fetch", (event) => event.respondWith(new Response("taken over")))'

const PORTS = ['ports', '127.0.0.1'] as const
// Names keep more apart than ports do: what does not pass between two of these passes nowhere.
const PLACES = inSuite<(typeof PORTS | readonly ['names', 'localhost'])[]>(
  [PORTS],
  [PORTS, ['names', 'localhost']],
)

describe.each(PLACES)('at an address told apart by %s, a printer’s page', (way, hostname) => {
  let person: Person
  let page: Page
  let context: BrowserContext
  let app: string
  let own: string
  let aim: Aim

  beforeAll(async () => {
    app = `http://${hostname}:${new URL(workshop.vigil.address).port}`
    aim = { app, evil: hostile.evil, printerId }
    const { cookies } = await workshop.owner.page.context().storageState()
    const storageState = { cookies: cookies.map((one) => ({ ...one, domain: hostname })), origins: [] }
    person = await aPerson({ serviceWorkers: 'allow', storageState })
    page = person.page
    context = page.context()
    hostile.serve('/', (_request, response) => response.end('<p id="ran">hostile</p>'))
    for (const path of ['/worker.js', '/deep/worker.js'])
      hostile.serve(path, (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/javascript', 'service-worker-allowed': '/' })
        response.end(WORKER)
      })
    await page.goto(`${app}/octoprint/${printerId}/`)
    own = new URL(page.url()).origin
  })
  afterAll(() => person?.close())

  /** What an attack got that ran in a window of its own. */
  async function got<T>(attack: Attack<T>): Promise<T> {
    const done = hostile.attack('/attack', attack, aim)
    const [result] = await Promise.all([done, page.goto(`${own}/attack`)])
    return result
  }

  /** An attack that runs in the app's own frame for printers' pages; `act` does what a person does there meanwhile. */
  async function framed<T>(attack: Attack<T>, act: () => Promise<unknown> = async () => {}): Promise<T> {
    const done = hostile.attack('/', attack, aim)
    done.catch(() => undefined)
    workshop.evidence(`wall-${way}`, person)
    await page.goto(`${app}/tunnels/${printerId}/`)
    await page.frameLocator('iframe').locator('#ran').waitFor()
    await act()
    return await done
  }
  const click = () => page.frameLocator('iframe').locator('#ran').click({ force: true })

  /** The values of what only we and the browser know. */
  async function secrets(): Promise<string[]> {
    const cookies = await context.cookies([app, own])
    return cookies.flatMap(({ name, value }) => (/tsd_/.test(name) && value !== 'planted' ? [value] : []))
  }

  /** The app still takes this browser for its owner's. */
  async function expectOwner() {
    await page.goto(`${app}/static/none`)
    const [me, printers] = await page.evaluate(async () => {
      const ask = async (path: string) => (await (await fetch(path)).json()) as unknown
      return [await ask('/api/v1/users/me/'), await ask('/api/v1/printers/')]
    })
    expect(me).toMatchObject({ email: 'owner@example.org' })
    expect(JSON.stringify(printers)).not.toContain('planted')
    expect(JSON.stringify(printers)).toContain('Hostile')
  }

  test('has an origin of its own', () => {
    const { host } = new URL(own)
    if (way === 'ports') expect(host).toBe(`127.0.0.1:${port}`)
    else expect(host).toMatch(/^[0-9a-f]{16}\.localhost:\d+$/)
  })

  test('reads no cookie, no ticket and no address of ours, nor is it sent one', async () => {
    const kept = await secrets()
    expect(kept).toHaveLength(3)
    const said = await got(attacks.readCookies)
    expect(said).toContain(own)
    for (const secret of [...kept, 'tsd_', 'ticket', '/octoprint/']) expect(said).not.toContain(secret)
    for (const secret of [...kept, 'tsd_', app]) expect(hostile.heard.join('\n')).not.toContain(secret)
  })

  test('plants no cookie that the app believes, by script or by header', async () => {
    const { code } = /^(?<code>[0-9a-f]{16})/.exec(new URL(own).hostname)?.groups ?? {}
    hostile.serve('/planted', (_request, response) => {
      const names = [
        'tsd_sessionid',
        '__Host-tsd_sessionid',
        '__Host-tsd_browser',
        'tsd_browser',
        `tsd_tunnel_${code}`,
        'csrftoken',
        'theirs',
      ]
      const places = [
        '',
        '; Path=/',
        `; Domain=${hostname}`,
        '; Domain=.localhost',
        '; SameSite=None; Secure',
      ]
      const lines = names.flatMap((one) => places.map((place) => `${one}=by-header${place}`))
      response.writeHead(200, { 'set-cookie': lines, 'content-type': 'text/html' }).end('planted')
    })
    await page.goto(`${own}/planted`)
    const taken = (await context.cookies([app, own])).filter(({ value }) => value === 'by-header')
    expect([...new Set(taken.map(({ name }) => name))]).toEqual(['theirs'])
    const before = await secrets()
    expect(await got(attacks.plantCookies)).toBeGreaterThan(0)
    expect(await secrets()).toEqual(before)
    expect(hostile.heard.at(-1)).not.toMatch(/tsd_|csrftoken/)
    await expectOwner()
    const planted = (await context.cookies([app, own])).filter(({ value }) => value === 'planted')
    if (way === 'names') expect(planted.every(({ domain }) => domain === new URL(own).hostname)).toBe(true)
    for (const { name, domain, path } of planted) await context.clearCookies({ name, domain, path })
  })

  test('asks the app nothing in its owner’s name, by fetch, form, beacon or element', async () => {
    expect(await got(attacks.askTheApp)).toEqual([])
    const left = page.waitForURL((url) => url.origin === app)
    await page.goto(`${own}/attack`)
    await page.evaluate((action) => {
      const form = Object.assign(document.createElement('form'), { action, method: 'post' })
      document.body.append(form)
      form.submit()
    }, `${app}/api/v1/auth/logout/`)
    await left
    await expectOwner()
  })

  test('opens no websocket of the app, and none of others through its own origin', async () => {
    expect(await got(attacks.dialTheApp)).toEqual([])
    expect(await got(attacks.dialOthers)).toEqual([])
  })

  test('frames no page of the app, and is framed by nobody else', async () => {
    const shown = () =>
      page
        .frames()
        .slice(1)
        .map((frame) => frame.url())
        .filter((url) => url.startsWith('http'))
    hostile.serve('/inner', (_request, response) => response.end('inner'))
    const urls = [`${app}/printers/`, `${app}/printers/${printerId}/control/`]
    await page.goto(`${own}/inner`)
    await page.evaluate(frameAll, [...urls, `${own}/inner`])
    expect(shown()).toEqual([`${own}/inner`])
    await page.goto(hostile.evil)
    const all = [...urls, `${app}/octoprint/${printerId}/`, `${own}/inner`, `${hostile.evil}/inner`]
    await page.evaluate(frameAll, all)
    expect(shown()).toEqual([`${hostile.evil}/inner`])
  })

  test('keeps no service worker', async () => {
    expect(await got(attacks.registerWorkers)).toEqual([])
    // A worker that had the app would answer this, too.
    await expectOwner()
  })

  test('in the app’s frame it hears and reaches nothing around it', async () => {
    expect(await framed(attacks.reachAround)).toEqual([])
    expect(page.url()).toBe(`${app}/tunnels/${printerId}/`)
  })

  test('leads the window around it nowhere, even when somebody clicks', async () => {
    expect(await framed(attacks.leadAway, click)).toBe('clicked')
    expect(page.url()).toBe(`${app}/tunnels/${printerId}/`)
    expect(hostile.stolen.join('\n')).not.toMatch(/\/(top|open|link|form)/)
  })

  test('opens the app in a window of its own and sees nothing of it', async () => {
    const opened = context.waitForEvent('page')
    const { wasOpened, got: seen } = await framed(attacks.openTheApp, async () => {
      await click()
      await (await opened).getByText('Hostile').first().waitFor()
      await click()
    })
    expect([wasOpened, seen]).toEqual([true, []])
    await (await opened).close()
  })

  test('sends nobody on to others by its headers', async () => {
    const { evil, evilAddress } = hostile
    const before = hostile.stolen.length
    const places = [
      `${evil}/r`,
      `//${new URL(evil).host}/r`,
      `/\\${new URL(evil).host}/r`,
      `http://${evilAddress}//${new URL(evil).host}/r`,
      `javascript:fetch('${evil}')`,
      `data:text/html,<script>fetch('${evil}')</script>`,
    ]
    for (const location of places) {
      hostile.serve('/away', (_request, response) => response.writeHead(302, { location }).end())
      await page.goto(`${own}/away`).catch(() => undefined)
      expect([location, new URL(page.url()).origin]).toEqual([location, own])
    }
    hostile.serve('/refresh', (_request, response) => {
      response.writeHead(200, { refresh: `0; url=${evil}/refresh`, 'content-type': 'text/html' })
      response.end('<p id="ran">still here</p>')
    })
    await page.goto(`${own}/refresh`)
    await page.locator('#ran').waitFor()
    expect(hostile.stolen.slice(before)).toEqual([])
  })

  test('has nothing of its own told in our pages of errors', async () => {
    hostile.serve(
      '/broken',
      (request) => void request.socket.end('HTTP/1.1 nonsense <script>top.ran=1</script>\r\n\r\n'),
    )
    for (const path of ['/broken', '/_tsd_/<img src=x onerror=ran=1>/', '/_tsd_/?<script>ran=1</script>']) {
      const answer = await page.goto(own + path)
      expect([502, 404]).toContain(answer?.status())
      expect(await page.evaluate(() => 'ran' in window)).toBe(false)
      expect(await page.content()).not.toMatch(/nonsense|onerror|<script/)
    }
  })
})
