import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { closeBrowser } from '../browsers.ts'
import { addPrinter, aPerson, keepEvidence, OWNER, type Person, takeFirstAccount, until } from '../support.ts'
import { sharedVigil, startVigil, type Vigil } from '../vigil.ts'

interface Received {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

const received: Received[] = []
const collector = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk: Buffer) => (text += chunk.toString()))
  request.on('end', () => {
    received.push({ url: request.url ?? '', headers: request.headers, text })
    response.end('{}')
  })
})

/** The first starts a server of its own. */
const SLOW_MS = 240_000

const vigils: Vigil[] = []

beforeAll(async () => {
  collector.listen(0, '127.0.0.1')
  await once(collector, 'listening')
})

afterAll(async () => {
  await closeBrowser()
  await Promise.all(vigils.map((vigil) => vigil.stop()))
  collector.close()
})

/** An owner with a printer whose control page breaks over an answer that no server of ours gives. */
async function aBrokenPage(
  env?: Record<string, string>,
): Promise<{ owner: Person; vigil: Vigil; loaded: string[] }> {
  const vigil = await (env ? startVigil(env) : sharedVigil())
  vigils.push(vigil)
  // The answer that breaks the page comes from here, not through the worker.
  const owner = await aPerson({ serviceWorkers: 'block' })
  const loaded: string[] = []
  owner.page.on('request', (request) => loaded.push(request.url()))
  await takeFirstAccount(owner.page, vigil)
  const { id } = await addPrinter(owner.page, 'Grandmother’s Ender')
  await owner.page.route(`**/api/v1/printers/${id}/*`, async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), agent: null, watch: null } })
  })
  await owner.page.goto(`${vigil.address}/printers/${id}/control/?token=s3cr3t-in-query`)
  await owner.page.getByText('This page stopped working').waitFor()
  return { owner, vigil, loaded }
}

test(
  'a page that breaks tells the collector what and where, and nothing of whom',
  async () => {
    const { port } = collector.address() as AddressInfo
    const { owner, vigil } = await aBrokenPage({ SENTRY_DSN: `http://abc123@127.0.0.1:${port}/42` })
    onTestFailed(() => keepEvidence(owner, 'reports-on', vigil))
    const [crash] = await until(async () => received.length > 0 && received, 'a report of the broken page')
    expect(crash!.url).toBe('/api/42/envelope/?sentry_version=7&sentry_key=abc123')
    const report = JSON.parse(crash!.text.split('\n')[2]!) as {
      exception: { values: { type: string; value: string; stacktrace: { frames: { filename: string }[] } }[] }
    }
    expect(report).toMatchObject({
      platform: 'javascript',
      tags: { route: '/printers/$id/control/' },
      exception: { values: [{ type: 'TypeError', value: 'Cannot read properties of null' }] },
    })
    const files = report.exception.values[0]!.stacktrace.frames.map(({ filename }) => filename)
    expect(files.length).toBeGreaterThan(2)
    for (const file of files) expect(file).toMatch(/^assets\/[\w.-]+\.js$/)

    await owner.page.evaluate(() => {
      setTimeout(() => {
        throw new RangeError('Mika Keller printed bracket_left_v3.gcode')
      })
    })
    await until(async () => received.length > 1, 'a report of an error that nobody caught')
    expect(received[1]!.text).toContain('"RangeError"')

    for (const { text, headers } of received) {
      for (const secret of ['s3cr3t', 'Ender', 'Mika', 'gcode', OWNER.email, '127.0.0.1', 'sessionid'])
        expect(text).not.toContain(secret)
      expect(headers).not.toHaveProperty('cookie')
      expect(headers).not.toHaveProperty('referer')
    }
    await owner.close()
  },
  SLOW_MS,
)

test(
  'without a collector nothing is sent, and no code for it is loaded',
  async () => {
    received.splice(0)
    const { owner, vigil, loaded } = await aBrokenPage()
    onTestFailed(() => keepEvidence(owner, 'reports-off', vigil))
    await owner.page.waitForLoadState('networkidle')
    expect(received).toEqual([])
    expect(loaded.filter((url) => /reporter/.test(url) || !url.startsWith(vigil.address))).toEqual([])
    await owner.close()
  },
  SLOW_MS,
)
