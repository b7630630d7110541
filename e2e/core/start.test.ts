import type { Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { inSuite } from '../../scripts/suites.ts'
import { aWorkshop } from '../fixture.ts'
import { aPerson, complaintsBut, OWNER } from '../support.ts'

/** What is refused here is logged by the browser. */
const REFUSED = /status of 40[01]/

const workshop = aWorkshop()

/** Somebody on a slow line: the app's first script comes when `arrive` says so. */
async function onSlowLine(options: Parameters<typeof aPerson>[0] = {}) {
  const person = await aPerson(options)
  const held: Route[] = []
  let isHere = false
  await person.page.route(/assets\/start-[^/]*\.js$/, async (route) => {
    if (isHere) await route.continue()
    else held.push(route)
  })
  const arrive = async () => {
    isHere = true
    await Promise.all(held.splice(0).map((route) => route.continue()))
  }
  return { ...person, arrive }
}

const early = (page: Page) => page.locator('#early')
const app = (page: Page) => page.locator('#root')

/** Where the parts of the sign-in stand. */
async function placesOf(page: Page): Promise<Record<string, number[]>> {
  return page.evaluate(() => {
    const parts = {
      card: 'section',
      title: 'h1',
      email: '[name=email]',
      remember: '[name=remember]',
      button: 'form > button',
      forgot: 'section > p:last-child a',
    }
    return Object.fromEntries(
      Object.entries(parts).map(([part, selector]) => {
        const { x, y, width, height } = document.querySelector(selector)!.getBoundingClientRect()
        return [part, [x, y, width, height].map(Math.round)]
      }),
    )
  })
}

const DEVICES = [
  {
    language: 'en-GB',
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    email: 'E-mail',
    host: '127.0.0.1',
  },
  {
    language: 'en-GB',
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    email: 'E-mail',
    host: 'localhost',
    // in the web view of an app, which has no links of ours
    userAgent: 'TSDApp-android/1.0',
  },
  {
    language: 'zh-CN',
    viewport: { width: 1440, height: 900 },
    isMobile: false,
    hasTouch: false,
    email: '电子邮箱',
    host: 'localhost',
    providers: [{ id: 'google', name: 'Google', logo: null }],
  },
]
// in the gate the one with the least on its card, and the one with the most
test.each(inSuite([DEVICES[0]!, DEVICES[2]!], DEVICES))(
  'the app goes on with what was typed before it came, and nothing moves ($language, $host)',
  async ({ language, email, host, providers = [], ...device }) => {
    const person = await onSlowLine({ locale: language, ...device })
    workshop.evidence('start-typed', person)
    const { page } = person
    // Passkeys are good for a name, not for an address: there the card has one button more.
    const address = workshop.at('/accounts/login/').replace('127.0.0.1', host)
    // and one more for each provider that signs people in
    await page.route(/\/api\/v1\/bootstrap\//, async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, json: { ...(await answer.json()), providers } })
    })
    await page.goto(address, { waitUntil: 'commit' })
    await early(page).getByLabel(email).fill(OWNER.email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(OWNER.password.slice(0, 6))
    await page.evaluate(() => document.fonts.ready)
    const before = await placesOf(page)

    await person.arrive()
    await app(page).getByLabel(email).waitFor()
    expect(await early(page).count()).toBe(0)
    expect(await placesOf(page)).toEqual(before)
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('password')
    await page.keyboard.type(OWNER.password.slice(6))
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/printers\/$/)
    await app(page).locator('main h1').waitFor()
    expect(complaintsBut(person)).toEqual([])
    // What is asked anew in this moment goes with the page.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await person.close()
  },
)

test('one signs in before the app is there, and lands where one wanted', async () => {
  const person = await onSlowLine()
  workshop.evidence('start-signed-in', person)
  const { page } = person
  await page.goto(workshop.at('/user_preferences/?from=mail'), { waitUntil: 'commit' })
  await early(page).getByLabel('E-mail').fill(OWNER.email)
  expect(page.url()).toBe(workshop.at('/accounts/login/?next=%2Fuser_preferences%2F%3Ffrom%3Dmail'))
  await early(page).getByLabel('Password').fill(OWNER.password)
  const answered = page.waitForResponse((answer) => answer.request().method() === 'POST')
  await page.keyboard.press('Enter')
  expect((await answered).status()).toBe(200)
  await page.locator('html[data-member]').waitFor({ state: 'attached' })
  await person.arrive()
  await page.getByRole('heading', { name: 'Preferences' }).waitFor()
  expect(page.url()).toBe(workshop.at('/user_preferences/?from=mail'))
  expect(complaintsBut(person)).toEqual([])
  await person.close()
})

test('what was sent before the app came and is refused is said once it is there, and sent once', async () => {
  const person = await onSlowLine()
  workshop.evidence('start-refused', person)
  const { page } = person
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
  await page.goto(workshop.at('/printers/'), { waitUntil: 'commit' })
  await early(page).getByLabel('E-mail').fill(OWNER.email)
  await early(page).getByLabel('Password').fill('not my password')
  const answered = page.waitForResponse((answer) => answer.request().method() === 'POST')
  await early(page).getByRole('button', { name: 'Sign in' }).click()
  await answered
  await person.arrive()
  await app(page).getByRole('alert').waitFor()
  expect(await app(page).getByLabel('E-mail').inputValue()).toBe(OWNER.email)
  expect(sent).toEqual([workshop.at('/api/v1/auth/login/')])
  await app(page).getByLabel('Password', { exact: true }).fill(OWNER.password)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/printers\/$/)
  expect(complaintsBut(person, REFUSED)).toEqual([])
  await person.close()
})

test('who is signed in, and who asks for another page, sees no sign-in', async () => {
  const person = await onSlowLine()
  const { page } = person
  for (const path of ['/help/', '/accounts/signup/']) {
    const known = page.waitForResponse(/bootstrap/)
    await page.goto(workshop.at(path), { waitUntil: 'commit' })
    await (await known).finished()
    expect(await early(page).locator('form').count(), path).toBe(0)
  }
  await person.arrive()
  await app(page).locator('main').waitFor()
  expect(await early(page).count()).toBe(0)
  await person.close()
})
