import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { page, timestamp } from '../values.ts'

/** Whose hours: `included` come with a plan and expire with it, `earned` never expire. */
export const hourBucket = z.enum(['included', 'earned'])
export type HourBucket = z.infer<typeof hourBucket>

export const hourKind = z.enum(['grant', 'purchase', 'earned', 'usage', 'expiry', 'adjustment'])
export type HourKind = z.infer<typeof hourKind>

/** Hours of AI detection that an account has. The balance may be below zero: a print is never cut off. */
export const detectionHours = z
  .object({
    balance: z.number(),
    included: z.number(),
    earned: z.number(),
    is_unlimited: z.boolean(),
    included_expires_at: timestamp.nullable(),
    /** Fewer than 10 are left. */
    low: z.boolean(),
    next_grant: z.object({ hours: z.number(), at: timestamp }).nullable(),
  })
  .meta({ id: 'DetectionHours' })
export type DetectionHours = z.infer<typeof detectionHours>

export const hourTransaction = z
  .object({
    id: z.int(),
    created_at: timestamp,
    /** Above zero were gained, below were spent. */
    hours: z.number(),
    kind: hourKind,
    bucket: hourBucket,
    /** What for, in the reader's language. */
    description: z.string(),
    print: z.int().nullable(),
    /** The file that it printed; null where there is no print, or none any more. */
    print_name: z.string().nullable(),
    /** Of both buckets together. */
    balance_after: z.number(),
  })
  .meta({ id: 'HourTransaction' })
export type HourTransaction = z.infer<typeof hourTransaction>

const callers = ['session', 'oauth'] as const

export const getDetectionHours = endpoint({
  method: 'GET',
  path: '/ent/api/detection_hours/',
  callers,
  summary: "The caller's hours of AI detection; unlimited outside the enterprise edition",
  response: detectionHours,
})

export const listHourTransactions = endpoint({
  method: 'GET',
  path: '/ent/api/detection_hours/transactions/',
  callers,
  summary: 'What was gained and spent, newest first',
  query: z.object(page(24, 200)),
  response: z.array(hourTransaction),
})
