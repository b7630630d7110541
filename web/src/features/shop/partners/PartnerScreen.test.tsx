import { screen, waitFor, within } from '@testing-library/react'
import { bootstrap } from '@vigil/contract/people/accounts.ts'
import { getPartner, type PartnerOffer, redeemOffer } from '@vigil/contract/shop/coupons.ts'
import { getProCheckout } from '@vigil/contract/shop/payments.ts'
import {
  type ActiveSubscription,
  getActiveSubscription,
  getPricing,
} from '@vigil/contract/shop/subscriptions.ts'
import { expect, test, vi } from 'vitest'
import { PRICES } from '../../../../dev/prices.ts'
import { answers, aServer, booted, refuses } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import PartnerScreen from './PartnerScreen.tsx'

const boot = booted()
const AT = '/ent/partners/redeem/btt/?coupon_code=M582931'
const GIVEN: PartnerOffer = {
  offer: 'btt_3m_unlimited',
  plan_id: 'pro-btt-3m',
  months: 3,
  by: 'code',
  first_percent_off: 0,
  renewal_percent_off: 0,
}
const BOUGHT = {
  ...GIVEN,
  offer: 'btt_1y',
  months: 12,
  by: 'checkout',
  first_percent_off: 100,
  renewal_percent_off: 20,
} as const

interface Given {
  readonly offer?: PartnerOffer | null
  readonly isIn?: boolean
  readonly mayJoin?: boolean
  readonly planId?: string | null
  readonly at?: string
}

/** The page of an offer, for somebody. */
async function shown({ offer = GIVEN, isIn = true, mayJoin = true, planId = null, at = AT }: Given = {}) {
  const active: ActiveSubscription = {
    subscription:
      planId === null
        ? null
        : {
            id: 1,
            plan_id: planId,
            status: 'active',
            state: 'active',
            billing_cycle: null,
            printers: 1,
            dhpack_level: '0',
            started_at: '2026-11-01T10:00:00Z',
            expired_at: null,
            cancelled_at: null,
            is_legacy_pack: false,
          },
    cb_subscription: null,
    over_subscribed: false,
    printer_allowance: 1,
    active_printers: 1,
  }
  const server = aServer(
    answers(bootstrap, {
      ...boot,
      user: isIn ? boot.user : null,
      settings: { ...boot.settings, IS_ENT: true, ACCOUNT_ALLOW_SIGN_UP: mayJoin },
    }),
    answers(getPartner, { partner: 'btt', display_name: 'BTT', offer, apps: { ios: null, android: null } }),
    answers(getPricing, PRICES),
    answers(getActiveSubscription, active),
  )
  return { ...(await show(<PartnerScreen />, { at, form: '/ent/partners/redeem/$partner/' })), server }
}
const press = async (user: Awaited<ReturnType<typeof shown>>['user']) =>
  await user.click(await screen.findByRole('button', { name: 'Redeem Plan' }))

test('says what the offer is and brings, in the figures of the plans', async () => {
  const { server } = await shown()
  await screen.findByRole('heading', { name: '3 months of Pro for free' })
  expect(server.asked.find(({ path }) => path.endsWith('/pages/btt/'))?.query).toEqual({
    coupon_code: 'M582931',
  })
  expect(screen.getByText('50 AI Detection Hours a month, unused ones roll over')).toBeVisible()
  expect(screen.getByText('Unlimited 25 FPS premium webcam streaming')).toBeVisible()
  expect(screen.getByText(/add it to the home screen/)).toBeVisible()
  expect(screen.getByText('What happens when the plan is over?')).toBeVisible()
  expect(server.written()).toEqual([])
})

test('a code that is none of theirs is said to be invalid', async () => {
  await shown({ offer: null })
  await screen.findByRole('heading', { name: 'Oops! Invalid Coupon!' })
  expect(screen.queryByRole('button', { name: 'Redeem Plan' })).toBeNull()
})

test('who is signed out is asked to sign up, and comes back to have it redeemed', async () => {
  const { user, server } = await shown({ isIn: false })
  await press(user)
  const dialog = await screen.findByRole('dialog')
  const next = encodeURIComponent('/ent/partners/redeem/btt/?coupon_code=M582931&redirect=true')
  expect(within(dialog).getByRole('link', { name: 'Sign up' }).getAttribute('href')).toMatch(
    new RegExp(`^/accounts/signup/?\\?next=${next}$`),
  )
  expect(within(dialog).getByRole('link', { name: 'I have an account' }).getAttribute('href')).toContain(next)
  expect(server.written()).toEqual([])
})

