import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { aWorkshop } from '../fixture.ts'
import { complaintsBut, OWNER, walkTo } from '../support.ts'

/** The browser logs the first step, which is refused. */
const REFUSED = /status of 40[03]/

const workshop = aWorkshop({ machinesStay: true })
/** Passkeys are good for a name, not for an address. */
const at = (path: string) => workshop.at(path).replace('127.0.0.1', 'localhost')

/** A key in the browser that asks for a finger and gets it. */
async function plugIn(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

async function typePassword(page: Page): Promise<void> {
  await page.getByLabel('E-mail').fill(OWNER.email)
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** As one who comes to this browser for the first time, but for the key in it. */
async function comesAnew(page: Page): Promise<void> {
  // A page that is open would open its line with nothing to show.
  await page.goto('about:blank')
  await page.context().clearCookies()
  await page.goto(at('/accounts/login/'))
}

test('a passkey is added, signs in beside the password and alone, and is removed again', async () => {
  workshop.evidence('factors')
  const { page } = workshop.owner
  await page.goto(at('/user_preferences/security/'))
  await typePassword(page)
  await page.getByText('This device').waitFor()
  await plugIn(page)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Name').fill('Laptop')
  await dialog.getByRole('button', { name: 'Go on' }).click()
  const codes = page.getByRole('dialog', { name: 'Recovery codes' })
  await codes.getByRole('listitem').nth(9).waitFor()
  expect(await codes.getByRole('listitem').count()).toBe(10)
  await codes.getByRole('button', { name: 'I have kept them' }).click()
  await page.getByText('Not used yet').waitFor()

  await comesAnew(page)
  await typePassword(page)
  await page.getByRole('heading', { name: 'One more step' }).waitFor()
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.waitForURL(/\/printers\//)

  await comesAnew(page)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL(/\/printers\//)

  await walkTo(page, '/user_preferences/security/')
  await page.getByRole('button', { name: 'Remove Laptop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('Laptop').waitFor({ state: 'detached' })
  const alone = await page.request.post(at('/api/v1/auth/login/'), { data: OWNER })
  expect(alone.status(), 'the password is enough again').toBe(200)
  expect(complaintsBut(workshop.owner, REFUSED)).toEqual([])
})
