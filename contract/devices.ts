import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { id, text, timeZone, timestamp } from './values.ts'

/** A phone with our app, by the word that its push service knows it by. */
export const mobileDevice = z
  .object({
    id: z.int(),
    user: z.int(),
    platform: z.string(),
    app_version: z.string(),
    device_token: z.string(),
    deactivated_at: timestamp.nullable(),
    preferred_timezone: z.string().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'MobileDevice' })
export type MobileDevice = z.infer<typeof mobileDevice>

const callers = ['session', 'oauth'] as const
const path = '/api/v1/mobile_devices/'
const one = z.object({ id })

export const listDevices = endpoint({
  method: 'GET',
  path,
  callers,
  summary: 'Phones of the caller that are reached by push',
  response: z.array(mobileDevice),
})

export const getDevice = endpoint({
  method: 'GET',
  path: `${path}:id/`,
  callers,
  summary: 'One such phone',
  params: one,
  response: mobileDevice,
})

export const registerDevice = endpoint({
  method: 'POST',
  path,
  callers,
  summary: 'Reach this phone by push; one that is known by its token is the same phone',
  body: z.object({
    platform: z
      .string()
      .toLowerCase()
      .pipe(z.enum(['android', 'ios'])),
    app_version: text(64).trim().min(1),
    device_token: text(4096).trim().min(1),
    /** One that nobody knows counts as none: a phone must not be lost over it. */
    preferred_timezone: timeZone.nullish().catch(null),
  }),
  response: mobileDevice,
  status: 201,
})

export const removeDevice = endpoint({
  method: 'DELETE',
  path: `${path}:id/`,
  callers,
  summary: 'Reach this phone no more',
  params: one,
  response: null,
  status: 204,
})
