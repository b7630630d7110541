import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, text, timeZone, timestamp } from '../values.ts'

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
  isPersonal: true,
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

/** A browser that is reached by push (docs/wire/tell.md 5). */
export const pushSubscription = z
  .object({
    id: z.int(),
    /** By which the browser itself knows which of them it is. */
    endpoint: z.string(),
    /** As the browser calls itself. */
    label: z.string(),
    created_at: timestamp,
  })
  .meta({ id: 'PushSubscription' })
export type PushSubscription = z.infer<typeof pushSubscription>

const browsers = '/api/v1/push_subscriptions/'

export const listSubscriptions = endpoint({
  method: 'GET',
  path: browsers,
  callers,
  summary: 'Browsers of the caller that are reached by push, and the key that a browser subscribes with',
  response: z.object({ public_key: z.string(), subscriptions: z.array(pushSubscription) }),
})

const bytes = (count: number) =>
  z
    .string()
    .max(200)
    .regex(/^[\w-]+={0,2}$/)
    .refine((word) => Math.floor((word.replaceAll('=', '').length * 3) / 4) === count, {
      error: `must be ${count} bytes as base64url`,
    })

export const addSubscription = endpoint({
  method: 'POST',
  path: browsers,
  callers,
  summary: 'Reach this browser by push; one that is known by its address is the same browser',
  isPersonal: true,
  body: z.object({
    endpoint: text(2000).pipe(z.url({ protocol: /^https$/ })),
    /** As `PushSubscription.toJSON()` has them. */
    keys: z.object({ p256dh: bytes(65), auth: bytes(16) }),
    label: text(100).trim(),
  }),
  response: pushSubscription,
  status: 201,
})

export const removeSubscription = endpoint({
  method: 'DELETE',
  path: `${browsers}:id/`,
  callers,
  summary: 'Reach this browser no more',
  params: one,
  response: null,
  status: 204,
})
