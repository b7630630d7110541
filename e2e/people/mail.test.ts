import { afterAll, expect, test } from 'vitest'
import { openTestSmtp } from '../../server/test/smtp.ts'
import { aWorkshop } from '../fixture.ts'
import { aPerson, complaintsBut, OWNER } from '../support.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const
const NEW_PASSWORD = 'a new and better one'

const smtp = await openTestSmtp()
const workshop = aWorkshop({ env: smtp.env })
afterAll(() => smtp.close())

const linkIn = (text: string | undefined, path: string) =>
  new URL(new RegExp(`http\\S+${path}\\S+`).exec(text ?? '')![0])

test('an owner confirms the address by the letter that really came, and adds another', async () => {
  workshop.evidence('mail-confirm')
  const { page } = workshop.owner
  const channel = workshop.at('/user_preferences/notification_email/')
  await page.goto(channel)
  await page.getByText('None of your e-mail addresses is confirmed').waitFor()
  await page.getByRole('link', { name: 'Confirm an address' }).click()
  await page.getByRole('heading', { name: 'E-mail addresses' }).waitFor()
  await page.getByRole('button', { name: 'Send the link' }).click()
  const letter = await smtp.letterTo(OWNER.email, /Confirm/)

  // Opened elsewhere, by somebody who is signed in nowhere; opening alone confirms nothing.
  const reader = await aPerson(PHONE)
  const link = linkIn(letter.text, '/accounts/confirm-email/')
  await reader.page.goto(link.href)
  await reader.page.getByText(OWNER.email).waitFor()
  await reader.page.reload()
  await reader.page.getByRole('button', { name: 'Yes, confirm it' }).click()
  await reader.page.getByRole('heading', { name: 'Address confirmed' }).waitFor()
  expect(complaintsBut(reader)).toEqual([])
  await reader.close()

  await page.goto(channel)
  await page.getByText(`Sent to ${OWNER.email}.`).waitFor()
  await page.goto(workshop.at('/user_preferences/profile/'))
  await page.getByRole('link', { name: 'Addresses' }).click()
  await page.getByText('Confirmed', { exact: true }).waitFor()
  await page.getByLabel('Another address').fill('second@example.org')
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByText('Now follow the link that we sent to second@example.org.').waitFor()
  await smtp.letterTo('second@example.org', /Confirm/)
  await page
    .getByRole('listitem')
    .filter({ hasText: 'second@example.org' })
    .getByRole('button', { name: 'Remove' })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('second@example.org', { exact: true }).waitFor({ state: 'detached' })
  expect(complaintsBut(workshop.owner)).toEqual([])
})

test('who forgot the password chooses a new one on a phone, and other devices are signed out', async () => {
  workshop.evidence('mail-reset')
  const phone = await aPerson(PHONE)
  await phone.page.goto(workshop.at('/accounts/login/'))
  await phone.page.getByRole('link', { name: 'Forgot your password?' }).click()
  await phone.page.getByLabel('E-mail').fill(OWNER.email.toUpperCase())
  await phone.page.getByRole('button', { name: 'Send the link' }).click()
  await phone.page.getByText('If an account has this address').waitFor()
  const letter = await smtp.letterTo(OWNER.email, /new password/)
  const link = linkIn(letter.text, '/accounts/password/reset/key/')
  await phone.page.goto(link.href)
  await phone.page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
  await phone.page.getByLabel('New password once more').fill(NEW_PASSWORD)
  await phone.page.getByRole('button', { name: 'Save the new password' }).click()
  await phone.page.getByRole('heading', { name: 'Your password is changed' }).waitFor()
  await phone.page.getByRole('link', { name: 'Sign in' }).last().click()
  await phone.page.getByLabel('E-mail').fill(OWNER.email)
  await phone.page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
  await phone.page.getByRole('button', { name: 'Sign in' }).click()
  await phone.page.getByRole('heading', { name: 'Printers', exact: true }).waitFor()
  expect(complaintsBut(phone)).toEqual([])

  // The link is used up.
  await phone.page.context().clearCookies()
  await phone.page.goto(link.href)
  await phone.page.getByRole('heading', { name: 'This link does not work any more' }).waitFor()
  await phone.close()
  await workshop.owner.page.goto(workshop.at('/user_preferences/'))
  await workshop.owner.page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

test('the phone app signs in within its web view and is handed the key of the session', async () => {
  workshop.evidence('mail-phone-app')
  const app = await aPerson(PHONE)
  await app.page.goto(workshop.at('/mobile/auth/login/'))
  await app.page.getByLabel('E-mail').fill(OWNER.email)
  await app.page.getByLabel('Password').fill(NEW_PASSWORD)
  await app.page.getByRole('button', { name: 'Sign in' }).click()
  await app.page.getByText('You can go on in the app.').waitFor()
  const key = await app.page.evaluate(() => document.querySelector('#view')?.textContent)
  const answer = await fetch(workshop.at('/api/v1/users/me/'), {
    headers: { cookie: `tsd_sessionid=${key}` },
  })
  const me = (await answer.json()) as { email: string; unsub_token: string }
  expect(me.email).toBe(OWNER.email)

  // And the link below letters asks before it does anything.
  await app.page.goto(workshop.at(`/unsubscribe_email/?unsub_token=${me.unsub_token}&list=print_done`))
  await app.page.getByText('No more mail about finished prints.').waitFor()
  await app.page.getByRole('button', { name: 'Unsubscribe' }).click()
  await app.page.getByRole('heading', { name: 'Unsubscribed' }).waitFor()
  expect(complaintsBut(app)).toEqual([])
  await app.close()
})
