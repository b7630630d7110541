import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { aWorkshop } from '../fixture.ts'
import { LOOKS } from '../looks.ts'
import { addPrinter, complaintsBut, touchSwitch, until, walkTo } from '../support.ts'

const workshop = aWorkshop()

/** A save that the server takes without saying what it kept is told by a toast, every time. */
async function wordlessSaves(page: Page, id: number) {
  await page.route(`**/api/v1/printers/${id}/*`, (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({ status: 200, json: { succeeded: true } })
      : route.continue(),
  )
}

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox()
  if (!box) throw new Error('it is not on the page')
  return box
}

async function areApart(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [await boxOf(one), await boxOf(other)]
  return a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y
}

/** Scrolls until the middle of something stands at that height of the window. */
const placeAt = (locator: Locator, y: number) =>
  locator.evaluate((element, wanted) => {
    const { top, height } = element.getBoundingClientRect()
    scrollBy(0, top + height / 2 - wanted)
  }, y)

for (const look of [LOOKS.klipperDesk, LOOKS.klipperPhone])
  test(`a toast covers nothing that is being used, a dialog stands above toasts: ${look.width} px`, async () => {
    const { id } = await addPrinter(workshop.owner.page, 'Voron')
    const { person, page, say } = await workshop.ownerAt(look, `toasts-${look.width}`)
    await wordlessSaves(page, id)
    await page.goto(workshop.at(`/printers/${id}/`))
    const toast = page.locator('.mantine-Notification-root').first()
    const close = page.locator('.mantine-Notification-closeButton').first()
    const hotend = page.getByRole('switch', { name: say('settings:toolsOff') })
    const told = toast.getByText(say('settings:cannotUpdate'))
    const bottom = page.viewportSize()!.height - (look.width === 390 ? 105 : 50)

    // Right where toasts stand otherwise.
    await hotend.waitFor()
    await placeAt(hotend, bottom)
    await touchSwitch(hotend)
    await told.waitFor()
    expect(await areApart(toast, hotend)).toBe(true)
    await close.click()
    await toast.waitFor({ state: 'detached' })

    // What it covers comes into use while it stands.
    await placeAt(hotend, 300)
    await touchSwitch(hotend)
    await told.waitFor()
    const { y, height } = await boxOf(toast)
    const lift = page.getByRole('textbox', { name: say('settings:liftBy') })
    await placeAt(lift, y + height / 2)
    await lift.evaluate((element) => element.focus({ preventScroll: true }))
    await until(() => areApart(toast, lift), 'the toast to give way')
    await close.click()
    await toast.waitFor({ state: 'detached' })

    await touchSwitch(hotend)
    await told.waitFor()
    await page.getByRole('button', { name: say('settings:delete.button') }).click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    const isBelow = await toast.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect()
      return !element.contains(document.elementFromPoint(left + width / 2, top + height / 2))
    })
    expect(isBelow, 'the toast lies below').toBe(true)
    // The dialog's buttons stand in a row, or each across it on a phone.
    const [back, act] = await Promise.all(
      [say('common:back'), say('settings:delete.action')].map((name) =>
        boxOf(dialog.getByRole('button', { name })),
      ),
    )
    if (look.width === 1440) {
      expect(act!.y).toBe(back!.y)
      expect(act!.x).toBeGreaterThan(back!.x)
    } else {
      expect([act!.x, act!.width]).toEqual([back!.x, back!.width])
      expect(act!.y).toBeLessThan(back!.y)
    }
    expect(complaintsBut(person)).toEqual([])
    await person.close()
  })

test('pages stand at one left edge, and the place of the picture has its ratio at once', async () => {
  workshop.evidence('edge')
  const { page } = workshop.owner
  const { id } = await workshop.linked('Prusa', { flavour: 'klipper', withoutPictures: true })
  const edges = new Set<number>()
  for (const path of [
    '/print_history/',
    `/printers/${id}/`,
    '/user_preferences/',
    '/printers/wizard/',
    '/help/',
  ]) {
    await walkTo(page, '/nowhere/')
    await page.getByText('There is no such page').waitFor()
    await walkTo(page, path)
    await page.getByText('There is no such page').waitFor({ state: 'detached' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    const laidOut = () =>
      page
        .locator('main :is(header, h2)')
        .evaluateAll((all) => all.flatMap((one) => [...one.getClientRects()].map(({ left }) => left)))
    // what stands while the page is read goes before the page comes
    const lefts = await until(async () => laidOut().then((all) => all.length > 0 && all), path)
    edges.add(Math.min(...lefts))
  }
  expect([...edges]).toHaveLength(1)

  const ratio = async () => {
    const { width, height } = await boxOf(page.locator('[class*=camera] > [class*=frame]').first())
    return width / height
  }
  // on a low window the picture shrinks, to leave room below it
  await page.setViewportSize({ width: 1440, height: 1400 })
  await walkTo(page, `/printers/${id}/control/`)
  await page.getByRole('heading', { name: 'Prusa' }).waitFor()
  await until(async () => Math.abs((await ratio()) - 4 / 3) < 0.02, 'the camera to be known')
  const held = Promise.withResolvers<void>()
  await page.route(`**/api/v1/printers/${id}/*`, async (route) => {
    await held.promise
    await route.continue()
  })
  await page.reload()
  await page.getByRole('status', { name: 'Loading' }).waitFor()
  expect(await ratio()).toBeCloseTo(4 / 3, 1)
  held.resolve()
  await page.getByRole('heading', { name: 'Prusa' }).waitFor()
  expect(complaintsBut(workshop.owner)).toEqual([])
})
