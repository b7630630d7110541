import { z } from 'zod'
import { monthsOn } from '../../lib/zones.ts'
import { totalOf } from './bill.rules.ts'
import { deal, type Deal, type Due } from './port.ts'

/** Cards that are none, and what becomes of them. */
export const CARDS = {
  works: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  confirm: '4000 0027 6000 3184',
  later: '4000 0000 0000 0077',
  renewal: '4000 0000 0000 0341',
} as const
export type Card = keyof typeof CARDS
export const CARD_NAMES = ['works', 'declined', 'confirm', 'later', 'renewal'] as const satisfies Card[]

/** Per cent on everything, so that tax is seen. */
export const TAX_PERCENT = 10
export const taxOf = (cents: number): number => Math.round((cents * TAX_PERCENT) / 100)

const card = z.enum(CARD_NAMES)

export const customerBody = z.object({ email: z.string(), card: card.nullable() })

export const checkoutBody = z.object({
  checkoutId: z.string(),
  currency: z.string(),
  lines: z.array(z.object({ name: z.string(), cents: z.int() })),
  deal: deal.nullable(),
  firstOffCents: z.int(),
  returnTo: z.string(),
  cancelTo: z.string(),
  expiresAt: z.coerce.date(),
  state: z.enum(['open', 'pending', 'paid', 'closed']),
  subscriptionId: z.string().nullable(),
  paymentId: z.string().nullable(),
})
export type CheckoutBody = z.infer<typeof checkoutBody>

export const subscriptionBody = z.object({
  checkoutId: z.string(),
  currency: z.string(),
  state: z.enum(['incomplete', 'active', 'past_due', 'ended']),
  willEnd: z.boolean(),
  /** Terms begin so many bills after it: a month without such a day has its last one, and the next has it again. */
  anchor: z.coerce.date(),
  terms: z.int(),
  failedAt: z.coerce.date().nullable(),
  deal,
  next: z.object({ deal, from: z.coerce.date() }).nullable(),
})
export type SubscriptionBody = z.infer<typeof subscriptionBody>

export const paymentBody = z.object({
  customerId: z.string(),
  cents: z.int(),
  taxCents: z.int(),
  currency: z.string(),
  at: z.coerce.date(),
  refunds: z.array(
    z.object({
      id: z.string(),
      cents: z.int(),
      at: z.coerce.date(),
      hasFailed: z.boolean().default(false),
    }),
  ),
})
export type PaymentBody = z.infer<typeof paymentBody>

export const portalBody = z.object({ returnTo: z.string(), expiresAt: z.coerce.date() })

export const eventBody = z.object({
  at: z.coerce.date(),
  about: z.object({ kind: z.enum(['checkout', 'subscription', 'payment']), id: z.string() }),
})

/** Whether a bank lets it through: what is paid with the buyer at the page, or by itself. */
export const pays = (given: Card, isThere: boolean): boolean =>
  given !== 'declined' && (given !== 'renewal' || isThere)

const termAt = ({ anchor, deal: { months } }: SubscriptionBody, terms: number) =>
  new Date(monthsOn(anchor.getTime(), months * terms, 'UTC'))
export const termStart = (body: SubscriptionBody): Date => termAt(body, body.terms)
export const termEnd = (body: SubscriptionBody): Date => termAt(body, body.terms + 1)

/** What a change to another deal comes to at a moment: the rest of what was paid is taken off. */
export function prorated(body: SubscriptionBody, to: Deal, at: Date): Due {
  const [start, end] = [termStart(body).getTime(), termEnd(body).getTime()]
  const rest = Math.min(1, Math.max(0, (end - at.getTime()) / (end - start)))
  const isSameTerm = to.months === body.deal.months
  const lines = [
    { what: 'unused', cents: -Math.round(totalOf(body.deal) * rest) },
    { what: 'new', cents: isSameTerm ? Math.round(totalOf(to) * rest) : totalOf(to) },
  ]
  const net = Math.max(
    0,
    lines.reduce((sum, line) => sum + line.cents, 0),
  )
  return { cents: net + taxOf(net), taxCents: taxOf(net), lines }
}

/** The same subscription with another deal from a moment on; another cycle begins a term of its own. */
export function changed(body: SubscriptionBody, to: Deal, at: Date): SubscriptionBody {
  const begins = to.months === body.deal.months ? {} : { anchor: at, terms: 0 }
  return { ...body, ...begins, deal: to, next: null }
}

/** The term that follows the one that is over. */
export function renewed(body: SubscriptionBody): SubscriptionBody {
  if (body.next === null) return { ...body, terms: body.terms + 1 }
  const begins =
    body.next.deal.months === body.deal.months
      ? { terms: body.terms + 1 }
      : { anchor: termEnd(body), terms: 0 }
  return { ...body, ...begins, deal: body.next.deal, next: null }
}

/** As if all of it had happened so much earlier: time passes for this subscription alone. */
export function earlier(body: SubscriptionBody, ms: number): SubscriptionBody {
  const moved = (at: Date) => new Date(at.getTime() - ms)
  return {
    ...body,
    anchor: moved(body.anchor),
    failedAt: body.failedAt && moved(body.failedAt),
    next: body.next && { ...body.next, from: moved(body.next.from) },
  }
}
