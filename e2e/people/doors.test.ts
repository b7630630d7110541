import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { inSuite } from '../../scripts/suites.ts'
import { openProvider } from '../../server/test/oidc.ts'
import { openTestSmtp } from '../../server/test/smtp.ts'
import { aWorkshop } from '../fixture.ts'
import { BOTH_LANGUAGES, OWNER_LOOKS, wordsIn } from '../looks.ts'
import { addPrinter, aPerson, complaintsBut, OWNER, walkTo } from '../support.ts'

/** The browser logs the first answers to who is not signed in. */
const REFUSED = /status of 40[03]/
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const
const PASSWORD = 'a good long password'
const NEW_PASSWORD = 'a new and better one'

const smtp = await openTestSmtp()
const provider = await openProvider()
const workshop = aWorkshop({ env: { ...smtp.env, ...provider.env, ACCOUNT_ALLOW_SIGN_UP: 'true' } })
afterAll(() => Promise.all([smtp.close(), provider.close()]))

const linkIn = (text: string | undefined, path: string) =>
  new URL(new RegExp(`http\\S+${path}\\S+`).exec(text ?? '')![0])
const door = (page: Page) => page.getByRole('link', { name: 'Sign in with House ID' })
/** From now on the provider answers. */
let isServed = false
function serve(): void {
  if (!isServed) provider.serve(workshop.at('/accounts/oidc/login/callback/'))
  isServed = true
}
const atLogin = () => workshop.at('/accounts/login/')

async function signsIn(page: Page): Promise<void> {
  await page.goto(atLogin())
  await door(page).click()
  await page.waitForURL(/\/printers\//)
  await page.locator('main h1, main h2').first().waitFor()
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
  serve()
  provider.signsIn({ sub: 'mika', email: 'mika@example.net', email_verified: true, given_name: 'Mika' })
  for (const device of inSuite(['first'], ['first', 'second'])) {
    const visitor = await aPerson()
    workshop.evidence(`providers-${device}`, visitor)
    await signsIn(visitor.page)
    await walkTo(visitor.page, '/user_preferences/profile/')
    await visitor.page.getByText('mika@example.net').waitFor()
    expect(await visitor.page.getByLabel('First name').inputValue()).toBe('Mika')
    expect(complaintsBut(visitor, REFUSED)).toEqual([])
    await visitor.close()
  }
})

test('an owner connects a provider, comes in by it, and takes it out', async () => {
  workshop.evidence('providers-link')
  const { page } = workshop.owner
  serve()
  provider.signsIn({ sub: 'owner-elsewhere', email: 'else@example.net', email_verified: true })
  await walkTo(page, '/user_preferences/security/')
  await page.getByRole('button', { name: 'Connect House ID' }).click()
  await page.getByRole('button', { name: 'Disconnect House ID' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/user_preferences/security/')

  const other = await aPerson()
  workshop.evidence('providers-by-link', other)
  await signsIn(other.page)
  await walkTo(other.page, '/user_preferences/profile/')
  await other.page.locator('#main').getByText('owner@example.org').waitFor()
  await other.close()

  await page.getByRole('button', { name: 'Disconnect House ID' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await page.getByRole('button', { name: 'Connect House ID' }).waitFor()
  expect(complaintsBut(workshop.owner, REFUSED)).toEqual([])
})

test('who says no at the provider is back at the sign-in, and is told', async () => {
  serve()
  provider.signsIn(null)
  const visitor = await aPerson()
  workshop.evidence('providers-no', visitor)
  await visitor.page.goto(atLogin())
  await door(visitor.page).click()
  await visitor.page.getByRole('alert').getByText('House ID was called off').waitFor()
  expect(complaintsBut(visitor, REFUSED)).toEqual([])
  await visitor.close()
})

test.each(OWNER_LOOKS)(
  'who is invited signs up, accepts, and sees the printer (%s)',
  async (language, look) => {
    const { person: owner, page, say } = await workshop.ownerBefore(look, `household-${language}`)
    const name = `Voron ${language}`
    const email = `ada-${language}@example.net`
    await addPrinter(page, name)
    await walkTo(page, '/user_preferences/household/')
    await page.getByRole('textbox', { name: say('household:form.email') }).fill(email)
    await page.getByRole('combobox', { name: say('household:form.role') }).selectOption('operator')
    await page.getByRole('button', { name: say('household:form.invite'), exact: true }).click()
    await page.getByText(email).first().waitFor()

    const letter = await smtp.letterTo(email, /./)
    const link = /http\S+\/invitation\/#key=[\w-]+/.exec(letter.text ?? '')?.[0] ?? ''
    const ada = await aPerson({ locale: language === 'zh' ? 'zh-CN' : 'en-GB' })
    const words = wordsIn(language)
    await ada.page.goto(link)
    await ada.page.getByRole('heading', { name: words('household:invitation.title') }).waitFor()
    await ada.page.getByRole('link', { name: words('household:invitation.signUp') }).click()
    await ada.page.locator('input[type=email]').fill(email)
    for (const field of await ada.page.locator('input[type=password]').all()) await field.fill(PASSWORD)
    await ada.page.locator('form button[type=submit]').click()
    await ada.page.getByRole('button', { name: words('household:invitation.accept') }).click()
    await ada.page.getByText(name).first().waitFor()
    expect(complaintsBut(ada, REFUSED)).toEqual([])
    await ada.close()

    await page.reload()
    await page.getByText(say('household:log.acts.household_joined')).first().waitFor()
    expect(complaintsBut(owner, REFUSED)).toEqual([])
    if (look) await owner.close()
  },
)

test.each(BOTH_LANGUAGES)(
  'who runs this server tries its mail, and looks how it does (%s)',
  async (language, look) => {
    const { person: owner, page, say } = await workshop.ownerAt(look, `operator-${language}`)
    const ops = `ops-${language}@example.net`
    await page.goto(workshop.at('/admin/jobs/'))
    await page.getByRole('textbox', { name: say('admin:mail.email') }).fill(ops)
    await page.getByRole('button', { name: say('admin:mail.send'), exact: true }).click()
    await page.getByText(say('admin:mail.accepted', { said: '' }).trim()).waitFor()
    await smtp.letterTo(ops, /./)
    await page.goto(workshop.at('/admin/system/'))
    await page.getByText(say('admin:system.states.ready'), { exact: true }).waitFor()
    const never = page.getByText(say('admin:system.never'))
    if (await never.isVisible()) await page.getByRole('button', { name: say('admin:system.count') }).click()
    await never.waitFor({ state: 'detached' })
    expect(complaintsBut(owner)).toEqual([])
    await owner.close()
  },
)

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
  expect(complaintsBut(workshop.owner, REFUSED)).toEqual([])
})

test('who forgot the password chooses a new one on a phone, and other devices are signed out', async () => {
  workshop.evidence('mail-reset')
  const phone = await aPerson(PHONE)
  await phone.page.goto(atLogin())
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
  await phone.page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await phone.page.getByRole('heading', { level: 1 }).waitFor()
  await phone.page.waitForURL(/\/printers\//)
  expect(complaintsBut(phone)).toEqual([])

  // The link is used up.
  await walkTo(phone.page, '/accounts/logout/')
  await phone.page.getByRole('button', { name: 'Log out' }).click()
  await phone.page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await walkTo(phone.page, link.pathname)
  await phone.page.getByRole('heading', { name: 'This link does not work any more' }).waitFor()
  await phone.close()
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
