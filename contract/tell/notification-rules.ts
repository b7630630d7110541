import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { flag, integer, orNull, timeZone } from '../values.ts'

/** When owners are told: quiet hours, digests, who is told next (docs/wire/tell.md 7). */

const owner = ['session', 'oauth'] as const

/** `22:30`, on the clocks of the account's time zone. */
const clockTime = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)

export const DIGESTS = ['off', 'hourly', 'daily'] as const

export const notificationRules = z
  .object({
    /** By its IANA name; null until somebody has said. */
    time_zone: z.string().nullable(),
    /** Both null: no quiet hours. */
    quiet_from: z.string().nullable(),
    quiet_until: z.string().nullable(),
    /** Alerts are sent in quiet hours, too. */
    quiet_spares_alerts: z.boolean(),
    digest: z.enum(DIGESTS),
    /** When the daily digest is sent. */
    digest_at: z.string(),
    /** Minutes without an answer to an alert until the next channels are told; null: all are told at once. */
    escalate_after: z.int().nullable(),
    /** When each channel that is set up is told of an alert: 0 at once, 1 next, at most 3; by name. */
    escalation_steps: z.record(z.string(), z.int()),
  })
  .meta({ id: 'NotificationRules' })
export type NotificationRules = z.infer<typeof notificationRules>

export const getRules = endpoint({
  method: 'GET',
  path: '/api/v1/notification_rules/',
  callers: owner,
  summary: 'When the caller is told: quiet hours, digest, escalation',
  response: notificationRules,
})

export const changeRules = endpoint({
  method: 'PATCH',
  path: '/api/v1/notification_rules/',
  callers: owner,
  summary: 'Change them; what is held back by now is sent when the new ones have it',
  body: z
    .object({
      time_zone: timeZone,
      quiet_from: orNull(clockTime),
      quiet_until: orNull(clockTime),
      quiet_spares_alerts: flag,
      digest: z.enum(DIGESTS),
      digest_at: clockTime,
      escalate_after: orNull(integer(1, 15)),
      escalation_steps: z.record(z.string().max(100), integer(0, 3)),
    })
    .partial(),
  response: notificationRules,
})
export type RulesWrite = Partial<NotificationRules>
