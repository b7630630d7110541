import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { timestamp } from '../values.ts'

export const billingCycle = z.enum(['annual', 'monthly'])
export type BillingCycle = z.infer<typeof billingCycle>

/** A plan that an account has or has had. Money is whole cents of `cb_subscription.currency`. */
export const subscription = z
  .object({
    id: z.int(),
    /** `pro`, `pro-trial`, `pro-complimentary`, `pro-legacy`, or a partner's. */
    plan_id: z.string(),
    status: z.enum(['active', 'cancelled_running', 'expired']),
    /** What it is in truth: a payment that failed is still `active` above, for as long as the grace lasts. */
    state: z.enum([
      'trial',
      'complimentary',
      'partner',
      'legacy',
      'active',
      'cancelled',
      'past_due',
      'expired',
    ]),
    billing_cycle: billingCycle.nullable(),
    printers: z.int(),
    dhpack_level: z.string(),
    started_at: timestamp,
    expired_at: timestamp.nullable(),
    cancelled_at: timestamp.nullable(),
    is_legacy_pack: z.boolean(),
  })
  .meta({ id: 'Subscription' })
export type Subscription = z.infer<typeof subscription>

/** What is paid for it, and when next. */
export const billedSubscription = z
  .object({
    id: z.string(),
    status: z.string(),
    currency: z.string(),
    total_cents: z.int(),
    base_cents: z.int(),
    printers_cents: z.int(),
    dhpack_cents: z.int(),
    next_billing_at: timestamp.nullable(),
    current_term_end: timestamp.nullable(),
    scheduled_cancellation: z.boolean(),
    /** What it becomes with the next bill; null: nothing else. */
    next: z
      .object({
        billing_cycle: billingCycle,
        printers: z.int(),
        dhpack_level: z.string(),
        total_cents: z.int(),
        at: timestamp,
      })
      .nullable(),
  })
  .meta({ id: 'BilledSubscription' })

export const activeSubscription = z
  .object({
    subscription: subscription.nullable(),
    cb_subscription: billedSubscription.nullable(),
    /** Fewer printers are in use than are paid for. */
    over_subscribed: z.boolean(),
    printer_allowance: z.int(),
    active_printers: z.int(),
  })
  .meta({ id: 'ActiveSubscription' })
export type ActiveSubscription = z.infer<typeof activeSubscription>

const callers = ['session', 'oauth'] as const

export const getActiveSubscription = endpoint({
  method: 'GET',
  path: '/ent/api/subscriptions/active/',
  callers,
  summary: "The caller's plan; 404 outside the enterprise edition",
  response: activeSubscription,
})

export const listSubscriptions = endpoint({
  method: 'GET',
  path: '/ent/api/subscriptions/',
  callers,
  summary: 'The plans that the caller has had, newest first; 404 outside the enterprise edition',
  response: z.array(subscription),
})

const planPrice = z.object({
  plan_id: z.string(),
  billing_cycle: billingCycle,
  /** What one bill comes to, for so many months. */
  months: z.int(),
  base_cents: z.int(),
  extra_printer_cents: z.int(),
  included_hours: z.int(),
})

const packPrice = z.object({
  level: z.string(),
  /** Each month. */
  hours: z.int(),
  subscribe_cents: z.object({ annual: z.int(), monthly: z.int() }),
  /** Bought once, for good; null where this level is not. */
  prepaid_hours: z.int().nullable(),
  prepaid_cents: z.int().nullable(),
})

/** What a plan gives, as its page lists it; null is no limit. Sizes are in bytes. */
const planLimits = z.object({
  printers: z.int().nullable(),
  detection_interval_seconds: z.int(),
  hours_per_month: z.int(),
  stream_fps: z.int(),
  stream_cycle_seconds: z.int().nullable(),
  tunnel_bytes: z.int().nullable(),
  g_code_file_bytes: z.int().nullable(),
  g_code_storage_bytes: z.int().nullable(),
  sms: z.boolean(),
  sharing: z.boolean(),
})

export const pricing = z
  .object({
    currency: z.string(),
    label: z.string(),
    plans: z.array(planPrice),
    limits: z.object({ free: planLimits, pro: planLimits }),
    dhpacks: z.array(packPrice),
    recommended_by_printers: z.array(z.string()),
    annual_saves_percent: z.int(),
    most_printers: z.int(),
    trial: z.object({ days: z.int(), hours: z.int() }),
    refund_days: z.int(),
    /** Whether anything can be bought: `sandbox` shows how, and no money moves. */
    checkout: z.enum(['none', 'sandbox', 'live']),
  })
  .meta({ id: 'Pricing' })
export type Pricing = z.infer<typeof pricing>

export const getPricing = endpoint({
  method: 'GET',
  path: '/ent/api/pricing/',
  callers: ['anyone'],
  summary: 'What plans give and cost, of the brand that is shown; 404 outside the enterprise edition',
  response: pricing,
})
