/** The life of a plan (docs/rules/plans.md 1, with a picture): which step leads from where to where. Pure. */

/** What an account has; `none` is the Free plan. */
export const STATES = [
  'none',
  'trial',
  'complimentary',
  'partner',
  'legacy',
  'active',
  'cancelled',
  'past_due',
] as const
export type PlanState = (typeof STATES)[number]

/** Who may take a step. */
type Actor = 'account' | 'operator' | 'provider' | 'clock'

interface Edge {
  readonly from: readonly PlanState[]
  readonly to: PlanState
  readonly by: readonly Actor[]
  /** The letter that tells of it; null where nobody has to be told. */
  readonly letter: string | null
}

/** Who pays nothing for what they have. */
const UNPAID = ['none', 'trial'] as const

export const EDGES = {
  sign_up: { from: ['none'], to: 'trial', by: ['account'], letter: 'trial_began' },
  give: { from: ['none', 'trial', 'complimentary'], to: 'complimentary', by: ['operator'], letter: null },
  give_legacy: { from: ['none', 'trial', 'complimentary'], to: 'legacy', by: ['operator'], letter: null },
  redeem: { from: UNPAID, to: 'partner', by: ['account'], letter: 'plan_began' },
  buy: { from: [...UNPAID, 'complimentary'], to: 'active', by: ['provider'], letter: 'plan_began' },
  change: { from: ['active'], to: 'active', by: ['account', 'provider'], letter: 'plan_changed' },
  renew: { from: ['active', 'past_due'], to: 'active', by: ['provider'], letter: null },
  fail: { from: ['active', 'past_due'], to: 'past_due', by: ['provider'], letter: 'payment_failed' },
  cancel: {
    from: ['active', 'past_due'],
    to: 'cancelled',
    by: ['account', 'provider'],
    letter: 'plan_cancelled',
  },
  resume: { from: ['cancelled'], to: 'active', by: ['account', 'provider'], letter: 'plan_resumed' },
  expire: {
    from: ['trial', 'complimentary', 'partner', 'legacy', 'cancelled', 'past_due'],
    to: 'none',
    by: ['clock', 'provider'],
    letter: 'plan_over',
  },
  take: {
    from: ['trial', 'complimentary', 'partner', 'legacy', 'active', 'cancelled', 'past_due'],
    to: 'none',
    by: ['operator'],
    letter: null,
  },
} as const satisfies Record<string, Edge>
export type EdgeName = keyof typeof EDGES

/** Where a step leads; null where it is none. */
export function follow(from: PlanState, edge: EdgeName): PlanState | null {
  const { from: allowed, to }: Edge = EDGES[edge]
  return allowed.includes(from) ? to : null
}

/** What the wire calls a state. */
export const statusOf = (state: string): 'active' | 'cancelled_running' | 'expired' =>
  state === 'expired' ? 'expired' : state === 'cancelled' ? 'cancelled_running' : 'active'

/** Plans that somebody has paid for, be it a partner: one is ended before its account is. */
const PAID: readonly string[] = ['partner', 'legacy', 'active', 'cancelled', 'past_due'] satisfies PlanState[]
export const isPaid = (state: string): boolean => PAID.includes(state)

/** Offers of partners, and plans at a price, are for who has no plan, or tries one. */
export const isOnFreePlan = (planId: string | null): boolean => planId === null || planId === 'pro-trial'
