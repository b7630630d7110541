import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { openProvider } from '../../server/test/oidc.ts'
import { aWorkshop } from '../fixture.ts'
import { aPerson, complaintsBut } from '../support.ts'

/** The browser logs the first answer to who is not signed in. */
const REFUSED = /status of 40[03]/

const provider = await openProvider()
afterAll(() => provider.close())
const workshop = aWorkshop({ env: { ...provider.env, ACCOUNT_ALLOW_SIGN_UP: 'true' } })

const door = (page: Page) => page.getByRole('link', { name: 'Sign in with House ID' })
const atLogin = () => workshop.at('/accounts/login/')

async function signsIn(page: Page): Promise<void> {
  await page.goto(atLogin())
  await door(page).click()
  await page.waitForURL(/\/printers\//)
}

test('a provider that is down is said so, and one signs in another way', async () => {
  const visitor = await aPerson()
  workshop.evidence('providers-down', visitor)
  const { page } = visitor
  await page.goto(atLogin())
  await door(page).click()
  await page.getByRole('alert').getByText('House ID does not answer').waitFor()
  await page.getByLabel('E-mail').waitFor()
  expect(complaintsBut(visitor, REFUSED)).toEqual([])
  await visitor.close()
})

test('who comes by a provider for the first time has an account, and it is theirs the next time', async () => {
  provider.serve(workshop.at('/accounts/oidc/login/callback/'))
  provider.signsIn({ sub: 'mika', email: 'mika@example.net', email_verified: true, given_name: 'Mika' })
  for (const device of ['first', 'second']) {
    const visitor = await aPerson()
    workshop.evidence(`providers-${device}`, visitor)
    await signsIn(visitor.page)
    await visitor.page.goto(workshop.at('/user_preferences/profile/'))
    expect(await visitor.page.getByLabel('First name').inputValue()).toBe('Mika')
    await visitor.page.getByText('mika@example.net').waitFor()
    expect(complaintsBut(visitor, REFUSED)).toEqual([])
    await visitor.close()
  }
})

test('an owner connects a provider, comes in by it, and takes it out', async () => {
  workshop.evidence('providers-link')
  const { page } = workshop.owner
  provider.signsIn({ sub: 'owner-elsewhere', email: 'else@example.net', email_verified: true })
  await page.goto(workshop.at('/user_preferences/security/'))
  await page.getByRole('button', { name: 'Connect House ID' }).click()
  await page.getByRole('button', { name: 'Disconnect House ID' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/user_preferences/security/')

  const other = await aPerson()
  workshop.evidence('providers-by-link', other)
  await signsIn(other.page)
  await other.page.goto(workshop.at('/user_preferences/profile/'))
  await other.page.locator('#main').getByText('owner@example.org').waitFor()
  await other.close()

  await page.getByRole('button', { name: 'Disconnect House ID' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await page.getByRole('button', { name: 'Connect House ID' }).waitFor()
  expect(complaintsBut(workshop.owner, REFUSED)).toEqual([])
})

test('who says no at the provider is back at the sign-in, and is told', async () => {
  provider.signsIn(null)
  const visitor = await aPerson()
  workshop.evidence('providers-no', visitor)
  await visitor.page.goto(atLogin())
  await door(visitor.page).click()
  await visitor.page.getByRole('alert').getByText('House ID was called off').waitFor()
  expect(complaintsBut(visitor, REFUSED)).toEqual([])
  await visitor.close()
})
