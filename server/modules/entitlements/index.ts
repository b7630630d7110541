import type { Ctx } from '../../ctx.ts'
import { type Entitlements, PLANS, UNLIMITED } from './plans.ts'

export { type Entitlements, type Plan, PLANS } from './plans.ts'

/**
 * What an account may have: the one place that is asked. In the enterprise edition its plan decides, in the general one
 * nothing is limited.
 */
export function entitlementsOf(
  { config }: Pick<Ctx, 'config'>,
  account: { readonly isPro: boolean },
): Entitlements {
  if (!config.IS_ENT) return UNLIMITED
  return account.isPro ? PLANS.pro : PLANS.free
}
