import type { CheckoutReason } from '@vigil/contract/shop/payments.ts'
import { BillingTrouble } from '../../../engines/billing/index.ts'
import { AppError } from '../../../http/errors.ts'
import { text } from '../../../http/texts.ts'

const STATUS: Readonly<Record<CheckoutReason, number>> = {
  email_unverified: 400,
  invalid_coupon: 400,
  invalid_plan: 400,
  invalid_printers: 400,
  already_subscribed: 409,
  no_customer: 409,
  payment_declined: 409,
  change_planned: 409,
  not_set_up: 503,
  provider_away: 503,
}

/** Why nothing is bought: told to people and to programs. */
export class Refusal extends AppError {
  readonly reason: CheckoutReason
  constructor(reason: CheckoutReason) {
    super(STATUS[reason], { error: text('payments-server', reason), reason })
    this.reason = reason
  }
}

/** Asks the provider; what it does not do is told as a refusal. */
export async function asking<T>(ask: Promise<T>): Promise<T> {
  try {
    return await ask
  } catch (error) {
    if (!(error instanceof BillingTrouble)) throw error
    throw error.why === 'declined' ? new Refusal('payment_declined') : away(error)
  }
}

function away(cause: BillingTrouble): Refusal {
  const refusal = new Refusal('provider_away')
  refusal.cause = cause
  return refusal
}
