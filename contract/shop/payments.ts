import { z } from 'zod'
import { type Endpoint, endpoint } from '../endpoint.ts'
import { flag, id, text, timestamp } from '../values.ts'
import { proofWanted } from '../people/proof.ts'
import { activeSubscription, billingCycle, subscription } from './subscriptions.ts'

/**
 * Why nothing can be bought: `error` for people, `reason` for programs. `not_set_up` (503): this server sells nothing;
 * `provider_away` (503): who takes the money does not answer. `change_planned`: what the next bill brings has to be taken back first.
 */
export const CHECKOUT_REASONS = [
  'email_unverified',
  'invalid_coupon',
  'invalid_plan',
  'invalid_printers',
  'already_subscribed',
  'no_customer',
  'payment_declined',
  'change_planned',
  'not_set_up',
  'provider_away',
] as const
export type CheckoutReason = (typeof CHECKOUT_REASONS)[number]

const refusal = z
  .union([
    z.object({ error: z.string(), reason: z.enum([...CHECKOUT_REASONS, 'no_such_step']) }),
    // A missing or wrong field; the general edition sells nothing.
    z.record(z.string(), z.array(z.string())),
    z.object({ detail: z.string() }),
  ])
  .meta({ id: 'CheckoutRefusal' })
const refusals = { 400: refusal, 409: refusal, 503: refusal }

/** Only who is signed in by themselves: money is theirs. */
const callers = ['session', 'oauth'] as const

/** A page of who takes the money: `url` is opened. */
export const checkout = z
  .object({ url: z.string(), id: z.string(), expires_at: timestamp })
  .meta({ id: 'Checkout' })
export type Checkout = z.infer<typeof checkout>

/** What is wanted; what is out of range is told as a reason, so it is read as text first. */
const wish = z.object({
  plan: z.string().max(40).default('pro'),
  annual: flag.default(true),
  printers: z.union([z.string().max(20), z.number()]).default(1),
  dhpack_level: z.union([z.string().max(20), z.number()]).default('0'),
  coupon: text(100).trim().default(''),
  /** Answered with the way there, for phones: of what is refused, to the page of the plan, which says why. */
  redirect: flag.default(false),
})

const proCheckout = {
  path: '/ent/generate_pro_checkout_url/',
  callers,
  isPersonal: true,
  response: checkout,
  answers: refusals,
  leadsThere: true,
} as const satisfies Partial<Endpoint>

export const getProCheckout = endpoint({
  ...proCheckout,
  method: 'GET',
  summary: 'A page on which Pro is bought; `redirect=true` leads there',
  query: wish,
})

export const postProCheckout = endpoint({
  ...proCheckout,
  method: 'POST',
  summary: 'The same with a body',
  body: wish,
})

export const getPackCheckout = endpoint({
  method: 'GET',
  path: '/ent/generate_prepaid_dhpack_checkout_url/',
  callers,
  isPersonal: true,
  summary: 'A page on which hours are bought that never expire; `redirect=true` leads there',
  query: wish.pick({ dhpack_level: true, redirect: true }),
  response: checkout,
  answers: refusals,
  leadsThere: true,
})

export const getPortalSession = endpoint({
  method: 'GET',
  path: '/ent/generate_portal_session/',
  callers,
  isPersonal: true,
  summary: 'A page on which means of payment are changed and receipts stand; 409 for who has never paid',
  query: wish.pick({ redirect: true }),
  response: z.object({ url: z.string(), access_url: z.string(), expires_at: timestamp }),
  answers: refusals,
  leadsThere: true,
})

/** What a paid plan shall be. */
const planWish = z.object({
  plan_id: z.literal('pro'),
  billing_cycle: billingCycle,
  printers: z.coerce.number().int().min(1).max(1000),
  dhpack_level: z.coerce.string().max(20),
})
export type PlanWish = z.infer<typeof planWish>

