import { screen } from '@testing-library/react'
import { bootstrap } from '@vigil/contract/people/accounts.ts'
import {
  type ActiveSubscription,
  getActiveSubscription,
  getPricing,
} from '@vigil/contract/shop/subscriptions.ts'
import { expect, test } from 'vitest'
import { PRICES } from '../../../../dev/prices.ts'
import { answers, aServer, booted } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import WelcomeScreen from './WelcomeScreen.tsx'

const DAY_MS = 86_400_000
const boot = booted()
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

async function shown(at: string, plan_id: string, [started, ends]: [number, number], label = 'Pro') {
  const expired_at = inDays(ends)
  const active: ActiveSubscription = {
    subscription: {
      id: 1,
      plan_id,
      status: 'active',
      state: plan_id === 'pro-trial' ? 'trial' : 'partner',
      billing_cycle: null,
      printers: 100,
      dhpack_level: '0',
      started_at: inDays(started),
      expired_at,
      cancelled_at: null,
      is_legacy_pack: false,
    },
    cb_subscription: null,
    over_subscribed: true,
    printer_allowance: 100,
    active_printers: 0,
  }
  aServer(
    answers(bootstrap, {
      ...boot,
      user: { ...boot.user!, subscription: { plan_id, expired_at } },
      settings: { ...boot.settings, IS_ENT: true },
    }),
    answers(getActiveSubscription, active),
    answers(getPricing, { ...PRICES, label, trial: { days: 30, hours: 120 } }),
  )
  return await show(<WelcomeScreen />, { at })
}

test('a trial that has just begun says what it is and brings, in the figures of the plans', async () => {
  await shown('/ent/welcome/trial/', 'pro-trial', [-0.01, 29.99], 'AI Premium')
  await screen.findByRole('heading', { name: 'Your 30-day AI Premium trial has started' })
  expect(screen.getByText('Unlimited 25 FPS premium webcam streaming')).toBeVisible()
  expect(screen.getByText('120 hours watched by AI')).toBeVisible()
  expect(screen.getByText('Unlimited secure tunnel')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Link Printer' })).toHaveAttribute(
    'href',
    expect.stringMatching(/^\/printers\/wizard\/?$/),
  )
  expect(screen.getByRole('link', { name: 'Just Checking Out' })).toHaveAttribute(
    'href',
    expect.stringMatching(/^\/printers\/?$/),
  )
})

test('a trial that runs says how many days are left', async () => {
  await shown('/ent/welcome/trial/', 'pro-trial', [-19.5, 10.5])
  await screen.findByRole('heading', { name: '11 days are left of your Pro trial' })
})

test.each([
  ['pro-mintion-3m', [0, 92], 'You have a three-month Pro plan'],
  ['pro-btt-1y', [0, 365], 'You have a one-year Pro plan'],
] as const)('a redeemed plan says for how long it is: %s', async (plan, [from, to], name) => {
  await shown('/ent/welcome/redeemed/', plan, [from, to])
  await screen.findByRole('heading', { name })
  expect(screen.getByText('First-layer AI failure detection')).toBeVisible()
  expect(screen.getByText('Unlimited secure tunnel to OctoPrint/Klipper')).toBeVisible()
})