test('where nobody may sign up, one signs in', async () => {
  const { user } = await shown({ isIn: false, mayJoin: false })
  await press(user)
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).queryByRole('link', { name: 'Sign up' })).toBeNull()
  expect(within(dialog).getByRole('link', { name: 'I have an account' })).toBeVisible()
})

test('who comes back with `redirect` need not press: it is redeemed, once', async () => {
  const { server, router } = await shown({ at: `${AT}&redirect=true`, planId: 'pro-trial' })
  await waitFor(() => expect(server.written()).toHaveLength(1))
  expect(server.written()[0]).toMatchObject({
    path: redeemOffer.path.replace(':offer', 'btt_3m_unlimited'),
    body: { coupon_code: 'M582931' },
  })
  // Nor is it once more, for who goes back to the page.
  await waitFor(() => expect(router.state.location.search).toEqual({ coupon_code: 'M582931' }))
})

test('a redeemed plan is welcomed', async () => {
  const { user, server, router } = await shown()
  server.now(
    answers(redeemOffer, {
      subscription: {
        id: 2,
        plan_id: 'pro-btt-3m',
        status: 'active',
        state: 'partner',
        billing_cycle: null,
        printers: 100,
        dhpack_level: '0',
        started_at: '2026-11-01T10:00:00Z',
        expired_at: '2027-02-01T10:00:00Z',
        cancelled_at: null,
        is_legacy_pack: false,
      },
    }),
  )
  await press(user)
  await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/ent\/welcome\/redeemed\/?$/))
})

test.each([
  [412, 'already_redeemed', 'Error', /You have already redeemed this coupon\./],
  [412, 'not_in_pro_trial.', /^Oops! You already have a Pro Plan/, /Codes are for the Free plan/],
  [500, 'x', 'Error', /Failed to redeem the coupon code\. Please try again later\./],
  [404, 'invalid_coupon', 'Error', /Failed to redeem the coupon code\. Please try again later\./],
])('what is refused is told: %s %s', async (status, reason, title, said) => {
  const { user, server } = await shown()
  server.now(refuses(redeemOffer, status, { error: 'No.', reason }))
  await press(user)
  const dialog = await screen.findByRole('dialog', { name: title })
  expect(dialog).toHaveTextContent(said)
})

test('who has a plan is told so, and nothing is asked of the server', async () => {
  const { user, server } = await shown({ planId: 'pro' })
  await press(user)
  await screen.findByRole('dialog', { name: /You already have a Pro Plan/ })
  expect(server.written()).toEqual([])
})

test('an offer that is paid for leads to its checkout, with the code', async () => {
  const { user, server } = await shown({ offer: BOUGHT })
  await screen.findByText(/^Renews with a 20% lifetime discount/)
  const assign = vi.fn()
  vi.stubGlobal('location', { href: location.href, origin: location.origin, assign })
  server.now(
    answers(getProCheckout, {
      url: 'https://pay.example.org/1',
      id: '1',
      expires_at: '2026-11-02T10:00:00Z',
    }),
  )
  await press(user)
  await waitFor(() => expect(assign).toHaveBeenCalledWith('https://pay.example.org/1'))
  expect(server.asked.at(-1)?.query).toEqual({
    plan: 'pro',
    annual: 'true',
    printers: '1',
    dhpack_level: '0',
    coupon: 'M582931',
  })
})

test.each([
  ['invalid_coupon', 'Oops...', /Invalid coupon code\. Please make sure the coupon code has not been used/],
  ['email_unverified', 'Verify your e-mail address first', /billing communication/],
  ['invalid_plan', 'Oops...', /Something went wrong! Please contact us for help\./],
])('why there is no checkout is told: %s', async (reason, title, said) => {
  const { user, server } = await shown({ offer: BOUGHT })
  server.now(refuses(getProCheckout, 400, { error: 'No.', reason }))
  await press(user)
  expect(await screen.findByRole('dialog', { name: title })).toHaveTextContent(said)
})
