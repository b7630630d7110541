import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { aWorkshop } from '../fixture.ts'
import { wordsIn } from '../looks.ts'
import { addPrinter, aPerson, complaintsBut, walkTo } from '../support.ts'

/** The browser logs who asks for what is not there, and who they are once they are signed out. */
const REFUSED = /status of 40[34]/

const workshop = aWorkshop()
const say = wordsIn('zh')
const LOST = say('common:notFound.title')

/** Goes to a page of the app by way of one that has nothing on it, and waits until it stands. */
async function arriveAt(page: Page, path: string): Promise<void> {
  await walkTo(page, '/nowhere/')
  await page.getByText(LOST).first().waitFor()
  await walkTo(page, path)
  await page.getByText(LOST).first().waitFor({ state: 'detached' })
  await page.locator('main h1, main h2').first().waitFor()
}

test('a theme and a language are kept, and nothing English is left in Chinese', async () => {
  workshop.evidence('language')
  const { page } = workshop.owner
  const { id } = await addPrinter(page, '一号')
  await walkTo(page, '/user_preferences/personalization/')
  await page.getByRole('radiogroup').getByText('Dark').click()
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
  await page.getByRole('link', { name: 'General', exact: true }).click()
  await page.getByRole('combobox', { name: 'Language' }).click()
  const kept = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await page.getByRole('option', { name: '中文' }).click()
  expect((await kept).status()).toBe(200)
  await page.locator('html[lang=zh-CN][data-mantine-color-scheme=dark]').waitFor()

  // Both go with the account onto the next device.
  const { cookies } = await page.context().storageState()
  const next = await aPerson({ colorScheme: 'light', storageState: { cookies, origins: [] } })
  workshop.evidence('language-next', next)
  await next.page.goto(workshop.at('/printers/nowhere/'))
  await next.page.locator('html[lang=zh-CN][data-mantine-color-scheme=dark]').waitFor()
  await next.page.locator('main h1, main h2').first().waitFor()
  await hasNoEnglish(next.page)
  for (const path of [
    '/user_preferences/',
    '/user_preferences/personalization/',
    '/user_preferences/profile/',
    '/user_preferences/delete/',
    '/printers/?',
    `/printers/${id}/`,
    `/printers/${id}/control/`,
    '/printers/wizard/',
    '/printers/wizard/guide/octoprint/',
    '/printers/wizard/guide/klipper-generic/',
    '/printers/wizard/link/klipper-generic/',
    '/accounts/logout/',
  ]) {
    await arriveAt(next.page, path)
    await hasNoEnglish(next.page)
  }
  await next.page.getByRole('button', { name: say('common:signOut') }).click()
  await next.page.getByRole('heading', { name: say('accounts:signIn') }).waitFor()
  await hasNoEnglish(next.page)
  expect(complaintsBut(next, REFUSED)).toEqual([])
  expect(complaintsBut(workshop.owner, REFUSED)).toEqual([])
})

/** Words of Latin letters stand on it in names alone: of products, and of what its own list names. */
async function hasNoEnglish(page: Page): Promise<void> {
  const named = 'section:is([aria-labelledby=products], [aria-labelledby=preferences-notifications]) li, kbd'
  // in one look: what is fetched comes with the names that allow it
  const [text = '', ...products] = await page.evaluate(
    (list) => [document.body, ...document.querySelectorAll<HTMLElement>(list)].map((one) => one.innerText),
    named,
  )
  const names = products.flatMap((name) => name.split(/\s+/))
  const left = englishLeft(text)
  expect(
    left.filter((word) => !names.some((name) => name.includes(word))),
    page.url(),
  ).toEqual([])
}

/** Words of Latin letters that are no name: what a reader of Chinese should not meet. */
function englishLeft(text: string): string[] {
  const names =
    /Vigil|Nozzle Ninja|(?:Orca|Prusa)Slicer|Cura|API|OctoPrint|Obico|Klipper\w*|Moonraker|Mainsail|Fluidd|AI|English|G-?[Cc]odes?|LCD|PIN|SSH|ssh|PUBLIC_URL|HOST|URL|shell|link\.sh|OBICO_LINK_STATUS|\S+@\S+|https?:\S+|install\.sh|\b(?:git|cd|clone|sh|bash|curl|wget|sudo|moonraker-obico|github|com)\b|Raspberry Pi|Plugin Manager|Get More|Settings|Install|JSON/g
  return text.replace(names, '').match(/[A-Za-z]{3,}/g) ?? []
}
