import { createRequire } from 'node:module'
import type { Stripe } from 'stripe'
import { BillingTrouble } from './port.ts'

const require = createRequire(import.meta.url)

/** Stripe's library, read by servers that have keys, not at each start. */
export const library: () => typeof Stripe = () => require('stripe')

/** Asks; what goes wrong is told in the words of the port. Raises `BillingTrouble`. */
export async function told<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof BillingTrouble) throw error
    const { StripeCardError, StripeError } = library().errors
    if (error instanceof StripeCardError) throw new BillingTrouble('declined', error)
    const status = error instanceof StripeError ? (error.statusCode ?? 500) : 500
    throw new BillingTrouble(status >= 500 || status === 429 ? 'away' : 'refused', error)
  }
}

/** It was asked for something that it does not do, or does not have. */
export const isRefusal = (error: unknown): error is Stripe.errors.StripeInvalidRequestError =>
  error instanceof library().errors.StripeInvalidRequestError

/** What is not there any more. */
export const isMissing = (error: unknown): boolean => isRefusal(error) && error.statusCode === 404
