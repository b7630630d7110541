import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type SimulatedPrinter, startSimulatedPrinter } from '@vigil/simulator/index.ts'
import type { Download, FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { inSuite } from '../../scripts/suites.ts'
import { missing } from '../../server/test/faults/support.ts'
import { addPrinter, complaintsBut, keepEvidence, type Person } from '../support.ts'
import { letsAnAppIn } from './apps.ts'
import { printsFromTheCloud } from './cloud.ts'
import { moonrakerMachine, octoprintMachine } from './machines.ts'
import { type RealPrinter, startMoonraker, startOctoprint, USER, whyNot } from './printers.ts'
import { startTwoNodes, type TwoNodes, type Way, WAYS } from './two-nodes.ts'

/**
 * Real OctoPrint and Moonraker behind simulated agents, in a real browser, in each way, over two nodes (docs/wire/remote.md 11); and the
 * same ones print files of the cloud.
 */

const why = whyNot()
const isMissing = why !== null && missing(`real printers: ${why}`)
const LARGE_MB = inSuite(4, 40)
/** On a machine that is busy, they take their time. */
const PATIENCE_MS = 120_000

let folder: string
let large: { path: string; hash: string }
let nodes: TwoNodes
const agents: SimulatedPrinter[] = []

/** A large G-code file, the most of it remarks. */
async function writeLarge(): Promise<typeof large> {
  const path = join(folder, 'large.gcode')
  const hash = createHash('sha256')
  const file = await open(path, 'w')
  for (let at = 0; at < LARGE_MB; at++) {
    const part = Buffer.alloc(1_048_576, `; remark ${at} of a file that is long\n`)
    hash.update(part)
    await file.write(part)
  }
  await file.close()
  return { path, hash: hash.digest('hex') }
}

async function hashOf(download: Download): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(await download.path()), hash)
  return hash.digest('hex')
}

/** A few moves, on a bed that need not be warm. */
const SMALL = {
  name: 'small.gcode',
  mimeType: 'text/plain',
  buffer: Buffer.from('G28\nG1 X10 Y10\n'.repeat(10)),
}

/** A printer of the owner's, its simulated agent on this node and the real page behind that. */
async function behindAgent(node: TwoNodes['a'], flavour: 'octoprint' | 'klipper', { url }: RealPrinter) {
  const { id, auth_token: token } = await addPrinter(nodes.owner.page, flavour)
  const agent = startSimulatedPrinter({
    server: node.address,
    token,
    flavour,
    localUrl: url,
    withoutPictures: true,
  })
  agents.push(agent)
  await agent.ready
  return { id, agent }
}

/** On a busy machine an agent may be between two lines (docs/wire/remote.md). */
const AGENT_AWAY = 482

/** The owner in a browser that was never there. */
async function anew(way: Way, printer: RealPrinter): Promise<Person> {
  const person = await nodes.aBrowser()
  onTestFailed(async () => {
    await keepEvidence(person, `real-${way}`, way === 'subdomains' ? nodes.b : nodes.a)
    console.log((await printer.log()).slice(-1_000))
  })
  return person
}

/** The owner opens the printer's page in a window of its own. */
async function opened(way: Way, printerId: number, printer: RealPrinter): Promise<Person> {
  const person = await anew(way, printer)
  const answer = await person.page.goto(`${nodes.app(way)}/octoprint/${printerId}/`)
  if (answer?.status() === AGENT_AWAY) {
    await person.close()
    return await opened(way, printerId, printer)
  }
  expect(new URL(person.page.url()).origin).toMatch(WAYS[way])
  return person
}

/** The owner opens it in the app's frame, from its card. */
async function framed(way: Way, name: string, { page }: Person) {
  await page.goto(`${nodes.app(way)}/printers/`)
  await page.getByRole('link', { name }).click()
  const frame = page.frameLocator('iframe')
  const isThere = () =>
    page.frames().some((one) => URL.canParse(one.url()) && WAYS[way].test(new URL(one.url()).origin))
  await expect.poll(isThere, { timeout: PATIENCE_MS }).toBe(true)
  return frame
}

