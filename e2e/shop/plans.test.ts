import { expect, test } from 'vitest'
import { inSuite } from '../../scripts/suites.ts'
import { endPlan } from '../plans.ts'
import { addPrinter, aPerson, complaintsBut, until, walkTo } from '../support.ts'
import { aMember, aNewcomer, aShop, ask, buys, codes, confirm, fillIn, pay } from './shop.ts'

/** What journeys provoke: a code that was redeemed before, an address that nobody has confirmed. */
const REDEEMED = /status of 412/
const UNCONFIRMED = /status of 400/
const PLAN = '/user_preferences/subscription/'

const shop = aShop()

test('who signs up tries Pro; when that is over they have one printer, and the other is put away', async () => {
  const email = 'trial@example.org'
  const person = await aNewcomer(shop, email)
  const { page } = person
  expect(new URL(page.url()).pathname).toBe('/ent/welcome/trial/')
  await page.getByText('250 hours watched by AI').waitFor()
  const [older, newer] = [await addPrinter(page, 'Older'), await addPrinter(page, 'Newer')]
  await page.getByRole('link', { name: 'Just Checking Out' }).click()
  await page.getByText('Newer').first().waitFor()
  await endPlan(shop.vigil, email)
  // Of two that never printed the older goes.
  await page.getByText('Older').first().waitFor({ state: 'detached' })
  await page.goto(shop.at('/ent/printers/archived/'))
  await page.getByText('Older').waitFor()
  const take = page.getByRole('button', { name: 'Un-archive' })
  expect(await take.getAttribute('aria-disabled')).toBe('true')
  await take.hover()
  await page.getByRole('tooltip').getByText("Your subscription plan doesn't allow more printers.").waitFor()
  await page.goto(shop.at(PLAN))
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
  'a code of %s is redeemed by who is signed out, who signs up and comes back; when it is over a printer is put away',
  async (partner, given) => {
    const [code = '', second = ''] = given === 'THREE-FREE' ? [given, given] : await codes(shop, given)
    const path = (one: string) => `/ent/partners/redeem/${partner}/?coupon_code=${one}`
    const stranger = await aPerson()
    shop.evidence(`partner-${partner}`, stranger)
    const { page } = stranger
    await page.goto(shop.at(path(code)))
    await page.getByRole('heading', { name: '3 months of Pro for free' }).waitFor()
    await page.getByRole('button', { name: 'Redeem Plan' }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'Sign up' }).click()
    await fillIn(stranger, `out-${partner}@example.org`)
    await page.getByRole('heading', { name: 'You have a three-month Pro plan' }).waitFor()

    // They have a plan now: another code is none for them, and their account is not deleted.
    await page.goto(shop.at(path(second)))
    await page.getByRole('button', { name: 'Redeem Plan' }).click()
    await page.getByRole('dialog').getByText('Oops! You already have a Pro Plan').waitFor()
    await walkTo(page, '/user_preferences/delete/')
    await page.getByText("An account with an active subscription can't be deleted.").waitFor()
    expect(await page.getByRole('button', { name: 'Delete account' }).count()).toBe(0)

    // When it is over, they have one printer, and the other is put away: of two that never printed the older.
    await addPrinter(page, 'Older')
    await addPrinter(page, 'Newer')
    await walkTo(page, '/printers/')
    await page.getByText('Newer').first().waitFor()
    await endPlan(shop.vigil, `out-${partner}@example.org`)
    await page.getByText('Older').first().waitFor({ state: 'detached' })
    expect(stranger.complaints).toEqual([])
    await stranger.close()
  },
)

test.each(GIVEN)('who is signed in redeems a code of %s', async (partner, given) => {
  const [code = ''] = given === 'THREE-FREE' ? [given] : await codes(shop, given)
  const member = await aMember(shop, `in-${partner}@example.org`)
  await member.page.goto(shop.at(`/ent/partners/redeem/${partner}/?coupon_code=${code}`))
  await member.page.getByRole('button', { name: 'Redeem Plan' }).click()
  await member.page.getByRole('heading', { name: 'You have a three-month Pro plan' }).waitFor()
  expect(member.complaints).toEqual([])
  await member.close()
})

