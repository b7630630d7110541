import type { Ctx } from '../../../ctx.ts'
import type { Plans } from '../../../brands/plans.ts'
import { type Entitlements, plansGive, UNLIMITED } from './plans.ts'
import { keptBy } from '../../../lib/of-server.ts'

export { type Entitlements, type Plan, PLAN_NAMES } from './plans.ts'

/** What decides over what an account may have. */
export interface Account {
  readonly isPro: boolean
  /** Whose plans count. */
  readonly brand: string
}

/** What the operator gives everybody: all, for as long as the disk shall bear it. */
const ownOf = keptBy(({ TIMELAPSE_RETENTION_MONTHS: months }: Ctx['config']): Entitlements => ({
  ...UNLIMITED,
  timelapseMonths: months === 0 ? Infinity : months,
}))

/** What a brand sells. */
export function plansOf({ config }: Pick<Ctx, 'config'>, brand: string): Plans {
  return (config.brands.find(({ name }) => name === brand) ?? config.brands[0]).plans
}

/**
 * What an account may have: the one place that is asked. In the enterprise edition its plan decides, in the general one
 * nothing is limited but by the operator.
 */
export function entitlementsOf(ctx: Pick<Ctx, 'config'>, { isPro, brand }: Account): Entitlements {
  if (!ctx.config.IS_ENT) return ownOf(ctx.config)
  return plansGive(plansOf(ctx, brand))[isPro ? 'pro' : 'free']
}

/** How this server sells: through who takes money, by pages that only show how, or not at all. */
export const checkoutOf = ({ BILLING, STRIPE_SECRET_KEY }: Ctx['config']): 'none' | 'sandbox' | 'live' =>
  STRIPE_SECRET_KEY !== undefined ? 'live' : (BILLING ?? 'none')
