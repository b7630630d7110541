import type { Billing, Standing } from './port.ts'
import { openSandbox } from './sandbox.ts'
import { openStripe } from './stripe.ts'

export { totalOf } from './bill.rules.ts'
export {
  type Billed,
  type Billing,
  BillingTrouble,
  type BillingWhy,
  type Change,
  type CheckoutNow,
  type Deal,
  type Due,
  type KeptNext,
  type Line,
  type Next,
  type Order,
  type Paid,
  type Subject,
  type Told,
} from './port.ts'
export { type Card, CARD_NAMES, CARDS, TAX_PERCENT, taxOf } from './sandbox.rules.ts'
export type { Sandbox } from './sandbox.ts'

/** Who takes the money of this server; null: it sells nothing. */
export function openBilling(standing: Standing): Billing | null {
  const { config } = standing
  if (!config.IS_ENT) return null
  const { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: secret } = config
  if (key !== undefined && secret !== undefined) return openStripe(config, { key, secret })
  return config.BILLING === 'sandbox' ? openSandbox(standing) : null
}
