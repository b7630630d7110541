import type { Stripe } from 'stripe'
import { z } from 'zod'
import { BillingTrouble, type CheckoutNow, deal, type Due, type Next, type Paid, type Told } from './port.ts'

const at = (seconds: number) => new Date(seconds * 1000)
const idOf = (given: string | { readonly id: string } | null | undefined): string | null =>
  typeof given === 'string' ? given : (given?.id ?? null)

/** What we keep with a subscription there: what counts now, and what counts from the next bill on. */
const metadata = z.object({
  checkout: z.string(),
  deal: z.string().transform((text) => deal.parse(JSON.parse(text))),
  next: z
    .string()
    .default('')
    .transform((text): Next | null =>
      text === '' ? null : z.object({ deal, from: z.coerce.date() }).parse(JSON.parse(text)),
    ),
})

type Kept = z.infer<typeof metadata>

/** The same as it is sent. */
export const keptOf = ({ checkout, deal: now, next }: Kept): Record<string, string> => ({
  checkout,
  deal: JSON.stringify(now),
  next: next === null ? '' : JSON.stringify(next),
})

const STATES: Readonly<Record<string, 'incomplete' | 'active' | 'past_due' | 'ended'>> = {
  incomplete: 'incomplete',
  active: 'active',
  trialing: 'active',
  past_due: 'past_due',
  unpaid: 'past_due',
}

/** A subscription without its payments. Raises `refused` for one that is not ours. */
export function subscriptionOf(given: Stripe.Subscription) {
  const kept = metadata.safeParse(given.metadata)
  const [item] = given.items.data
  if (!kept.success || item === undefined) throw new BillingTrouble('refused', kept.error)
  const { next, ...more } = kept.data
  const hasBegun = next !== null && at(item.current_period_start) >= next.from
  const state = STATES[given.status] ?? 'ended'
  const bill = typeof given.latest_invoice === 'object' ? given.latest_invoice : null
  return {
    id: given.id,
    checkoutId: more.checkout,
    customerId: idOf(given.customer) ?? '',
    state,
    willEnd: given.cancel_at_period_end || given.cancel_at !== null,
    termEnd: at(item.current_period_end),
    failedAt: state === 'past_due' ? at(bill?.created ?? item.current_period_start) : null,
    deal: hasBegun ? next.deal : more.deal,
    next: hasBegun ? null : next,
    currency: given.currency.toUpperCase(),
  }
}

/** The payments of a bill that was paid, without what was given back. */
export function paidBy(bill: Stripe.Invoice): Omit<Paid, 'refunds'>[] {
  const tax = (bill.total_taxes ?? []).reduce((sum, { amount }) => sum + amount, 0)
  const paid = (bill.payments?.data ?? []).flatMap((one) => {
    const id = idOf(one.payment.payment_intent) ?? idOf(one.payment.charge)
    return id === null || !one.amount_paid ? [] : [{ id, cents: one.amount_paid, created: one.created }]
  })
  return paid.map(({ id, cents, created }, place) => ({
    id,
    cents,
    taxCents: place === 0 ? Math.min(tax, cents) : 0,
    currency: bill.currency.toUpperCase(),
    at: at(bill.status_transitions.paid_at ?? created),
  }))
}

/** Pending, it is given: it may fail later, which is told then. */
export const refundOf = (given: Stripe.Refund): Paid['refunds'][number] => ({
  id: given.id,
  cents: given.amount,
  at: at(given.created),
  hasFailed: given.status === 'failed' || given.status === 'canceled',
})

/** A checkout without its payment; `paid` names the one of what was bought once. */
export function checkoutOf(given: Stripe.Checkout.Session): Omit<CheckoutNow, 'paid'> & {
  readonly paymentId: string | null
  readonly taxCents: number
} {
  const whenDone = given.payment_status === 'unpaid' ? 'pending' : 'paid'
  const state = given.status === 'open' ? 'open' : given.status === 'complete' ? whenDone : 'closed'
  return {
    id: given.id,
    checkoutId: given.client_reference_id ?? '',
    state,
    subscriptionId: idOf(given.subscription),
    paymentId: given.mode === 'payment' && state === 'paid' ? idOf(given.payment_intent) : null,
    taxCents: given.total_details?.amount_tax ?? 0,
  }
}

/** What is due at once, with its lines as they are told. */
export const dueOf = (bill: Stripe.Invoice): Due => ({
  cents: Math.max(0, bill.amount_due),
  taxCents: (bill.total_taxes ?? []).reduce((sum, { amount }) => sum + amount, 0),
  lines: bill.lines.data.map(({ description, amount }) => ({ what: description ?? '', cents: amount })),
})

const named = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]).nullish()

/** As much of an event as is read: whom it is about. Its words are those of the version that the account has. */
const event = z.object({
  id: z.string().max(255),
  created: z.int(),
  type: z.string(),
  data: z.object({
    object: z.object({
      id: z.string().optional(),
      subscription: named,
      payment_intent: named,
      parent: z
        .object({ subscription_details: z.object({ subscription: named }).nullish() })
        .nullish()
        .catch(null),
    }),
  }),
})

/** What an event is about; null for one that is not as events were when this was written. */
export function toldOf(given: unknown): Told | null {
  const { data: read } = event.safeParse(given)
  if (read === undefined) return null
  return { id: read.id, at: at(read.created), about: aboutOf(read.type, read.data.object) }
}

function aboutOf(type: string, object: z.infer<typeof event>['data']['object']): Told['about'] {
  if (type.startsWith('checkout.session.')) return about('checkout', object.id)
  if (type.startsWith('customer.subscription.')) return about('subscription', object.id)
  if (type.startsWith('invoice.'))
    return about('subscription', object.parent?.subscription_details?.subscription ?? object.subscription)
  if (type.startsWith('charge.refund') || type.startsWith('refund.'))
    return about('payment', object.payment_intent)
  return null
}

const about = (kind: 'checkout' | 'subscription' | 'payment', id: string | null | undefined): Told['about'] =>
  id == null ? null : { kind, id }
