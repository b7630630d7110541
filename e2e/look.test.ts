import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type SimulatedPrinter, startSimulatedPrinter } from '@vigil/simulator/index.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addPrinter,
  aPerson,
  closeBrowser,
  complaintsBut,
  type Person,
  setUpFirstAccount,
  startVigil,
  type Vigil,
} from './support.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const OUT = join(import.meta.dirname, 'out')

let vigil: Vigil
let printer: SimulatedPrinter
let printerId = 0
let state: Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>

beforeAll(async () => {
  await mkdir(OUT, { recursive: true })
  vigil = await startVigil({ DETECTION_TIME_SCALE: '20' })
  const owner = await aPerson()
  await setUpFirstAccount(owner.page, vigil)
  await addPrinter(owner.page, 'Prusa, not linked')
  const made = await addPrinter(owner.page, 'Voron in the cellar')
  printerId = made.id
  printer = startSimulatedPrinter({
    server: vigil.address,
    token: made.auth_token,
    speed: 4,
    statusEverySeconds: 1,
    picEverySeconds: 1,
    reconnectPenaltyMs: 1000,
    print: true,
  })
  await printer.ready
  await owner.page.goto(`${vigil.address}/printers/${printerId}/control/`)
  await owner.page.getByText('Looking good').waitFor({ timeout: 60_000 })
  state = await owner.page.context().storageState()
  await owner.close()
})

afterAll(async () => {
  await printer?.stop()
  await closeBrowser()
  await vigil?.stop()
})

/** Each screen, and what is there when it is. */
const SCREENS: { name: string; path: () => string; ready: string }[] = [
  { name: 'list', path: () => '/printers/', ready: 'Voron in the cellar' },
  { name: 'control', path: () => `/printers/${printerId}/control/`, ready: 'Nozzle' },
  { name: 'settings', path: () => `/printers/${printerId}/`, ready: 'Danger zone' },
  { name: 'wizard', path: () => '/printers/wizard/', ready: 'What does your printer run?' },
  { name: 'link', path: () => '/printers/wizard/link/klipper-generic/', ready: 'Expires in' },
  { name: 'preferences', path: () => '/user_preferences/', ready: 'Look and language' },
]

for (const width of [390, 1440])
  for (const colorScheme of ['light', 'dark'] as const)
    test(`nothing to complain about at ${width} pixels, ${colorScheme}`, async () => {
      const visitor = await aPerson({
        viewport: { width, height: 844 },
        colorScheme,
        reducedMotion: 'reduce',
      })
      await visitor.page.goto(`${vigil.address}/accounts/login/`)
      await visitor.page.getByLabel('E-mail').waitFor()
      const found = await look(visitor, `login-${width}-${colorScheme}`)
      await visitor.close()

      const person = await aPerson({
        viewport: { width, height: 844 },
        colorScheme,
        reducedMotion: 'reduce',
        storageState: state,
      })
      for (const { name, path, ready } of SCREENS) {
        await person.page.goto(vigil.address + path())
        await person.page.getByText(ready).filter({ visible: true }).first().waitFor()
        found.push(...(await look(person, `${name}-${width}-${colorScheme}`)))
      }
      expect(found).toEqual([])
      expect(complaintsBut(visitor)).toEqual([])
      expect(complaintsBut(person)).toEqual([])
      await person.close()
    })

/** What is wrong with a page: axe's serious findings, and a page that moves sideways. */
async function look({ page }: Person, name: string): Promise<string[]> {
  await page.screenshot({ path: join(OUT, `look-${name}.png`), fullPage: true })
  // The page's own rules forbid a script in it; what is evaluated from outside is not one.
  await page.evaluate(axe)
  const found = await page.evaluate(async () => {
    type Finding = { id: string; impact: string | null; nodes: { html: string }[] }
    const { axe: tool } = window as unknown as {
      axe: { run: (options: object) => Promise<{ violations: Finding[] }> }
    }
    const { violations } = await tool.run({ resultTypes: ['violations'] })
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
  })
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  if (sideways > 0) found.push(`scrolls sideways by ${sideways} pixels`)
  return found.map((text) => `${name}: ${text}`)
}
