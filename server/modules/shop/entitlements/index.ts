import type { Ctx } from '../../../ctx.ts'
import { type Entitlements, PLANS, UNLIMITED } from './plans.ts'
import { keptBy } from '../../../lib/of-server.ts'

export { type Entitlements, type Plan, PLANS } from './plans.ts'

/** What the operator gives everybody: all, for as long as the disk shall bear it. */
const ownOf = keptBy(({ TIMELAPSE_RETENTION_MONTHS: months }: Ctx['config']): Entitlements => ({
  ...UNLIMITED,
  timelapseMonths: months === 0 ? Infinity : months,
}))

/**
 * What an account may have: the one place that is asked. In the enterprise edition its plan decides, in the general one
 * nothing is limited but by the operator.
 */
export function entitlementsOf(
  { config }: Pick<Ctx, 'config'>,
  account: { readonly isPro: boolean },
): Entitlements {
  if (!config.IS_ENT) return ownOf(config)
  return account.isPro ? PLANS.pro : PLANS.free
}

/** Whether something is paid for month by month: it is ended before the account is. */
export const hasSubscription = (
  { config }: Pick<Ctx, 'config'>,
  { isPro }: { readonly isPro: boolean },
): boolean => config.IS_ENT && isPro
