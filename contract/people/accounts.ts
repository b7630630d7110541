import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { secondFactor } from './proof.ts'
import { flag, text, timeZone, timestamp } from '../values.ts'

/** `system`: as the device is set. */
const theme = z.enum(['light', 'dark', 'system'])

/** docs/wire/rest.md 5, User. */
export const user = z
  .object({
    id: z.int(),
    email: z.string(),
    username: z.string().nullable(),
    first_name: z.string(),
    last_name: z.string(),
    date_joined: timestamp,
    consented_at: timestamp.nullable(),
    last_active_at: timestamp.nullable(),
    is_pro: z.boolean(),
    /** The plan that runs; null: none, or this edition has no plans. */
    subscription: z.object({ plan_id: z.string(), expired_at: timestamp.nullable() }).nullable(),
    dh_balance: z.number(),
    is_dh_unlimited: z.boolean(),
    unsub_token: z.string(),
    account_notification_by_email: z.boolean(),
    notification_enabled: z.boolean(),
    mobile_app_canary: z.boolean(),
    tunnel_cap_multiplier: z.number(),
    unseen_printer_events: z.int(),
    is_primary_email_verified: z.boolean(),
    language: z.enum(['en', 'zh']),
    time_zone: z.string().nullable(),
    /** For devices on which none was chosen; null: none was chosen anywhere. */
    theme: theme.nullable(),
  })
  .meta({ id: 'User' })
export type User = z.infer<typeof user>

/** In small letters: addresses are compared without regard to case. */
export const email = text(254).trim().toLowerCase().pipe(z.email())
/** Eight characters at least (docs/rules/people.md 1); argon2 takes any length, a kilobyte is enough. */
export const newPassword = text(1000).min(
  8,
  'This password is too short. It must contain at least 8 characters.',
)

const accents = z.object({ accent: z.string(), accent_soft: z.string(), on_accent: z.string() })

/**
 * A brand (docs/wire/rest.md 8): how the pages are dressed. Addresses are '' where there is none; a path such as
 * `/help/` is a page of ours, below the prefix.
 */
export const brand = z.object({
  name: z.string(),
  display_name: z.string(),
  docRoot: z.string(),
  community: z.string(),
  /** Path of the mark, below the prefix: its shape is what counts. */
  logo_full: z.string(),
  /** The only theme there is; null lets people choose. */
  theme: z.enum(['light', 'dark']).nullable(),
  /** Null: the colours of the look. */
  colors: z.object({ light: accents, dark: accents }).nullable(),
})
export type Brand = z.infer<typeof brand>

/** Somebody else's server that signs people in (docs/rules/people.md 11). */
const provider = z.object({ id: z.string(), name: z.string(), logo: z.string().nullable() })
export type Provider = z.infer<typeof provider>

export const bootstrap = endpoint({
  method: 'GET',
  path: '/api/v1/bootstrap/',
  callers: ['anyone'],
  summary: 'Who is signed in, and what this server is',
  query: z.object({ lang: z.string().max(64).optional(), platform: z.string().max(64).optional() }),
  response: z.object({
    user: user.nullable(),
    settings: z.object({
      VERSION: z.string(),
      ACCOUNT_ALLOW_SIGN_UP: z.boolean(),
      /** Whether this server sends mail. */
      EMAIL_ENABLED: z.boolean(),
      RECAPTCHA_SITE_KEY: z.string().nullable(),
      SENTRY_DSN: z.string().nullable(),
      IS_ENT: z.boolean(),
      /** Whether owners may show a printer to others by a link. */
      SHARING_ENABLED: z.boolean(),
      TWILIO_COUNTRY_CODES: z.array(z.string()),
      /** Where who needs help can write; null: nowhere. */
      SUPPORT_EMAIL: z.string().nullable(),
    }),
    page_context: z.object({
      app_platform: z.string().nullable(),
      language: z.enum(['en', 'zh']),
      syndicate: brand,
    }),
    csrf_token: z.string(),
    social_providers: z.array(z.string()),
    /** The same with what stands on their buttons; `logo` is a picture as `data:`. */
    providers: z.array(provider),
    /** True while no account exists: the one-time link printed at start creates the first. */
    setup_required: z.boolean(),
    /** Whether who is signed in looks after this server. */
    is_admin: z.boolean(),
    /** Set while an administrator acts as `user`: who that is, until when. */
    acting: z.object({ by: z.string(), until: timestamp }).nullable(),
  }),
})

export const setUp = endpoint({
  method: 'POST',
  path: '/api/v1/auth/setup/',
  callers: ['anyone'],
  summary: 'Create the first account with the one-time link printed at start',
  body: z.object({ token: text(200), email, password: newPassword }),
  response: user,
  status: 201,
})

/** Where addresses are confirmed before anybody is let in; else without `reason`. */
const notLetIn = z
  .object({ detail: z.string(), reason: z.literal('email_unverified').optional() })
  .meta({ id: 'NotLetIn' })

export const login = endpoint({
  method: 'POST',
  path: '/api/v1/auth/login/',
  callers: ['anyone'],
  summary: 'Sign in',
  body: z.object({
    email: text(254).trim(),
    password: text(1000),
    remember: flag.default(false),
    /** What waits to be connected (docs/rules/people.md 11). */
    link: text(100).optional(),
  }),
  answers: { 403: z.union([notLetIn, secondFactor]) },
  response: user,
  evenWhenDiskIsFull: true,
})

export const signUp = endpoint({
  method: 'POST',
  path: '/api/v1/auth/signup/',
  callers: ['anyone'],
  summary: 'Create an account, where the operator allows it',
  body: z.object({ email, password: newPassword }),
  answers: { 403: notLetIn },
  response: user,
  status: 201,
})

export const logout = endpoint({
  method: 'POST',
  path: '/api/v1/auth/logout/',
  callers: ['session'],
  summary: 'Sign out',
  response: null,
  status: 204,
  evenWhenDiskIsFull: true,
})

export const getMe = endpoint({
  method: 'GET',
  path: '/api/v1/users/me/',
  callers: ['session', 'oauth'],
  summary: 'The caller',
  response: user,
})

export const updateMe = endpoint({
  method: 'PATCH',
  path: '/api/v1/users/me/',
  callers: ['session', 'oauth'],
  summary: 'Change what a user may change of themselves',
  body: z
    .object({
      first_name: text(150),
      last_name: text(150),
      account_notification_by_email: flag,
      notification_enabled: flag,
      unseen_printer_events: z.coerce.number().pipe(z.literal(0)),
      language: z.enum(['en', 'zh']),
      time_zone: timeZone,
      theme,
    })
    .partial(),
  response: user,
})
