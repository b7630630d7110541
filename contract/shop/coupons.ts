import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { text, timestamp } from '../values.ts'
import { subscription } from './subscriptions.ts'

/** A code for hours that its reader has redeemed. */
export const hourCoupon = z
  .object({
    id: z.int(),
    code: z.string(),
    hours: z.number(),
    description: z.string(),
    redeemed_at: timestamp.nullable(),
  })
  .meta({ id: 'HourCoupon' })
export type HourCoupon = z.infer<typeof hourCoupon>

/** Why a code is not taken: `error` for people, `reason` for programs. */
const refused = (...reasons: [string, ...string[]]) =>
  z.union([
    z.object({ error: z.string(), reason: z.enum(reasons) }),
    // The general edition has no plans, and nobody an offer that does not exist.
    z.object({ detail: z.string() }),
  ])

const callers = ['session', 'oauth'] as const
const code = text(100).trim().min(1)

export const listHourCoupons = endpoint({
  method: 'GET',
  path: '/ent/api/detective_hour_coupon_codes/',
  callers,
  summary: 'Codes for hours that the caller has redeemed, newest first; 404 outside the enterprise edition',
  response: z.array(hourCoupon),
})

export const redeemHourCoupon = endpoint({
  method: 'POST',
  path: '/ent/api/detective_hour_coupon_codes/redeem/',
  callers,
  summary: 'Redeem a code for hours, which never expire',
  body: z.object({ code }),
  response: z.object({ coupon: hourCoupon, dh_balance: z.number() }),
  answers: {
    404: refused('invalid_code'),
    410: refused('expired'),
    412: refused('already_redeemed'),
  },
})

const offer = z.object({ offer: z.string().max(40) })

export const redeemOffer = endpoint({
  method: 'POST',
  path: '/ent/partners/api/redeem/:offer/',
  callers,
  summary: "Redeem a partner's code for a plan",
  params: offer,
  body: z.object({ coupon_code: code }),
  response: z.object({ subscription }),
  answers: {
    404: refused('invalid_coupon'),
    410: refused('expired'),
    412: refused('already_redeemed', 'not_in_pro_trial.'),
  },
})

export const checkOffer = endpoint({
  method: 'GET',
  path: '/ent/partners/api/redeem/:offer/check/',
  callers: ['anyone'],
  summary:
    'What a code looks to be for, before it is redeemed: whether it was issued and is unused, nobody is told',
  params: offer,
  query: z.object({ coupon_code: z.string().max(100).default('') }),
  response: z.object({ valid: z.boolean(), plan: z.string(), duration_months: z.int() }),
})
