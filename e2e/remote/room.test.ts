import { expect, test } from 'vitest'
import { aWorkshop } from '../fixture.ts'
import { complaintsBut, until } from '../support.ts'

const workshop = aWorkshop({ machinesStay: true })
let path = ''

test('what scrolls beneath the camera has 400 pixels, at any height of the window', async () => {
  workshop.evidence('room')
  const { page } = workshop.owner
  const { id } = await workshop.linked('Voron', { speed: 2, picEverySeconds: 2, print: true })
  path = `/printers/${id}/control/`
  await page.goto(workshop.at(path))
  await page.getByRole('heading', { name: 'Terminal' }).waitFor()
  await page.locator('main img').first().waitFor()
  for (const [width, height] of [
    [1366, 768],
    [1440, 900],
    [1920, 1080],
    [1280, 720],
    [1366, 650],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page
      .getByRole('heading', { name: 'Terminal' })
      .evaluate((one) => one.scrollIntoView({ block: 'start' }))
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    const room = await page.evaluate(() => {
      const camera = document.querySelector('main img')!.parentElement!.parentElement!
      return innerHeight - Math.max(0, camera.getBoundingClientRect().bottom)
    })
    expect(room, `at ${width} x ${height}`).toBeGreaterThanOrEqual(400)
    await page.evaluate(() => scrollTo(0, 0))
    const picture = (await page.locator('main img').first().boundingBox())!
    expect(picture.height, `the picture at ${width} x ${height}`).toBeGreaterThan(200)
  }
  await page.setViewportSize({ width: 390, height: 844 })
  await page
    .getByRole('heading', { name: 'Terminal' })
    .evaluate((one) => one.scrollIntoView({ block: 'start' }))
  expect(
    (await page.locator('main img').first().boundingBox())!.y,
    'on a phone it scrolls away',
  ).toBeLessThan(-200)
  await page.setViewportSize({ width: 1440, height: 900 })
  expect(complaintsBut(workshop.owner)).toEqual([])
})

test('nothing bright stands in full screen', async () => {
  workshop.evidence('room-full')
  const { page } = workshop.owner
  await page.goto(workshop.at(path))
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    await page.getByRole('button', { name: 'Full screen' }).first().click()
    await until(() => page.evaluate(() => document.fullscreenElement !== null), 30_000, 'full screen')
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
    await until(() => page.evaluate(() => document.fullscreenElement === null), 30_000, 'no full screen')
  }
  expect(complaintsBut(workshop.owner)).toEqual([])
})
