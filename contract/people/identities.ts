import { z } from 'zod'
import { proofWanted } from './proof.ts'
import { endpoint } from '../endpoint.ts'
import { id, text, timestamp } from '../values.ts'

/** Who the caller is at a provider that signs people in (docs/rules/people.md 11). */
export const identity = z
  .object({
    id: z.int(),
    provider: z.string(),
    name: z.string(),
    email: z.string(),
    created_at: timestamp,
    last_used_at: timestamp.nullable(),
  })
  .meta({ id: 'Identity' })
export type Identity = z.infer<typeof identity>

const callers = ['session'] as const

export const listIdentities = endpoint({
  method: 'GET',
  path: '/api/v1/auth/identities/',
  callers,
  summary: 'Providers by which the caller signs in',
  response: z.array(identity),
})

export const connectIdentity = endpoint({
  method: 'POST',
  path: '/api/v1/auth/identities/',
  callers,
  summary: 'Connect a provider: the browser goes to `url`',
  answers: { 403: proofWanted },
  body: z.object({ provider: text(20) }),
  response: z.object({ url: z.string() }),
})

export const disconnectIdentity = endpoint({
  method: 'DELETE',
  path: '/api/v1/auth/identities/:id/',
  callers,
  summary: 'Sign in by this provider no more; refused where it is the last way in',
  answers: { 403: proofWanted },
  params: z.object({ id }),
  status: 204,
  response: null,
})
