import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, timestamp } from '../values.ts'

/** A browser or phone that is signed in. */
export const session = z
  .object({
    id: z.int(),
    /** The one that asks. */
    current: z.boolean(),
    /** `Firefox, Linux`; '' for one that says nothing known. */
    browser: z.string(),
    /** Where it was last used from; '' where that was not noted yet. */
    address: z.string(),
    created_at: timestamp,
    /** To ten minutes. */
    last_used_at: timestamp,
  })
  .meta({ id: 'Session' })
export type Session = z.infer<typeof session>

const callers = ['session'] as const
const path = '/api/v1/auth/sessions/'

export const listSessions = endpoint({
  method: 'GET',
  path,
  callers,
  summary: 'Where the caller is signed in, this browser first, then the one used last',
  response: z.array(session),
})

export const endSession = endpoint({
  method: 'DELETE',
  path: `${path}:id/`,
  callers,
  summary: 'Signs a device out',
  isPersonal: true,
  params: z.object({ id }),
  response: null,
  status: 204,
  evenWhenDiskIsFull: true,
})

export const endOtherSessions = endpoint({
  method: 'DELETE',
  path,
  callers,
  summary: 'Signs all other devices out',
  isPersonal: true,
  response: null,
  status: 204,
  evenWhenDiskIsFull: true,
})
