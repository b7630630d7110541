import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { choice, flag, id, page, text, timestamp } from '../values.ts'
import { factor, proofWanted } from './proof.ts'

/** Somebody who has an account, as an administrator sees them in the list. */
export const person = z
  .object({
    id: z.int(),
    email: z.string(),
    name: z.string(),
    brand: z.string(),
    is_active: z.boolean(),
    is_staff: z.boolean(),
    /** Their owner has deleted the account, and it is about to go. */
    is_leaving: z.boolean(),
    plan: z.enum(['free', 'pro']),
    printers: z.int(),
    created_at: timestamp,
    last_active_at: timestamp.nullable(),
  })
  .meta({ id: 'Person' })
export type Person = z.infer<typeof person>

export const STORED_KINDS = ['files', 'models', 'pictures'] as const

/** The same with what is looked up for one alone. */
export const wholePerson = person
  .extend({
    /** Ways to show a second factor. */
    factors: z.array(factor),
    /** When factors that are to be reset go; null: nobody asked, or its owner was not told yet. */
    reset_due_at: timestamp.nullable(),
    is_reset_asked: z.boolean(),
    /** Browsers and phones that are signed in. */
    sessions: z.int(),
    /** May use what is not for everybody yet. */
    mobile_app_canary: z.boolean(),
    hours: z.number(),
    are_hours_unlimited: z.boolean(),
    stored: z.array(z.object({ kind: z.enum(STORED_KINDS), count: z.int(), bytes: z.number() })),
    /** Of files in the cloud; null: no limit. */
    storage_limit: z.number().nullable(),
  })
  .meta({ id: 'WholePerson' })
export type WholePerson = z.infer<typeof wholePerson>

export const PEOPLE_STATES = ['all', 'active', 'disabled', 'staff', 'leaving'] as const

// Who administers is known by a browser's session.
const callers = ['session'] as const
const base = '/api/v1/admin/people/'
const one = z.object({ id })

export const listPeople = endpoint({
  method: 'GET',
  path: base,
  callers,
  summary:
    'People who have an account, newest first, for administrators; `q` is part of an address or name, or a number',
  query: z.object({ q: text(200).trim().default(''), state: choice(PEOPLE_STATES, 'all'), ...page(50, 200) }),
  response: z.object({ count: z.int(), people: z.array(person) }),
})

export const getPerson = endpoint({
  method: 'GET',
  path: `${base}:id/`,
  callers,
  summary: 'One of them, with factors, sessions and what they store',
  params: one,
  response: wholePerson,
})

export const changePerson = endpoint({
  method: 'PATCH',
  path: `${base}:id/`,
  callers,
  summary: 'Disables an account or opens it again, gives it a plan or early features',
  params: one,
  body: z.object({ is_active: flag, plan: z.enum(['free', 'pro']), mobile_app_canary: flag }).partial(),
  answers: { 403: proofWanted },
  response: wholePerson,
})

export const resetPersonFactors = endpoint({
  method: 'POST',
  path: `${base}:id/reset_factors/`,
  callers,
  summary: 'Has the second factors of somebody removed in 24 hours, unless they object',
  params: one,
  answers: { 403: proofWanted },
  response: wholePerson,
})

/** How long an administrator is somebody else. */
export const ACTING_MINUTES = 30

export const actAs = endpoint({
  method: 'POST',
  path: `${base}:id/act_as/`,
  callers,
  summary: 'Acts as somebody for 30 minutes: sees what they see, and does nothing that asks for proof',
  params: one,
  body: z.object({ reason: text(300).trim().min(1, 'This field may not be blank.') }),
  answers: { 403: proofWanted },
  response: z.object({ until: timestamp }),
})

export const stopActing = endpoint({
  method: 'DELETE',
  path: '/api/v1/admin/acting/',
  callers,
  summary: 'Is oneself again',
  status: 204,
  response: null,
  evenWhenDiskIsFull: true,
})
