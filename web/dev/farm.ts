import { type Browser, chromium } from 'playwright-core'
import { type FarmServer, startFarm } from './farmServer.ts'
import { meter, scroll } from './meter.ts'
import { pictures } from './scene.ts'

const SETTLE_MS = 5_000

/** What a large account costs the browser in one view, measured so many times. */
export interface FarmFigures {
  /** Processor time of the page's main thread, in percent of a core, for each window. */
  readonly main: number[]
  readonly script: number[]
  readonly styleAndLayout: number[]
  /** Times a second that the page was laid out anew: once when it keeps up with what it is told. */
  readonly drawn: number[]
  /** Of the account, opened by the page. */
  readonly sockets: number
  /** Printers whose agents were told that somebody looks. */
  readonly viewed: number
  readonly kiloBytesASecond: number
  readonly scroll: { frames: number; mainMs: number; slow: number; longestMs: number }
}

interface Options {
  /** Where the built client lies. */
  readonly dist: string
  readonly count: number
  readonly windows: number
  readonly seconds: number
}

/**
 * How much of the browser's main thread a large account costs: one status a second of each printer, over the
 * account's one socket. Needs Debian's chromium.
 */
export async function measureFarm(
  { dist, count, windows, seconds }: Options,
  say: (line: string) => void,
): Promise<Record<'cards' | 'grid', FarmFigures>> {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--headless=new', '--disable-gpu', '--disable-background-networking'],
  })
  const photos = await photograph(browser)
  const farm = await startFarm(dist, count, photos)
  try {
    const look = async (view: 'cards' | 'grid') => {
      const figures = await measureView({ browser, farm, view, windows, seconds })
      say(`${view}: ${figures.main.map((one) => one.toFixed(1)).join(', ')} % of a core`)
      return figures
    }
    return { cards: await look('cards'), grid: await look('grid') }
  } finally {
    await browser.close()
    await farm.close()
  }
}

/** The drawn scenes as a camera would send them. */
async function photograph(browser: Browser): Promise<Map<string, Buffer>> {
  const photos = new Map<string, Buffer>()
  const page = await browser.newPage({ viewport: { width: 640, height: 360 } })
  for (const [path, drawing] of Object.entries(pictures)) {
    await page.setContent(`<body style="margin:0">${drawing}`)
    photos.set(path, await page.screenshot({ type: 'jpeg' }))
  }
  await page.close()
  return photos
}

interface View extends Pick<Options, 'windows' | 'seconds'> {
  readonly browser: Browser
  readonly farm: FarmServer
  readonly view: string
}

async function measureView({ browser, farm, view, windows, seconds }: View): Promise<FarmFigures> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.addInitScript((wanted) => localStorage.setItem('printersView', wanted), view)
  const { opened } = farm.sockets
  await page.goto(`${farm.url}/printers/`)
  await page.locator('h1').waitFor()
  await page.waitForTimeout(SETTLE_MS)
  const read = await meter(page)
  const main: number[] = []
  const script: number[] = []
  const styleAndLayout: number[] = []
  const drawn: number[] = []
  const bytes = farm.sockets.bytes
  const startedAt = performance.now()
  for (let window = 0; window < windows; window++) {
    const share = await over(read, () => page.waitForTimeout(seconds * 1000))
    main.push(share('TaskDuration'))
    script.push(share('ScriptDuration'))
    styleAndLayout.push(share('RecalcStyleDuration') + share('LayoutDuration'))
    drawn.push(share('LayoutCount') / 100)
  }
  const kiloBytesASecond = (farm.sockets.bytes - bytes) / (performance.now() - startedAt)
  const { viewing: viewed } = farm.sockets
  const before = await read()
  const scrolled = await scroll(page)
  const spentS = ((await read())['TaskDuration'] ?? 0) - (before['TaskDuration'] ?? 0)
  await page.close()
  return {
    main,
    script,
    styleAndLayout,
    drawn,
    sockets: farm.sockets.opened - opened,
    viewed,
    kiloBytesASecond,
    scroll: { ...scrolled, mainMs: (spentS * 1000) / scrolled.frames },
  }
}

/** How much each metric grew a second while `wait` lasted, times 100: of seconds that is percent of a core. */
async function over(read: () => Promise<Record<string, number>>, wait: () => Promise<void>) {
  const before = await read()
  const startedAt = performance.now()
  await wait()
  const after = await read()
  const passedS = (performance.now() - startedAt) / 1000
  return (name: string) => (((after[name] ?? 0) - (before[name] ?? 0)) / passedS) * 100
}
