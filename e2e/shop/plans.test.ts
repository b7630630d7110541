import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { inSuite } from '../../scripts/suites.ts'
import { aWorkshop } from '../fixture.ts'
import { endPlan } from '../plans.ts'
import { addPrinter, aPerson, complaintsBut, type Person } from '../support.ts'

const PASSWORD = 'a good long password'
/** What journeys provoke: a code that was redeemed before. */
const REDEEMED = /status of 412/

/** The shipped brands, of which a partner has a code that many have. */
const brands = mkdtempSync(join(tmpdir(), 'vigil-brands-'))
cpSync(join(import.meta.dirname, '../../server/brands'), brands, { recursive: true })
const file = join(brands, 'base/plans.json')
const plans = JSON.parse(readFileSync(file, 'utf8'))
plans.partners.find(({ name }: { name: string }) => name === 'three_do').offers[0].codes = [
  { is: 'THREE-FREE' },
]
writeFileSync(file, JSON.stringify(plans))
afterAll(() => rmSync(brands, { recursive: true }))

const workshop = aWorkshop({
  env: { IS_ENT: 'true', ACCOUNT_ALLOW_SIGN_UP: 'true', BRANDS_FOLDER: brands },
})

/** Calls the server in the name of whoever is before that browser. */
async function ask({ page }: Person, path: string, body: object): Promise<{ status: number; json: any }> {
  return await page.evaluate(
    async ([to, text]) => {
      const headers = { 'Content-Type': 'application/json' }
      const answer = await fetch(to, { method: 'POST', headers, body: text })
      return { status: answer.status, json: await answer.json() }
    },
    [path, JSON.stringify(body)] as const,
  )
}

/** Codes that the administrator has made. */
async function codes(wish: object): Promise<string[]> {
  const { page } = workshop.owner
  if (!page.url().startsWith(workshop.vigil.address)) await page.goto(workshop.at('/printers/'))
  const { status, json } = await ask(workshop.owner, '/api/v1/admin/coupons/', {
    brand: 'base',
    count: 2,
    ...wish,
  })
  expect(status).toBe(201)
  return json.codes
}

/** Fills in the form of a new account. */
async function fill({ page }: Person, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign up', exact: true }).click()
}

/** Somebody who has just signed up, and sees their trial. */
async function aNewcomer(email: string): Promise<Person> {
  const person = await aPerson()
  workshop.evidence(email, person)
  await person.page.goto(workshop.at('/accounts/signup/'))
  await fill(person, email)
  await person.page.getByRole('heading', { name: 'Your 30-day Pro trial has started' }).waitFor()
  return person
}

test('who signs up tries Pro; when that is over they have one printer, and the other is put away', async () => {
  const email = 'trial@example.org'
  const person = await aNewcomer(email)
  const { page } = person
  expect(new URL(page.url()).pathname).toBe('/ent/welcome/trial/')
  await page.getByText('250 hours watched by AI').waitFor()
  const [older, newer] = [await addPrinter(page, 'Older'), await addPrinter(page, 'Newer')]
  await page.getByRole('link', { name: 'Just Checking Out' }).click()
  await page.getByText('Newer').first().waitFor()
  await endPlan(workshop.vigil, email)
  // Of two that never printed the older goes.
  await page.getByText('Older').first().waitFor({ state: 'detached' })
  await page.goto(workshop.at('/ent/printers/archived/'))
  await page.getByText('Older').waitFor()
  const take = page.getByRole('button', { name: 'Un-archive' })
  expect(await take.getAttribute('aria-disabled')).toBe('true')
  await take.hover()
  await page.getByRole('tooltip').getByText("Your subscription plan doesn't allow more printers.").waitFor()
  await page.goto(workshop.at('/user_preferences/subscription/'))
  await page.getByRole('heading', { name: 'Free plan' }).waitFor()
  await page.getByText('1 of 1').waitFor()
  expect(newer.id).toBeGreaterThan(older.id)
  expect(person.complaints).toEqual([])
  await person.close()
})

const GIVEN = [
  ['btt', { offer: 'btt_3m_unlimited' }],
  ['mintion', { offer: 'mintion_3m_unlimited' }],
  ['three_do', 'THREE-FREE'],
] as const

test.each(inSuite(GIVEN.slice(0, 1), [...GIVEN]))(
  'a code of %s is redeemed by who is signed out, who signs up and comes back, and by who is in',
  async (partner, given) => {
    const [code = '', second = ''] = given === 'THREE-FREE' ? [given, given] : await codes(given)
    const path = (one: string) => `/ent/partners/redeem/${partner}/?coupon_code=${one}`
    const stranger = await aPerson()
    workshop.evidence(`partner-${partner}`, stranger)
    const { page } = stranger
    await page.goto(workshop.at(path(code)))
    await page.getByRole('heading', { name: '3 months of Pro for free' }).waitFor()
    await page.getByRole('button', { name: 'Redeem Plan' }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'Sign up' }).click()
    await fill(stranger, `out-${partner}@example.org`)
    await page.getByRole('heading', { name: 'You have a three-month Pro plan' }).waitFor()

    // They have a plan now: another code is none for them, and their account is not deleted.
    await page.goto(workshop.at(path(second)))
    await page.getByRole('button', { name: 'Redeem Plan' }).click()
    await page.getByRole('dialog').getByText('Oops! You already have a Pro Plan').waitFor()
    await page.goto(workshop.at('/user_preferences/delete/'))
    await page.getByText("An account with an active subscription can't be deleted.").waitFor()
    expect(await page.getByRole('button', { name: 'Delete account' }).count()).toBe(0)
    expect(stranger.complaints).toEqual([])
    await stranger.close()

    const member = await aNewcomer(`in-${partner}@example.org`)
    await member.page.goto(workshop.at(path(second)))
    await member.page.getByRole('button', { name: 'Redeem Plan' }).click()
    await member.page.getByRole('heading', { name: 'You have a three-month Pro plan' }).waitFor()
    expect(member.complaints).toEqual([])
    await member.close()
  },
)

test('a code for hours is redeemed once', async () => {
  const [code = ''] = await codes({ hours: 20, description: 'Fair' })
  const person = await aNewcomer('coupon@example.org')
  const { page } = person
  await page.goto(workshop.at('/user_preferences/coupons/'))
  await page.getByRole('textbox', { name: 'Coupon code' }).fill(code)
  await page.getByRole('button', { name: 'Redeem', exact: true }).click()
  await page.getByRole('heading', { name: 'Last redeemed code' }).waitFor()
  expect(await page.getByText(code, { exact: true }).count()).toBe(2)
  await page.getByRole('textbox', { name: 'Coupon code' }).fill(code)
  await page.getByRole('button', { name: 'Redeem', exact: true }).click()
  await page.getByText('You have already redeemed this coupon.').waitFor()
  expect(complaintsBut(person, REDEEMED)).toEqual([])
  await person.close()
})