test('a code for hours is redeemed once', async () => {
  const [code = ''] = await codes(shop, { hours: 20, description: 'Fair' })
  const person = await aMember(shop, 'coupon@example.org')
  const { page } = person
  await page.goto(shop.at('/user_preferences/coupons/'))
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

test('a year of three printers with a pack is bought on the page of prices, once the address is confirmed', async () => {
  const email = 'buyer@example.org'
  const person = await aMember(shop, email)
  const { page } = person
  await page.goto(shop.at('/ent_pub/pricing/'))
  await page.locator('#printers').fill('3')
  const builder = page.locator('#build')
  await builder.getByText('300\u00a0h').click()
  // 48 and two for 24, and a pack for 60.
  await builder.getByText('$156 billed once a year').waitFor()
  await builder.getByRole('button', { name: 'Checkout' }).click()
  await page.getByRole('dialog').getByText('Verify your e-mail address first').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await confirm(shop, email)
  await builder.getByRole('button', { name: 'Checkout' }).click()
  await pay(person, '$171.60')
  await page.getByRole('heading', { name: 'Pro', exact: true }).waitFor()
  await page.getByText('0 of 3', { exact: true }).waitFor()
  // What is left of the trial stays: 250, 50 of the plan, 300 of the pack.
  const { json } = await ask(person, '/ent/api/detection_hours/')
  expect(json).toMatchObject({ included: 600, next_grant: { hours: 350 } })
  expect(complaintsBut(person, UNCONFIRMED)).toEqual([])
  await person.close()
})

test('a plan grows at once, shrinks with the next bill, is cancelled and resumed', async () => {
  const email = 'changer@example.org'
  const person = await aMember(shop, email)
  const { page } = person
  await confirm(shop, email)
  await buys(person, 'printers=1', '$52.80')
  const dialog = page.getByRole('dialog')
  const want = async (printers: string) => {
    await page.getByRole('button', { name: 'Change plan' }).click()
    await dialog.getByRole('textbox', { name: 'Printers' }).fill(printers)
  }
  await want('3')
  await dialog.getByText('Charged now').waitFor()
  await dialog.getByRole('button', { name: 'Change plan' }).click()
  await page.getByText('Your plan was changed').waitFor()
  await page.getByText('0 of 3', { exact: true }).waitFor()
  await dialog.waitFor({ state: 'detached' })
  await want('2')
  await dialog.getByText('Until then you keep what is paid for').waitFor()
  await dialog.getByRole('button', { name: 'Change plan' }).click()
  await page.getByText('2 printers, $72.00 a year').waitFor()
  await page.getByRole('button', { name: 'Keep my plan as it is' }).click()
  await page.getByText('2 printers, $72.00 a year').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Cancel plan' }).click()
  await dialog.getByLabel('Why do you cancel?').fill('Too dear')
  await dialog.getByLabel('I understand what happens').check()
  await dialog.getByRole('button', { name: 'Cancel plan' }).click()
  await page.getByText('and is not renewed.').first().waitFor()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Resume plan' }).click()
  await page.getByText('It is renewed by itself.').waitFor()
  await page.goto(shop.at('/user_preferences/delete/'))
  await page.getByText("An account with an active subscription can't be deleted.").waitFor()
  expect(person.complaints).toEqual([])
  await person.close()
})

test('a card that is declined at renewal leaves the plan its grace; then it is over, and a printer put away', async () => {
  const email = 'owing@example.org'
  const person = await aMember(shop, email)
  const { page } = person
  await confirm(shop, email)
  await addPrinter(page, 'First')
  await addPrinter(page, 'Second')
  await buys(person, 'annual=false&printers=2', '$9.90')
  const shows = (words: string) =>
    until(async () => {
      await page.goto(shop.at(PLAN))
      await page.getByText('What is used').waitFor()
      return (await page.getByText(words).count()) > 0
    }, words)
  const passes = async (button: string) => {
    await page.getByRole('button', { name: 'Manage payment' }).click()
    await page.getByText('4000 0000 0000 0002').click()
    await page.getByRole('button', { name: 'Use this card' }).click()
    await page.getByRole('button', { name: button }).click()
  }
  await passes('Let the next bill come')
  await page.getByText('A payment failed.').waitFor()
  await shows('unless the payment succeeds before')
  await page.getByText('2 of 2').waitFor()
  await passes('Let 8 days pass')
  await shows('Free plan')
  await page.goto(shop.at('/ent/printers/archived/'))
  await page.getByText('First').waitFor()
  expect(await page.getByText('Second').count()).toBe(0)
  expect(person.complaints).toEqual([])
  await person.close()
})

test('hours that never expire are bought once', async () => {
  const email = 'hours@example.org'
  const person = await aMember(shop, email)
  const { page } = person
  await confirm(shop, email)
  await page.goto(shop.at(PLAN))
  await page.getByRole('button', { name: 'Buy hours' }).click()
  await page.getByLabel('500 h for').check()
  await page.getByRole('dialog').getByRole('button', { name: 'Checkout' }).click()
  await pay(person, '$22.00')
  await page.goto(shop.at('/user_preferences/dh/'))
  await page.getByText('Pre-paid hours').first().waitFor()
  expect((await ask(person, '/ent/api/detection_hours/')).json).toMatchObject({ included: 250, earned: 500 })
  expect(person.complaints).toEqual([])
  await person.close()
})

test('a code for a year that is renewed leads to its checkout, whoever is signed out, too', async () => {
  const [code = '', second = ''] = await codes(shop, { offer: 'yumi_1y' })
  const path = (one: string) => `/ent/partners/redeem/yumi/?coupon_code=${one}`
  const stranger = await aPerson()
  shop.evidence('partner-yumi', stranger)
  const { page } = stranger
  await page.goto(shop.at(path(code)))
  await page.getByRole('heading', { name: '12 months of Pro for free' }).waitFor()
  await page.getByRole('button', { name: 'Redeem Plan' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Sign up' }).click()
  await fillIn(stranger, 'out-yumi@example.org')
  // Back from there it is redeemed by itself, as far as that goes.
  await page.getByRole('dialog').getByText('Verify your e-mail address first').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await confirm(shop, 'out-yumi@example.org')
  await page.getByRole('button', { name: 'Redeem Plan' }).click()
  await pay(stranger, '$0.00')
  await page.getByRole('heading', { name: 'Pro', exact: true }).waitFor()
  expect(complaintsBut(stranger, UNCONFIRMED)).toEqual([])
  await stranger.close()

  const member = await aMember(shop, 'in-yumi@example.org')
  await confirm(shop, 'in-yumi@example.org')
  await member.page.goto(shop.at(path(second)))
  await member.page.getByRole('button', { name: 'Redeem Plan' }).click()
  await pay(member, '$0.00')
  expect(member.complaints).toEqual([])
  await member.close()
})
