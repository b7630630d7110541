import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { orNull, text, timestamp } from '../values.ts'
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

/** An offer of a partner, as its page tells of it. */
export const partnerOffer = z
  .object({
    offer: z.string(),
    plan_id: z.string(),
    months: z.int(),
    /** Given for the code alone, or paid for with it. */
    by: z.enum(['code', 'checkout']),
    first_percent_off: z.int(),
    renewal_percent_off: z.int(),
  })
  .meta({ id: 'PartnerOffer' })
export type PartnerOffer = z.infer<typeof partnerOffer>

export const getPartner = endpoint({
  method: 'GET',
  path: '/ent/partners/api/pages/:partner/',
  callers: ['anyone'],
  summary:
    'Whose page this is, where our apps are, and what a code looks to be for; null where it is no code of theirs',
  params: z.object({ partner: z.string().max(40) }),
  query: z.object({ coupon_code: z.string().max(100).default('') }),
  response: z
    .object({
      partner: z.string(),
      display_name: z.string(),
      offer: partnerOffer.nullable(),
      apps: z.object({ ios: z.string().nullable(), android: z.string().nullable() }),
    })
    .meta({ id: 'Partner' }),
})
export type Partner = z.infer<typeof getPartner.response>

/** So many codes are made at once. */
export const MOST_CODES = 10_000

/** Codes that were made together. */
export const codeBatch = z
  .object({
    created_at: timestamp,
    brand: z.string(),
    /** A partner's offer; null: hours. */
    offer: z.string().nullable(),
    hours: z.number().nullable(),
    description: z.string(),
    expires_at: timestamp.nullable(),
    count: z.int(),
    redeemed: z.int(),
  })
  .meta({ id: 'CodeBatch' })
export type CodeBatch = z.infer<typeof codeBatch>

const admins = ['session'] as const
const issued = '/api/v1/admin/coupons/'

export const listBatches = endpoint({
  method: 'GET',
  path: issued,
  callers: admins,
  summary:
    'Codes that were made, by who made them together, newest first, and what can be made; for administrators',
  response: z.object({
    batches: z.array(codeBatch),
    /** What each brand can give away beside hours. */
    brands: z.array(
      z.object({
        name: z.string(),
        display_name: z.string(),
        offers: z.array(z.object({ offer: z.string(), partner: z.string() })),
      }),
    ),
  }),
})

export const codesWish = z
  .object({
    brand: text(32),
    offer: orNull(text(40)).default(null),
    hours: orNull(z.number().min(1).max(100_000)).default(null),
    count: z.int().min(1).max(MOST_CODES),
    /** What its redeemer reads beside it. */
    description: text(200).trim().default(''),
    expires_at: orNull(z.iso.datetime({ offset: true, error: 'Enter a valid date and time.' })).default(null),
  })
  .refine(({ offer, hours }) => (offer === null) !== (hours === null), {
    path: ['hours'],
    error: 'Say for how many hours, or for which offer.',
  })
export type CodesWish = z.input<typeof codesWish>

export const makeCodes = endpoint({
  method: 'POST',
  path: issued,
  callers: admins,
  summary: 'Make codes; they are told here, once, and only what they hash to is kept until each is redeemed',
  body: codesWish,
  status: 201,
  response: z.object({ codes: z.array(z.string()) }),
})
