import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { aWorkshop } from '../fixture.ts'
import { addPrinter, aPerson, complaintsBut, OWNER, walkTo } from '../support.ts'

const workshop = aWorkshop()
let printerId = 0
let state: Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>

beforeAll(async () => {
  const { owner } = workshop
  printerId = (await addPrinter(owner.page, 'Voron in the cellar')).id
  state = await owner.page.context().storageState()
  await owner.close()
})

/** Notes the theme of every frame from the first paint on. */
async function watchTheme(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const seen = new Set<string>()
    Object.assign(window, { seen })
    const look = () => {
      const theme = document.documentElement?.dataset['mantineColorScheme']
      if (document.body && theme) seen.add(theme)
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  return () => page.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen])
}

const shown = (page: Page) =>
  page.evaluate(() => ({
    tenant: document.body.dataset['tenant'],
    accent: getComputedStyle(document.documentElement).getPropertyValue('--v-accent'),
    icon: document.querySelector<HTMLLinkElement>('link[rel="icon"]')!.href.replace(location.origin, ''),
    ground: document.querySelector<HTMLMetaElement>('meta[name="theme-color"]')!.content,
  }))

test('a brand comes with its theme at once, and goes with the account', async () => {
  const visitor = await aPerson({
    colorScheme: 'light',
    extraHTTPHeaders: { 'X-Obico-Syndicate': 'yumi' },
  })
  const { page } = visitor
  const themes = await watchTheme(page)
  await page.goto(workshop.at('/accounts/login/'))
  await page.getByText('Yumi').waitFor()
  expect(await themes()).toEqual(['dark'])
  expect(await page.title()).toBe('Sign in · Yumi')
  expect(await shown(page)).toEqual({
    tenant: 'yumi',
    accent: '#d296ff',
    icon: '/brands/yumi/mark.svg',
    ground: '#0f1115',
  })

  await page.getByLabel('E-mail').fill(OWNER.email)
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Voron in the cellar').first().waitFor()
  await page.locator('body[data-tenant="base"]').waitFor()
  await page.locator('html[data-mantine-color-scheme="light"]').waitFor()
  expect(await shown(page)).toEqual({
    tenant: 'base',
    accent: '#4053d6',
    icon: '/brands/base/mark.svg',
    ground: '#f6f5f2',
  })
  expect(complaintsBut(visitor)).toEqual([])
  await visitor.close()
})

test('in the web view of an app there is no navigation of ours, and the app hears of the theme', async () => {
  const app = await aPerson({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    colorScheme: 'light',
    userAgent: 'TSDApp-Android/3.1',
    storageState: state,
  })
  const { page } = app
  await page.addInitScript(() => {
    const told: string[] = []
    const postMessage = (text: string) => told.push(text)
    Object.assign(window, { told, ReactNativeWebView: { postMessage } })
  })
  await page.goto(workshop.at(`/printers/${printerId}/control/`))
  await page.getByRole('heading', { name: 'Voron in the cellar' }).waitFor()
  expect(await page.getByRole('navigation').count()).toBe(0)

  // In an app the theme is the app's, unless it says that it follows.
  await walkTo(page, '/user_preferences/')
  await page.getByRole('link', { name: 'Profile' }).waitFor()
  expect(await page.getByRole('link', { name: 'Appearance' }).count()).toBe(0)
  await walkTo(page, '/user_preferences/?themeable=true')
  await page.getByRole('link', { name: 'Appearance' }).click()
  await page.getByText('Dark', { exact: true }).click()
  expect(await page.getByText('System', { exact: true }).count()).toBe(0)
  await page.getByRole('link', { name: 'Preferences' }).click()
  await page.getByRole('link', { name: 'Profile' }).click()
  await page.getByLabel('First name').fill('Mika')
  await page.getByLabel('First name').press('Enter')
  await page.getByLabel('Saved').first().waitFor()
  expect(await page.evaluate(() => (window as unknown as { told: string[] }).told)).toEqual([
    '{"theme":"Dark"}',
    '{"firstName":"Mika"}',
  ])
  expect(complaintsBut(app)).toEqual([])
  await app.close()
})

test('on a phone the places are tabs at the thumb, nothing stands below notch or home bar, and hide_header=true hides them', async () => {
  const person = await aPerson({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    storageState: state,
  })
  const { page } = person
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setSafeAreaInsetsOverride', {
    insets: { top: 59, bottom: 34, left: 0, right: 0 },
  })
  await page.goto(workshop.at('/user_preferences/'))
  const title = await page.getByRole('heading', { name: 'Preferences' }).boundingBox()
  expect(title!.y).toBeGreaterThanOrEqual(59)
  const tabs = page.getByRole('navigation').filter({ visible: true })
  expect(await tabs.count()).toBe(1)
  const bar = (await tabs.boundingBox())!
  expect(Math.round(bar.y + bar.height), 'at the lower edge').toBe(844)
  for (const link of await tabs.getByRole('link').all()) {
    const { y, height } = (await link.boundingBox())!
    expect(y + height).toBeLessThanOrEqual(844 - 34)
    expect(height, 'for a thumb').toBeGreaterThanOrEqual(44)
  }
  await tabs.getByRole('link', { name: 'Printers' }).click()
  await page.waitForURL(/\/printers\//)
  await tabs.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Preferences' }).click()
  await page.getByRole('heading', { name: 'Preferences' }).waitFor()
  await walkTo(page, '/user_preferences/?hide_header=true')
  await tabs.waitFor({ state: 'detached' })
  expect(await page.getByRole('navigation').count()).toBe(0)
  expect(complaintsBut(person)).toEqual([])
  await person.close()
})