describe.skipIf(isMissing)('a real printer', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vigil-real-'))
    const started = await startTwoNodes()
    if (started === null) throw new Error('two nodes need a Redis')
    nodes = started
    large = await writeLarge()
  })
  afterAll(async () => {
    await Promise.all(agents.map((agent) => agent.stop()))
    await nodes?.stop()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  })

  describe('OctoPrint', () => {
    let octoprint: RealPrinter
    let id: number
    beforeAll(async () => {
      octoprint = await startOctoprint()
      ;({ id } = await behindAgent(nodes.a, 'octoprint', octoprint))
    })
    afterAll(() => octoprint?.stop())

    /** Its own sign-in wants the cursor. */
    const FRAMED = /Blocked autofocusing/

    async function signIn(page: Page | FrameLocator) {
      await page.locator('#login-user').fill(USER.name)
      await page.locator('#login-password').fill(USER.password)
      await page.locator('#login-button').click()
      // Its live socket says so.
      await page.locator('#state').getByText('Operational').waitFor({ timeout: PATIENCE_MS })
    }

    test.each(['names', 'ports'] as const)(
      'in a window of its own is signed in to and live, told apart by %s',
      async (way) => {
        const person = await opened(way, id, octoprint)
        await signIn(person.page)
        expect(complaintsBut(person, FRAMED)).toEqual([])
        await person.close()
      },
    )

    test('takes a large file, gives them back and prints, by the other node', async () => {
      const person = await anew('subdomains', octoprint)
      const { page } = person
      const frame = await framed('subdomains', 'Open OctoPrint of octoprint', person)
      await signIn(frame)
      await frame.locator('#gcode_upload').setInputFiles(large.path)
      const row = (name: string) => frame.locator('#files .entry', { hasText: name })
      await row('large.gcode').waitFor({ timeout: PATIENCE_MS })
      const download = page.waitForEvent('download', { timeout: PATIENCE_MS })
      await row('large.gcode').getByLabel('Download').click()
      expect(await hashOf(await download)).toBe(large.hash)
      await frame.locator('#gcode_upload').setInputFiles(SMALL)
      await row('small.gcode')
        .locator('.btn', { has: frame.locator('.fa-print') })
        .click()
      await frame.locator('#state').getByText('small.gcode').waitFor({ timeout: PATIENCE_MS })
      await frame.locator('#state').getByText('100%').waitFor({ timeout: PATIENCE_MS })
      expect(complaintsBut(person, FRAMED)).toEqual([])
      await letsAnAppIn(page, nodes.app('ports'), 'octoprint', /OctoPrint 1\.\d+/)
      await person.close()
    }, 360_000)

    test('prints a file of the cloud to its end', async () => {
      await printsFromTheCloud('OctoPrint', octoprint, octoprintMachine(octoprint))
    }, 360_000)
  })

  describe('Moonraker', () => {
    let moonraker: Awaited<ReturnType<typeof startMoonraker>>
    let agent: SimulatedPrinter
    let id: number
    beforeAll(async () => {
      moonraker = await startMoonraker()
      ;({ id, agent } = await behindAgent(nodes.b, 'klipper', moonraker))
    })
    afterAll(() => moonraker?.stop())

    async function signIn(page: Page | FrameLocator) {
      await page.getByLabel('User').fill(USER.name)
      await page.getByLabel('Password').fill(USER.password)
      await page.getByRole('button', { name: 'Log in' }).click()
      await page.locator('#klipper').getByText('ready').waitFor({ timeout: PATIENCE_MS })
      expect(await page.locator('#faults li').allTextContents()).toEqual([])
    }
    /** The page finds out by asking. */
    const UNAUTHORIZED = /401/
    /** None is kept through a tunnel. */
    const NO_WORKER = /404/
    /** What the tunnel says without an agent. */
    const GONE = /482/

    test.each(inSuite<Way[]>(['ports'], ['ports', 'subdomains']))(
      'is signed in to and live, told apart by %s',
      async (way) => {
        const person = await opened(way, id, moonraker)
        const { page } = person
        // As Fluidd does it, with a token in the socket's address.
        await page.goto(`${new URL(page.url()).origin}/#fluidd`)
        await signIn(page)
        await page.locator('#worker').getByText('refused').waitFor()
        expect(complaintsBut(person, UNAUTHORIZED, NO_WORKER)).toEqual([])
        await person.close()
      },
    )

    test('takes a large file, gives them back and prints, by the other node', async () => {
      const person = await opened('names', id, moonraker)
      const { page } = person
      const frame = await framed('names', 'Open Mainsail / Fluidd of klipper', person)
      expect(await page.locator('iframe').getAttribute('sandbox')).not.toContain('top-navigation')
      await signIn(frame)
      // It may be slow: said until somebody has had enough of it.
      await page.getByLabel("Don't show this again").check()
      await page.getByRole('button', { name: 'OK' }).click()
      await frame.getByLabel('File').setInputFiles(large.path)
      const download = page.waitForEvent('download', { timeout: PATIENCE_MS })
      await frame.getByRole('button', { name: 'Download large.gcode' }).click({ timeout: PATIENCE_MS })
      expect(await hashOf(await download)).toBe(large.hash)
      await frame.getByLabel('File').setInputFiles(SMALL)
      await frame.getByRole('button', { name: 'Print small.gcode' }).click()
      await frame.locator('#print').getByText('complete').waitFor({ timeout: PATIENCE_MS })
      expect(moonraker.klippy.scripts).toEqual(['SDCARD_PRINT_FILE FILENAME="small.gcode"'])
      expect(await frame.locator('#faults li').allTextContents()).toEqual([])
      await page.getByRole('button', { name: 'Load Mainsail / Fluidd again' }).click()
      await frame.locator('#klipper').waitFor()
      expect(await page.getByText('This may take a moment').count()).toBe(0)
      // The agent goes: what is open stays, and that is said.
      await agent.stop()
      await page.getByText('tries again by itself').waitFor({ timeout: PATIENCE_MS })
      expect(complaintsBut(person, UNAUTHORIZED, NO_WORKER, GONE)).toEqual([])
      await person.close()
    }, 360_000)

    test('prints a file of the cloud to its end', async () => {
      const machine = await moonrakerMachine(moonraker)
      await printsFromTheCloud('Moonraker', moonraker, machine)
    }, 360_000)
  })
})
