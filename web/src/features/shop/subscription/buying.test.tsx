import { screen, waitFor, within } from '@testing-library/react'
import { bootstrap } from '@vigil/contract/people/accounts.ts'
import {
  cancelSubscription,
  changeSubscription,
  getPackCheckout,
  getProCheckout,
  type PlanChange,
  previewChange,
} from '@vigil/contract/shop/payments.ts'
import {
  type ActiveSubscription,
  getActiveSubscription,
  getPricing,
  listSubscriptions,
  type Pricing,
} from '@vigil/contract/shop/subscriptions.ts'
import { expect, test, vi } from 'vitest'
import { PRICES } from '../../../../dev/prices.ts'
import { answers, aServer, booted, refuses } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import SubscriptionScreen from './SubscriptionScreen.tsx'

const boot = booted()
const limits = {
  printers: null,
  detection_interval_seconds: 10,
  hours_per_month: 50,
  stream_fps: 25,
  stream_cycle_seconds: null,
  tunnel_bytes: null,
  g_code_file_bytes: null,
  g_code_storage_bytes: null,
  sms: true,
  sharing: true,
}
const pricing: Pricing = {
  ...PRICES,
  limits: { free: limits, pro: limits },
  dhpacks: [
    ...PRICES.dhpacks.slice(0, 1),
    {
      level: '20',
      hours: 2500,
      subscribe_cents: { annual: 24_000, monthly: 3000 },
      prepaid_hours: 500,
      prepaid_cents: 2000,
    },
  ],
  recommended_by_printers: ['5', '20'],
}
const paidFor: ActiveSubscription = {
  subscription: {
    id: 7,
    plan_id: 'pro',
    status: 'active',
    state: 'active',
    billing_cycle: 'annual',
    printers: 1,
    dhpack_level: '0',
    started_at: '2026-11-01T10:00:00Z',
    expired_at: null,
    cancelled_at: null,
    is_legacy_pack: false,
  },
  cb_subscription: {
    id: 'sub',
    status: 'active',
    currency: 'USD',
    total_cents: 4800,
    base_cents: 4800,
    printers_cents: 0,
    dhpack_cents: 0,
    next_billing_at: '2027-11-01T10:00:00Z',
    current_term_end: '2027-11-01T10:00:00Z',
    scheduled_cancellation: false,
    next: null,
  },
  over_subscribed: false,
  printer_allowance: 1,
  active_printers: 1,
}
const free = { ...paidFor, subscription: null, cb_subscription: null }

async function shown(active: ActiveSubscription, sells: Pricing['checkout'] = 'sandbox', at = '/') {
  const server = aServer(
    answers(bootstrap, { ...boot, settings: { ...boot.settings, IS_ENT: true } }),
    answers(getActiveSubscription, active),
    answers(getPricing, { ...pricing, checkout: sells }),
    answers(listSubscriptions, []),
  )
  return { server, ...(await show(<SubscriptionScreen />, { at })) }
}

test('a plan is built, and bought on a page of who takes the money', async () => {
  const { server, user } = await shown(free)
  await screen.findByText(/no money moves/)
  const gone = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
  server.now(
    answers(getProCheckout, { url: 'https://pay.example/1', id: '1', expires_at: '2026-11-26T11:00:00Z' }),
  )
  await user.click(await screen.findByRole('button', { name: 'Get Pro' }))
  const count = await screen.findByRole('textbox', { name: 'Printers' })
  await user.clear(count)
  await user.type(count, '3')
  // The recommended pack is marked, and not chosen for anybody.
  expect(screen.getByLabelText('None')).toBeChecked()
  await user.click(screen.getByLabelText(/^300 h/))
  // 48 and two for 24, and a pack for 60: 13 a month.
  expect(screen.getByText('$13.00 a month')).toBeVisible()
  expect(screen.getByText(/\$156.00 billed once a year/)).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Checkout' }))
  await waitFor(() => expect(gone).toHaveBeenCalledWith('https://pay.example/1'))
  const asked = server.asked.find(({ path }) => path === getProCheckout.path)
  expect(asked?.query).toMatchObject({ annual: 'true', printers: '3', dhpack_level: '5' })
})

test('whose address is not confirmed is shown the way to do so', async () => {
  const { server, user } = await shown(free)
  const refused = { error: 'Verify', reason: 'email_unverified' }
  server.now(refuses(getProCheckout, 400, refused), refuses(getPackCheckout, 400, refused))
  await user.click(await screen.findByRole('button', { name: 'Buy hours' }))
  const buy = await screen.findByRole('button', { name: 'Checkout' })
  expect(buy).toBeDisabled()
  await user.click(screen.getByLabelText(/^500 h for/))
  await user.click(buy)
  await screen.findByText(/used for billing communication/)
  expect(screen.getByRole('link', { name: 'Go to email addresses' })).toHaveAttribute(
    'href',
    expect.stringMatching(/^\/accounts\/email/),
  )
})

