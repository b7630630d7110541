import type { Page } from 'playwright-core'
import { startSimulatedPrinter } from '../simulator/index.ts'
import type { Benchmark } from './lib/benchmark.ts'
import { type BenchServer, startBenchServer } from './lib/server.ts'

const RUNS = 3
/** From the empty account to a watched printer (docs/rules/pages.md 4). */
const AIM_SECONDS = 60
const AIM_CLICKS = 12
const PATIENCE_MS = 120_000

interface Run {
  readonly seconds: number
  readonly clicks: number
}

/** Links a printer by its code as a new owner does, starts a print at it and waits until it is watched. */
async function become(page: Page, server: BenchServer, seed: number): Promise<Run> {
  const begin = performance.now()
  let clicks = 0
  const press = async (name: string | RegExp) => {
    await page.getByRole('link', { name }).click()
    clicks++
  }
  await page.goto(`${server.url}/printers/`)
  await press('Link your first printer')
  await press(/OctoPrint/)
  await press('Next')
  const code = await page.getByTestId('link-code').innerText()
  const printer = startSimulatedPrinter({
    server: server.url,
    code: code.replace(/\D/g, ''),
    flavour: 'octoprint',
    handshakePort: 0,
    seed,
  })
  try {
    await printer.ready
    await page.getByLabel('Give it a name').fill('First')
    await press('See the printer')
    printer.startPrint()
    await page.getByText('Looking good').waitFor({ timeout: PATIENCE_MS })
    return { seconds: (performance.now() - begin) / 1000, clicks }
  } finally {
    await printer.stop()
  }
}

/** Makes the account empty again. */
async function forget(server: BenchServer, cookie: string): Promise<void> {
  const printers = `${server.url}/api/v1/printers/`
  const answer = await fetch(printers, { headers: { cookie } })
  for (const { id } of (await answer.json()) as { id: number }[])
    await fetch(`${printers}${id}/`, { method: 'DELETE', headers: { cookie } })
}

const newOwner: Benchmark = {
  name: 'new-owner',
  conditions:
    `A signed-in owner without printers, in chromium, links a simulated OctoPrint by its code, names it, starts a print ` +
    `and sees that it is looked after; ${RUNS} times. The agent keeps the times of life: a picture every 10 s.`,
  async run(say) {
    // The browser is loaded for this benchmark alone.
    const { chromium } = await import('playwright-core')
    const server = await startBenchServer()
    const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
    try {
      const cookie = await server.signIn()
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
      const [name = '', ...value] = cookie.split('=')
      await context.addCookies([{ name, value: value.join('='), url: server.url }])
      const page = await context.newPage()
      const runs: Run[] = []
      for (let seed = 1; seed <= RUNS; seed++) {
        const run = await become(page, server, seed)
        say(`${run.clicks} clicks, ${run.seconds.toFixed(1)} s`)
        runs.push(run)
        await forget(server, cookie)
      }
      return [
        {
          what: 'from the empty account to a watched printer',
          unit: 's',
          values: runs.map(({ seconds }) => seconds),
          aim: { below: AIM_SECONDS },
        },
        { what: 'clicks', unit: '', values: runs.map(({ clicks }) => clicks), aim: { below: AIM_CLICKS } },
      ]
    } finally {
      await browser.close()
      await server.stop()
    }
  },
}

export const benchmarks = [newOwner]
