import { describe, expect, it } from 'vitest'
import type { Billed, Deal } from '../../../engines/billing/index.ts'
import { follow, type PlanState } from '../subscriptions/life.rules.ts'
import { firstOffOf, dealOf, startOf } from './deals.rules.ts'
import { type Ours, stepsTo } from './steps.rules.ts'
import { readPlans } from '../../../brands/plans.ts'

const DAY_MS = 86_400_000
const now = new Date('2026-11-26T10:00:00Z')
const days = (count: number) => new Date(now.getTime() + count * DAY_MS)
const plans = readPlans('/nowhere', 'base', 'base')
const dealFor = (more: object = {}, terms = {}): Deal =>
  dealOf(plans, { cycle: 'annual', printers: 3, packLevel: '5', ...more }, terms)!

const billed = (more: Partial<Billed> = {}): Billed => ({
  id: 'sub',
  checkoutId: 'c',
  customerId: 'cus',
  state: 'active',
  willEnd: false,
  termEnd: days(20),
  failedAt: null,
  deal: dealFor(),
  next: null,
  currency: 'USD',
  payments: [],
  ...more,
})

const oursOf = (state: string, { deal, termEnd }: Billed): Ours => ({
  state,
  endsAt: termEnd,
  billingCycle: deal.cycle,
  printers: deal.printers,
  dhpackLevel: deal.packLevel,
  baseCents: deal.cents.base,
  printersCents: deal.cents.printers,
  dhpackCents: deal.cents.pack,
  nextDeal: null,
})

describe('from every state that is paid for to every one that a provider tells', () => {
  const tells: [string, Billed, PlanState][] = [
    ['active', billed(), 'active'],
    ['ending', billed({ willEnd: true }), 'cancelled'],
    ['unpaid', billed({ state: 'past_due', failedAt: days(-1) }), 'past_due'],
    ['unpaid and ending', billed({ state: 'past_due', failedAt: days(-1), willEnd: true }), 'cancelled'],
    ['unpaid for too long', billed({ state: 'past_due', failedAt: days(-8) }), 'none'],
    ['ended', billed({ state: 'ended' }), 'none'],
    ['renewed', billed({ termEnd: days(385) }), 'active'],
    ['another deal', billed({ deal: dealFor({ printers: 1 }) }), 'active'],
  ]
  it.each(['active', 'cancelled', 'past_due'] as const)('%s', (state) => {
    for (const [name, told, to] of tells) {
      let at: PlanState = state
      for (const { edge } of stepsTo(oursOf(state, billed()), told, { now, graceDays: 7 })) {
        const next = follow(at, edge)
        expect([name, at, edge, next]).toEqual([name, at, edge, expect.any(String)])
        at = next!
      }
      expect([name, at]).toEqual([name, to])
      // Once there, nothing is left to do.
      if (to !== 'none' && !(state === 'cancelled' && to === 'cancelled'))
        expect(stepsTo(oursOf(to, told), told, { now, graceDays: 7 })).toEqual([])
    }
  })
})

it('what is planned is written down again when it is planned otherwise', () => {
  const from = days(20)
  const plan = (printers: number) => billed({ next: { deal: dealFor({ printers }), from } })
  const nextDeal = { deal: dealFor({ printers: 1 }), from: from.toISOString() }
  const ours = { ...oursOf('active', plan(1)), nextDeal }
  expect(stepsTo(ours, plan(1), { now, graceDays: 7 })).toEqual([])
  expect(stepsTo(ours, plan(2), { now, graceDays: 7 })).toMatchObject([{ edge: 'change' }])
})

describe('a deal', () => {
  it('comes to what the file says, whole cents', () => {
    expect(dealFor()).toMatchObject({ months: 12, cents: { base: 4800, printers: 4800, pack: 6000 } })
    expect(dealFor({ cycle: 'monthly', printers: 1, packLevel: '0' }).cents).toEqual({
      base: 600,
      printers: 0,
      pack: 0,
    })
    expect(dealOf(plans, { cycle: 'annual', printers: 1, packLevel: '3' })).toBeNull()
  })

  it('of a partner has its discount in each bill, and what the first one has more apart', () => {
    const wish = { cycle: 'annual', printers: 2, packLevel: '0' } as const
    const offer = plans.partners.flatMap(({ offers }) => offers).find(({ offer: name }) => name === 'btt_1y')!
    const deal = dealOf(plans, wish, { percentOff: offer.renewal_percent_off })!
    expect(deal.cents).toEqual({ base: 3840, printers: 1920, pack: 0 })
    expect(firstOffOf(plans, wish, offer, deal)).toBe(5760)
  })

  it('counts at once when it is dearer or longer, and with the next bill when it is cheaper or shorter', () => {
    const one = dealFor({ cycle: 'monthly' })
    expect(startOf(plans, one, dealFor({ cycle: 'monthly', printers: 4 }))).toBe('now')
    expect(startOf(plans, one, dealFor({ cycle: 'monthly', packLevel: '0' }))).toBe('renewal')
    expect(startOf(plans, one, dealFor({ cycle: 'annual', printers: 1, packLevel: '0' }))).toBe('now')
    expect(startOf(plans, dealFor(), dealFor({ cycle: 'monthly', printers: 100, packLevel: '20' }))).toBe(
      'renewal',
    )
  })

  it('of a smaller pack counts with the next bill, whatever is bought in its place', () => {
    const pack = dealFor({ printers: 1, packLevel: '20' })
    expect(startOf(plans, dealFor({ printers: 11, packLevel: '0' }), pack)).toBe('now')
    for (const printers of [11, 12])
      expect(startOf(plans, pack, dealFor({ printers, packLevel: '0' }))).toBe('renewal')
  })
})
