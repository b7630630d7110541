import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { aWorkshop } from '../fixture.ts'
import { aPerson, type Person } from '../support.ts'
import { inDatabase } from '../vigil.ts'

const PASSWORD = 'a good long password'

/** A server that sells by the sandbox, of the shipped brands, one partner of which has a code that many have. */
export function aShop() {
  const brands = mkdtempSync(join(tmpdir(), 'vigil-brands-'))
  cpSync(join(import.meta.dirname, '../../server/brands'), brands, { recursive: true })
  const file = join(brands, 'base/plans.json')
  const plans = JSON.parse(readFileSync(file, 'utf8'))
  plans.partners.find(({ name }: { name: string }) => name === 'three_do').offers[0].codes = [
    { is: 'THREE-FREE' },
  ]
  writeFileSync(file, JSON.stringify(plans))
  afterAll(() => rmSync(brands, { recursive: true }))
  return aWorkshop({
    env: { IS_ENT: 'true', ACCOUNT_ALLOW_SIGN_UP: 'true', BILLING: 'sandbox', BRANDS_FOLDER: brands },
  })
}
export type Shop = ReturnType<typeof aShop>

/** Calls the server in the name of whoever is before that browser. */
export async function ask(
  { page }: Person,
  path: string,
  body?: object,
): Promise<{ status: number; json: any }> {
  return await page.evaluate(
    async ([to, text]) => {
      const headers = { 'Content-Type': 'application/json' }
      const post = { method: 'POST', headers, body: text }
      const answer = await fetch(to, text === undefined ? {} : post)
      return { status: answer.status, json: await answer.json() }
    },
    [path, body && JSON.stringify(body)] as const,
  )
}

/** Codes that the administrator has made. */
export async function codes(shop: Shop, wish: object): Promise<string[]> {
  const { page } = shop.owner
  if (!page.url().startsWith(shop.vigil.address)) await page.goto(shop.at('/printers/'))
  const all = { brand: 'base', count: 2, ...wish }
  const { status, json } = await ask(shop.owner, '/api/v1/admin/coupons/', all)
  expect(status).toBe(201)
  return json.codes
}

/** Fills in the form of a new account. */
export async function fillIn({ page }: Person, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign up', exact: true }).click()
}

/** Somebody who has just signed up by the form, and sees their trial. */
export async function aNewcomer(shop: Shop, email: string): Promise<Person> {
  const person = await aPerson()
  shop.evidence(email, person)
  await person.page.goto(shop.at('/accounts/signup/'))
  await fillIn(person, email)
  await person.page.getByRole('heading', { name: 'Your 30-day Pro trial has started' }).waitFor()
  return person
}

/** The same without the form, for journeys that are about something else: at a page of theirs. */
export async function aMember(shop: Shop, email: string): Promise<Person> {
  const person = await aPerson()
  shop.evidence(email, person)
  await person.page.goto(shop.at('/api/v1/bootstrap/'))
  const { status } = await ask(person, '/api/v1/auth/signup/', { email, password: PASSWORD })
  expect(status).toBe(201)
  return person
}

/** The letter that confirms an address was opened. */
export const confirm = ({ vigil }: Shop, email: string) =>
  inDatabase(vigil, (client) =>
    client.query('update users set is_primary_email_verified = true where email = $1', [email]),
  )

/** Pays what is shown, with the card that is chosen, and comes back. */
export async function pay({ page }: Person, amount: string): Promise<void> {
  await page.getByText('Sandbox: no money moves here.').waitFor()
  await page.getByRole('button', { name: `Pay ${amount}`, exact: true }).click()
  await page.getByText('Thank you. Your payment has arrived.').waitFor()
}

/** Buys a plan, without the page of prices. */
export async function buys(person: Person, query: string, amount: string): Promise<void> {
  const { json } = await ask(person, `/ent/generate_pro_checkout_url/?${query}`)
  await person.page.goto(json.url)
  await pay(person, amount)
}
