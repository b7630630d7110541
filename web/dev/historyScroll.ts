import { chromium, type Page } from 'playwright-core'
import { meter, scroll } from './meter.ts'

interface Scrolled {
  readonly frames: number
  /** Processor time of the page's main thread for one frame. */
  readonly mainMs: number
  /** Frames over 50 ms by the clock. */
  readonly slow: number
}

/** At 60 frames a second nine thousand pixels, ten windows. */
const WHEEL_PX = 150

/** What a long history costs the browser. */
export interface ScrollFigures {
  /** Until all prints were in the page, in seconds. */
  readonly readS: number
  /** Elements that are drawn. */
  readonly elements: number
  /** A fast hand on the wheel: so many pixels a frame. */
  readonly wheel: Scrolled
  /** The scroll bar pulled from end to end: with each frame other prints. */
  readonly bar: Scrolled
}

/** Reads a whole history into its page and scrolls it from end to end. Needs Debian's chromium. */
export async function measureScroll(url: string, cookie: string, count: number): Promise<ScrollFigures> {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--headless=new', '--disable-gpu', '--disable-background-networking'],
  })
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    const [name = '', value = ''] = cookie.split(/=(.*)/s)
    await page.context().addCookies([{ name, value, url }])
    await page.goto(`${url}/print_history/`)
    await page.getByRole('checkbox').first().check()
    const began = performance.now()
    await page.getByRole('button', { name: /^Select all/ }).click()
    await page.getByText(`${count} selected`).waitFor({ timeout: 120_000 })
    const readS = (performance.now() - began) / 1000
    await page.getByRole('button', { name: 'Clear selection' }).click()
    const wheel = await scrolled(page, WHEEL_PX)
    const bar = await scrolled(page)
    const elements = await page.locator('*').count()
    return { readS, elements, wheel, bar }
  } finally {
    await browser.close()
  }
}

async function scrolled(page: Page, pixels?: number): Promise<Scrolled> {
  await page.evaluate(() => scrollTo(0, 0))
  await page.waitForTimeout(1000)
  const read = await meter(page)
  const before = await read()
  const { frames, slow } = await scroll(page, pixels)
  const spentS = ((await read())['TaskDuration'] ?? 0) - (before['TaskDuration'] ?? 0)
  return { frames, mainMs: (spentS * 1000) / frames, slow }
}
