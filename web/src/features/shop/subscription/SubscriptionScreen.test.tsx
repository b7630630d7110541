import { screen } from '@testing-library/react'
import { getGCodeStorage } from '@vigil/contract/files/gcode-files.ts'
import { bootstrap } from '@vigil/contract/people/accounts.ts'
import { getTunnelUsage } from '@vigil/contract/remote/tunnels.ts'
import { getDetectionHours } from '@vigil/contract/shop/hours.ts'
import {
  type ActiveSubscription,
  getPricing,
  getActiveSubscription,
  listSubscriptions,
  type Subscription,
} from '@vigil/contract/shop/subscriptions.ts'
import { expect, test } from 'vitest'
import { PRICES } from '../../../../dev/prices.ts'
import { answers, aServer, booted } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import SubscriptionScreen from './SubscriptionScreen.tsx'

const boot = booted()
const plan = (more: Partial<Subscription>): Subscription => ({
  id: 1,
  plan_id: 'pro',
  status: 'active',
  state: 'active',
  billing_cycle: 'annual',
  printers: 3,
  dhpack_level: '0',
  started_at: '2026-11-01T10:00:00Z',
  expired_at: null,
  cancelled_at: null,
  is_legacy_pack: false,
  ...more,
})

async function shown(
  subscription: Subscription | null,
  past: Subscription[] = [],
  more: Partial<ActiveSubscription> = {},
) {
  const active: ActiveSubscription = {
    subscription,
    cb_subscription: null,
    over_subscribed: false,
    printer_allowance: 3,
    active_printers: 2,
    ...more,
  }
  const MIB = 1_048_576
  aServer(
    answers(bootstrap, { ...boot, settings: { ...boot.settings, IS_ENT: true } }),
    answers(getActiveSubscription, active),
    answers(listSubscriptions, past),
    answers(getPricing, PRICES),
    answers(getTunnelUsage, { total: 30 * MIB, monthly_cap: 300 * MIB, reset_in_seconds: 10 }),
    answers(getGCodeStorage, { used_bytes: 5 * MIB, storage_bytes: null, file_bytes: null }),
    answers(getDetectionHours, {
      balance: 12.5,
      included: 12.5,
      earned: 0,
      is_unlimited: false,
      included_expires_at: null,
      low: false,
      next_grant: null,
    }),
  )
  await show(<SubscriptionScreen />)
}

test.each([
  [null, 'Free plan', /One printer/],
  [
    plan({ state: 'trial', expired_at: '2026-12-01T10:00:00Z' }),
    'Free trial of Pro',
    /until December 1, 2026/,
  ],
  [plan({ state: 'complimentary' }), 'Complimentary Pro', /without an end/],
  [plan({ state: 'partner', expired_at: '2026-12-01T10:00:00Z' }), 'Pro by a partner', /December 1, 2026/],
  [plan({}), 'Pro', /renewed by itself/],
  [plan({ state: 'cancelled', expired_at: '2026-12-01T10:00:00Z' }), 'Pro', /goes on until December 1, 2026/],
  [plan({ state: 'past_due', expired_at: '2026-12-01T10:00:00Z' }), 'Pro', /ends on December 1, 2026/],
])('says what the plan is: %o', async (given, name, says) => {
  await shown(given)
  await screen.findByRole('heading', { name })
  expect(screen.getByText(says)).toBeVisible()
})

test('says what of it is used, and what there was before', async () => {
  await shown(plan({}), [
    plan({
      id: 9,
      plan_id: 'pro-trial',
      status: 'expired',
      state: 'expired',
      expired_at: '2026-12-01T10:00:00Z',
    }),
  ])
  await screen.findByText('2 of 3')
  await screen.findByText(/^12\W{1,3}h\W{1,3}30\W{1,3}min left$/)
  await screen.findByText(/^30\W{1,3}MB of 300\W{1,3}MB$/)
  await screen.findByText(/^5\W{1,3}MB, unlimited$/)
  expect(screen.getByText('Free trial')).toBeVisible()
  expect(screen.getByText('November 1, 2026 to December 1, 2026')).toBeVisible()
})

const billed = {
  id: 'x',
  status: 'active',
  currency: 'USD',
  total_cents: 9600,
  base_cents: 4800,
  printers_cents: 4800,
  dhpack_cents: 0,
  next_billing_at: null,
  current_term_end: null,
  scheduled_cancellation: false,
  next: null,
}

test('says what is paid for with it, and what the next bill comes to', async () => {
  const { level, hours } = PRICES.dhpacks[0]!
  const paid = { ...billed, next_billing_at: '2027-11-01T10:00:00Z' }
  await shown(plan({ dhpack_level: level }), [], { cb_subscription: paid })
  await screen.findByText('Next bill, November 1, 2027')
  expect(screen.getByText(/^\$96\.00 billed once a year/)).toBeVisible()
  expect(await screen.findByText(new RegExp(`^${hours}\\W{1,3}h$`))).toBeVisible()
})

test('says that fewer printers are in use than are paid for', async () => {
  await shown(plan({}), [], { over_subscribed: true, cb_subscription: billed })
  await screen.findByText(/^You use fewer printers than you pay for: 2 of 3\./)
})
