import { z } from 'zod'
import { email } from './accounts.ts'
import { endpoint } from '../endpoint.ts'
import { proofWanted } from './proof.ts'
import { id, text } from '../values.ts'

/** An address of a user; letters go to verified ones. The primary one is the one that they sign in with. */
export const emailAddress = z
  .object({ id: z.int(), email: z.string(), verified: z.boolean(), primary: z.boolean() })
  .meta({ id: 'EmailAddress' })
export type EmailAddress = z.infer<typeof emailAddress>

const callers = ['session'] as const
const one = z.object({ id })
const answers = { 403: proofWanted } as const

export const listEmails = endpoint({
  method: 'GET',
  path: '/api/v1/auth/emails/',
  callers,
  summary: 'Addresses of the caller, the primary one first',
  response: z.array(emailAddress),
})

export const addEmail = endpoint({
  method: 'POST',
  path: '/api/v1/auth/emails/',
  callers,
  summary: 'Add an address; a link to confirm it goes there',
  answers,
  body: z.object({ email }),
  response: emailAddress,
  status: 201,
})

export const makePrimaryEmail = endpoint({
  method: 'POST',
  path: '/api/v1/auth/emails/:id/make_primary/',
  callers,
  summary: 'Sign in with this confirmed address from now on',
  answers,
  params: one,
  response: emailAddress,
})

export const resendEmail = endpoint({
  method: 'POST',
  path: '/api/v1/auth/emails/:id/resend/',
  callers,
  summary: 'Send the link to confirm an address once more',
  params: one,
  response: emailAddress,
})

export const removeEmail = endpoint({
  method: 'DELETE',
  path: '/api/v1/auth/emails/:id/',
  callers,
  summary: 'Remove an address that is not the primary one',
  answers,
  params: one,
  response: null,
  status: 204,
})

const key = z.object({ key: text(200) })

export const showConfirmation = endpoint({
  method: 'GET',
  path: '/api/v1/auth/emails/confirm/',
  callers: ['anyone'],
  summary: 'Which address a link confirms; changes nothing',
  query: key,
  response: z.object({ email: z.string(), verified: z.boolean() }),
})

export const confirmEmail = endpoint({
  method: 'POST',
  path: '/api/v1/auth/emails/confirm/',
  callers: ['anyone'],
  summary: 'Confirm the address that a link is for',
  body: key,
  response: z.object({ email: z.string(), verified: z.boolean() }),
})
