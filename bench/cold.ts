import type { Browser } from 'playwright-core'
import type { Benchmark, Measurement } from './lib/benchmark.ts'
import { newProfile } from './lib/chromium.ts'
import { openPages } from './lib/page.ts'
import type { BenchServer } from './lib/server.ts'

const RUNS = 5
const AIM_LOGIN_SECONDS = 2
const AIM_LIST_SECONDS = 3.5
const AIM_SCRIPTS = 15
const SLOWER_CPU = 4
const LINE = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 0.75e6 / 8 }

/** What a first visit cost, in seconds of the browser's clock since it was begun. */
interface Visit {
  readonly painted: number
  readonly ready: number
  /** Fetched until then: scripts among all files, and KB as they travel. */
  readonly scripts: number
  readonly files: number
  readonly kiloBytes: number
}

interface Page {
  readonly path: string
  /** Stands when the page can be used. */
  readonly ready: string
  readonly cookie: string | null
}

/** Opens a page in a browser that was never here, on a slow line and a slow machine. */
async function visit(browser: Browser, { url }: BenchServer, { path, ready, cookie }: Page): Promise<Visit> {
  const context = await newProfile(browser, { url, cookie }, { viewport: { width: 390, height: 844 } })
  try {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', LINE)
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER_CPU })
    // Ready is when it stands, was drawn, and the main thread is free for whoever types.
    await page.addInitScript((selector) => {
      const look = () => {
        if (document.querySelector(selector) === null) requestAnimationFrame(look)
        else setTimeout(() => performance.mark('ready'))
      }
      look()
    }, ready)
    await page.goto(url + path, { waitUntil: 'commit' })
    await page.waitForFunction(() => performance.getEntriesByName('ready').length > 0, null, {
      timeout: 60_000,
    })
    return await page.evaluate(() => {
      const at = performance.getEntriesByName('ready')[0]!.startTime
      const paint = performance.getEntriesByName('first-paint')[0]?.startTime ?? at
      const all = [
        ...performance.getEntriesByType('navigation'),
        ...performance.getEntriesByType('resource'),
      ] as PerformanceResourceTiming[]
      const fetched = all.filter(({ responseEnd }) => responseEnd > 0 && responseEnd <= at)
      const bytes = fetched.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
      const scripts = fetched.filter(({ name }) => name.endsWith('.js')).length
      return {
        scripts,
        painted: paint / 1000,
        ready: at / 1000,
        files: fetched.length,
        kiloBytes: bytes / 1000,
      }
    })
  } finally {
    await context.close()
  }
}

const cold: Benchmark = {
  name: 'cold',
  conditions:
    `A first visit, nothing kept, in chromium at 390x844 with a processor ${SLOWER_CPU} times slower and slow 4G ` +
    `(${LINE.latency} ms, 1.6 Mbit/s, by the DevTools protocol), straight to the server without TLS; ${RUNS} times. The sign-in ` +
    'is ready when its first field was drawn and the main thread is free: first that of the page itself, which signs in before ' +
    'any script of the app has come, then that of the app, which goes on with what was typed. The list, of three printers, is ' +
    'ready when the first card is. Painted is the first paint, of the frame that stands in the page itself.',
  async run(say) {
    const { server, browser, cookie, close } = await openPages()
    try {
      await server.addPrinters(3)
      const measure = async (what: string, page: Page, below?: number): Promise<Measurement[]> => {
        // Its first visit is the server's first, too.
        await visit(browser, server, page)
        const visits: Visit[] = []
        for (let run = 0; run < RUNS; run++) {
          visits.push(await visit(browser, server, page))
          const { ready, painted, files } = visits.at(-1)!
          say(`${what}: ready in ${ready.toFixed(2)} s, painted in ${painted.toFixed(2)} s, ${files} files`)
        }
        return [
          {
            what: `${what}: ready`,
            unit: 's',
            values: visits.map(({ ready }) => ready),
            ...(below && { aim: { below } }),
          },
          { what: `${what}: painted`, unit: 's', values: visits.map(({ painted }) => painted) },
          {
            what: `${what}: scripts until then`,
            unit: '',
            values: visits.map(({ scripts }) => scripts),
            aim: { below: AIM_SCRIPTS },
          },
          { what: `${what}: files until then`, unit: '', values: visits.map(({ files }) => files) },
          {
            what: `${what}: fetched until then`,
            unit: 'KB',
            values: visits.map(({ kiloBytes }) => kiloBytes),
          },
        ]
      }
      const login = { path: '/accounts/login/', ready: 'input[type="email"]', cookie: null }
      const app = { ...login, ready: '#root input[type="email"]' }
      const list = { path: '/printers/', ready: 'article h2', cookie }
      return [
        ...(await measure('sign-in', login, AIM_LOGIN_SECONDS)),
        ...(await measure('sign-in, by the app', app)),
        ...(await measure('list', list, AIM_LIST_SECONDS)),
      ]
    } finally {
      await close()
    }
  },
}

export const benchmarks = [cold]