const dearer: PlanChange = {
  currency: 'USD',
  from: 'now',
  starts_at: '2026-11-26T10:00:00Z',
  due_now_cents: 2640,
  tax_cents: 240,
  lines: [
    { what: 'Unused', cents: -4800 },
    { what: 'New', cents: 7200 },
  ],
  next_total_cents: 7200,
  next_billing_at: '2027-11-01T10:00:00Z',
  agreed_at: '2026-11-26T10:00:00.000Z',
}

test('what a change comes to is shown before one agrees', async () => {
  const { server, user } = await shown(paidFor)
  server.now(answers(previewChange, dearer), answers(changeSubscription, paidFor))
  await user.click(await screen.findByRole('button', { name: 'Change plan' }))
  await screen.findByText('This is your plan as it is.')
  const count = screen.getByRole('textbox', { name: 'Printers' })
  await user.clear(count)
  await user.type(count, '2')
  await screen.findByText('$26.40')
  expect(screen.getByText('-$48.00')).toBeVisible()
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Change plan' }))
  await screen.findByText('Your plan was changed')
  expect(server.written().at(-1)?.body).toMatchObject({ printers: 2, agreed_at: '2026-11-26T10:00:00.000Z' })
})

test('what a change comes to is asked once somebody has chosen, not at each key', async () => {
  const { server, user } = await shown(paidFor)
  server.now(answers(previewChange, dearer))
  await user.click(await screen.findByRole('button', { name: 'Change plan' }))
  const count = await screen.findByRole('textbox', { name: 'Printers' })
  await user.clear(count)
  await user.type(count, '25')
  const agree = within(screen.getByRole('dialog')).getByRole('button', { name: 'Change plan' })
  expect(agree).toBeDisabled()
  await screen.findByText('$26.40')
  expect(agree).toBeEnabled()
  const asked = server.written().filter(({ path }) => path === previewChange.path)
  expect(asked.map(({ body }) => body)).toEqual([expect.objectContaining({ printers: 25 })])
})

test('what a change came to before another one was made is agreed to no more', async () => {
  const { server, user } = await shown(paidFor)
  server.now(answers(previewChange, dearer), answers(changeSubscription, paidFor))
  const agree = () => within(screen.getByRole('dialog')).getByRole('button', { name: 'Change plan' })
  const wantTwo = async () => {
    await user.click(await screen.findByRole('button', { name: 'Change plan' }))
    const count = await screen.findByRole('textbox', { name: 'Printers' })
    await user.clear(count)
    await user.type(count, '2')
  }
  await wantTwo()
  await screen.findByText('$26.40')
  await user.click(agree())
  await screen.findByText('Your plan was changed')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const asked = () => server.written().filter(({ path }) => path === previewChange.path).length
  const before = asked()
  server.now(answers(previewChange, () => new Promise<never>(() => {})))
  await wantTwo()
  await waitFor(() => expect(asked()).toBeGreaterThan(before))
  expect(screen.queryByText('$26.40')).toBeNull()
  expect(agree()).toBeDisabled()
})

test('a plan is cancelled with a reason and what follows acknowledged', async () => {
  const { server, user } = await shown(paidFor)
  await user.click(await screen.findByRole('button', { name: 'Cancel plan' }))
  const cancel = () =>
    user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel plan' }))
  await screen.findByText(/goes on until November 1, 2027/)
  await cancel()
  expect(await screen.findByText('Please say why.')).toBeVisible()
  server.now(refuses(cancelSubscription, 409, { error: 'Already.', reason: 'already_cancelled' }))
  await user.type(screen.getByLabelText('Why do you cancel?'), 'Too dear')
  await user.click(screen.getByLabelText(/^I understand/))
  await cancel()
  expect(await screen.findByText(/^Failed to cancel subscription/)).toBeVisible()
  expect(server.written()[0]?.body).toEqual({ reason: 'Too dear', acknowledged: true })
})

test('says what became of a checkout, and that nothing is sold where nothing is', async () => {
  await shown(free, 'none', '/?refused=invalid_coupon')
  await screen.findByText('Checkout is not set up on this server yet.')
  expect(screen.getByText(/^Invalid coupon code/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Get Pro' })).toBeNull()
})
