import type { Ctx } from '../../ctx.ts'
import { type Entitlements, PLANS, UNLIMITED } from './plans.ts'

export { type Entitlements, type Plan, PLANS } from './plans.ts'

const own = new WeakMap<Ctx['config'], Entitlements>()

/** What the operator gives everybody: all, for as long as the disk shall bear it. */
function ownOf(config: Ctx['config']): Entitlements {
  const known = own.get(config)
  if (known !== undefined) return known
  const months = config.TIMELAPSE_RETENTION_MONTHS
  const given = { ...UNLIMITED, timelapseMonths: months === 0 ? Infinity : months }
  own.set(config, given)
  return given
}

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