/** What a change comes to, before anybody agrees. Money is whole cents of `currency`. */
export const planChange = z
  .object({
    currency: z.string(),
    /** `now`: charged at once. `renewal`: what is paid for stays until then, and nothing is given back. */
    from: z.enum(['now', 'renewal']),
    starts_at: timestamp,
    /** Charged at once, tax included. */
    due_now_cents: z.int(),
    tax_cents: z.int(),
    /** What that is made of; below zero is given back of what was paid before. */
    lines: z.array(z.object({ what: z.string(), cents: z.int() })),
    /** Each bill from then on, before tax. */
    next_total_cents: z.int(),
    next_billing_at: timestamp.nullable(),
    /** Goes with the change, so that what was shown is what is charged. */
    agreed_at: timestamp,
  })
  .meta({ id: 'PlanChange' })
export type PlanChange = z.infer<typeof planChange>

export const previewChange = endpoint({
  method: 'POST',
  path: '/ent/api/subscriptions/preview/',
  callers,
  isPersonal: true,
  summary: 'What a change of a paid plan comes to, to the day; nothing is changed',
  body: planWish,
  response: planChange,
  answers: refusals,
})

export const changeSubscription = endpoint({
  method: 'POST',
  path: '/ent/api/subscriptions/',
  callers,
  isPersonal: true,
  summary: 'Change a paid plan: dearer at once, cheaper when it is renewed',
  body: planWish.extend({ agreed_at: z.iso.datetime().optional() }),
  response: activeSubscription,
  answers: refusals,
})

const one = z.object({ id })

export const cancelSubscription = endpoint({
  method: 'POST',
  path: '/ent/api/subscriptions/:id/cancel/',
  callers,
  isPersonal: true,
  summary: 'Cancel a paid plan: it goes on to the end of what is paid',
  params: one,
  body: z.object({
    reason: text(2000).trim().min(1, 'This field may not be blank.'),
    reason_code: text(40).optional(),
    acknowledged: flag.refine((said) => said, { error: 'This has to be acknowledged.' }),
  }),
  response: z.object({ subscription }),
  answers: {
    ...refusals,
    409: z.object({ error: z.string(), reason: z.enum(['already_cancelled', 'no_such_step']) }),
  },
})

export const resumeSubscription = endpoint({
  method: 'POST',
  path: '/ent/api/subscriptions/:id/resume/',
  callers,
  isPersonal: true,
  summary: 'Take a cancellation back: the plan is renewed again',
  params: one,
  response: z.object({ subscription }),
  answers: { ...refusals, 409: z.object({ error: z.string(), reason: z.literal('no_such_step') }) },
})

/** Money that came or went. */
export const payment = z
  .object({
    id: z.int(),
    created_at: timestamp,
    kind: z.enum(['payment', 'refund']),
    what: z.enum(['plan', 'pack']),
    /** Tax included; below zero was given back. Of a refund above zero: its bank sent it back, so it can be given again. */
    cents: z.int(),
    tax_cents: z.int(),
    currency: z.string(),
    /** What of a payment was given back. */
    refunded_cents: z.int(),
    /** Until when an administrator may give it back; null: no more. */
    refundable_until: timestamp.nullable(),
  })
  .meta({ id: 'Payment' })
export type Payment = z.infer<typeof payment>

export const listPayments = endpoint({
  method: 'GET',
  path: '/ent/api/payments/',
  callers,
  summary: 'What the caller has paid and was given back, newest first',
  response: z.array(payment),
})

export const listPersonPayments = endpoint({
  method: 'GET',
  path: '/api/v1/admin/people/:id/payments/',
  callers: ['session'],
  summary: 'The same of somebody, for administrators',
  params: one,
  response: z.array(payment),
})

export const refundPayment = endpoint({
  method: 'POST',
  path: '/api/v1/admin/people/:id/payments/:payment/refund/',
  callers: ['session'],
  summary: 'Give back all that is left of a payment; `end_plan` ends the plan that it was for at once',
  params: one.extend({ payment: id }),
  body: z.object({ end_plan: flag.default(false) }),
  response: z.array(payment),
  answers: { 403: proofWanted, 409: z.object({ detail: z.string() }), 503: refusal },
})

/** What a provider tells; read as the bytes that came, which are signed. */
export const billingWebhook = endpoint({
  method: 'POST',
  path: '/ent/webhooks/billing/',
  callers: ['anyone'],
  summary: 'What who takes the money has to tell, signed',
  raw: true,
  response: z.object({ received: z.literal(true) }),
  answers: { 400: z.object({ detail: z.string() }) },
})
