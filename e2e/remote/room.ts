import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { inSuite } from '../../scripts/suites.ts'
import { until } from '../support.ts'

const WINDOWS: readonly (readonly [number, number])[] = [
  [1366, 650],
  [1440, 900],
  [1366, 768],
  [1920, 1080],
  [1280, 720],
]

const camera = (page: Page) => page.locator('main img').first()
const terminal = (page: Page) => page.getByRole('heading', { name: 'Terminal' })
const scrolled = (page: Page) => terminal(page).evaluate((one) => one.scrollIntoView({ block: 'start' }))

/** On the page of a printer that prints, what scrolls beneath the camera has 400 pixels, at any height of the window. */
export async function expectRoomBeneath(page: Page): Promise<void> {
  await terminal(page).waitFor()
  await camera(page).waitFor()
  for (const [width, height] of inSuite<typeof WINDOWS>(WINDOWS.slice(0, 2), WINDOWS)) {
    await page.setViewportSize({ width, height })
    await scrolled(page)
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    const room = await page.evaluate(() => {
      const camera = document.querySelector('main img')!.parentElement!.parentElement!
      return innerHeight - Math.max(0, camera.getBoundingClientRect().bottom)
    })
    expect(room, `at ${width} x ${height}`).toBeGreaterThanOrEqual(400)
    await page.evaluate(() => scrollTo(0, 0))
    const picture = (await camera(page).boundingBox())!
    expect(picture.height, `the picture at ${width} x ${height}`).toBeGreaterThan(200)
  }
  await page.setViewportSize({ width: 390, height: 844 })
  await scrolled(page)
  expect((await camera(page).boundingBox())!.y, 'on a phone it scrolls away').toBeLessThan(-200)
  await page.setViewportSize({ width: 1440, height: 900 })
}

/** Nothing bright stands in full screen. */
export async function expectDarkInFullScreen(page: Page): Promise<void> {
  for (const theme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    await page.getByRole('button', { name: 'Full screen' }).first().click()
    await until(() => page.evaluate(() => document.fullscreenElement !== null), 'full screen')
    const brightest = await page.evaluate(() => {
      const light = (colour: string) => {
        const [r = 0, g = 0, b = 0, a = 1] = (colour.match(/[\d.]+/g) ?? []).map(Number)
        return a === 0 ? 0 : Math.max(r, g, b)
      }
      const parts = [document.fullscreenElement!, ...document.fullscreenElement!.querySelectorAll('div')]
      return Math.max(...parts.map((part) => light(getComputedStyle(part).backgroundColor)))
    })
    expect(brightest, theme).toBeLessThan(80)
    await page.keyboard.press('f')
    await until(() => page.evaluate(() => document.fullscreenElement === null), 'no full screen')
  }
}
