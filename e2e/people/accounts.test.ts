import { expect, test } from 'vitest'
import { aWorkshop } from '../fixture.ts'
import { aPerson, complaintsBut, OWNER, setUpFirstAccount } from '../support.ts'

/** The browser logs each refused request; these are the ones that the journeys provoke. */
const REFUSED = /status of 40[0134]/

const workshop = aWorkshop({ withAccount: false })

test('the first account comes from a link that works once', async () => {
  workshop.evidence('accounts-set-up')
  const { page } = workshop.owner
  await page.goto(workshop.at('/'))
  await page.getByRole('heading', { name: 'Create the first account' }).waitFor()
  await page.getByText('Open the one-time link').waitFor()
  await setUpFirstAccount(page, workshop.vigil)

  const stranger = await aPerson()
  await stranger.page.goto(workshop.vigil.setupLink)
  await stranger.page.getByRole('heading', { name: 'This server is set up' }).waitFor()
  expect(await stranger.page.getByRole('button', { name: 'Create account' }).count()).toBe(0)
  const token = new URL(workshop.vigil.setupLink).searchParams.get('token')
  const again = await stranger.page.evaluate(
    async (given) =>
      (
        await fetch('/api/v1/auth/setup/', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ token: given, email: 'thief@example.org', password: 'another password' }),
        })
      ).status,
    token,
  )
  expect([400, 403]).toContain(again)
  expect(complaintsBut(stranger, REFUSED)).toEqual([])
  await stranger.close()
})

test('signing out and in, a wrong password, and where one lands', async () => {
  workshop.evidence('accounts-sign-in')
  const { page } = workshop.owner
  await signOut()

  await page.getByLabel('E-mail').fill(OWNER.email)
  await page.getByLabel('Password', { exact: true }).fill('not my password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').waitFor()
  const wrong = await page.getByRole('alert').innerText()
  await page.getByLabel('E-mail').fill('nobody@example.org')
  const refused = page.waitForResponse((answer) => answer.request().method() === 'POST')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await refused
  await page.getByRole('alert').waitFor()
  expect(await page.getByRole('alert').innerText(), 'who has an account is not told').toBe(wrong)

  await page.goto(workshop.at('/user_preferences/?from=mail'))
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(new URL(page.url()).searchParams.get('next')).toBe('/user_preferences/?from=mail')
  await fillIn()
  await page.getByRole('heading', { name: 'Preferences' }).waitFor()
  expect(page.url()).toBe(workshop.at('/user_preferences/?from=mail'))

  // What else is foreign: web/src/lib/wire.test.ts.
  await signOut()
  await page.goto(workshop.at(`/accounts/login/?next=${encodeURIComponent('//example.com/')}`))
  await fillIn()
  await page.getByRole('heading', { name: 'No printers yet' }).waitFor()
  expect(page.url()).toBe(workshop.at('/printers/'))
  expect(complaintsBut(workshop.owner, REFUSED)).toEqual([])
})

test('the keyboard alone signs in', async () => {
  workshop.evidence('accounts-keyboard')
  const { page } = workshop.owner
  await signOut()
  const { keyboard } = page
  await page.goto(workshop.at('/accounts/login/'))
  await page.locator('input[type=email]:focus').waitFor()
  await keyboard.type(OWNER.email)
  await keyboard.press('Tab')
  await keyboard.type(OWNER.password)
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: 'No printers yet' }).waitFor()
  // a page that is opened anew is begun from its top
  await page.reload()
  await page.getByRole('heading', { name: 'No printers yet' }).waitFor()
  await keyboard.press('Tab')
  await keyboard.press('Enter')
  expect(await page.evaluate(() => document.activeElement?.id), 'the skip link leads to the content').toBe(
    'main',
  )
})

test('on a phone the places are tabs at the thumb', async () => {
  const phone = await aPerson({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  workshop.evidence('accounts-phone', phone)
  const { page } = phone
  await page.goto(workshop.at('/accounts/login/'))
  await fillIn(page)
  await page.waitForURL(/\/printers\//)
  const tabs = page.getByRole('navigation').filter({ visible: true })
  await tabs.waitFor()
  const box = await tabs.boundingBox()
  expect(box && Math.round(box.y + box.height), 'at the lower edge').toBe(844)
  await tabs.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Preferences' }).click()
  await page.getByRole('heading', { name: 'Preferences' }).waitFor()
  for (const link of await tabs.getByRole('link').all()) {
    const size = await link.boundingBox()
    expect(size?.height).toBeGreaterThanOrEqual(44)
  }
  await tabs.getByRole('link', { name: 'Printers' }).click()
  await page.waitForURL(/\/printers\//)
  await page.goto(workshop.at('/user_preferences/'))
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('dialog', { name: 'Confirmation' }).getByRole('button', { name: 'Logout' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(complaintsBut(phone, REFUSED)).toEqual([])
  await phone.close()
})

async function fillIn(page = workshop.owner.page): Promise<void> {
  await page.getByLabel('E-mail').fill(OWNER.email)
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function signOut(): Promise<void> {
  const { page } = workshop.owner
  await page.goto(workshop.at('/user_preferences/'))
  await page.getByRole('button', { name: 'Log out', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click()
  await page.locator('input[type=email]').waitFor()
}
