import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { flag, id, page, text, timestamp } from '../values.ts'

/** How owners are told of their printers (docs/wire/tell.md). */

const owner = ['session', 'oauth'] as const

/** What a channel may be told of, each a switch of its own. */
export const FEATURES = [
  'notify_on_failure_alert',
  'notify_on_not_watching',
  'notify_on_print_done',
  'notify_on_print_cancelled',
  'notify_on_filament_change',
  'notify_on_heater_status',
  'notify_on_print_start',
  'notify_on_print_pause',
  'notify_on_print_resume',
] as const
export type Feature = (typeof FEATURES)[number]

/** What notices are called on the wire. */
export const noticeKind = z.enum([
  'PrintFailure',
  'NotWatching',
  'WatchingAgain',
  'PrintStarted',
  'PrintDone',
  'PrintCancelled',
  'PrintPaused',
  'PrintResumed',
  'FilamentChange',
  'HeaterTargetReached',
  'HeaterCooledDown',
  'BedToClear',
  'FirstLayerReport',
  'ChannelFailing',
  'Summary',
  'Test',
])
export type NoticeKind = z.infer<typeof noticeKind>

const envVar = z.object({ is_required: z.boolean(), is_set: z.boolean(), value: z.string().optional() })

export const plugin = z
  .object({
    features: z.array(z.enum(FEATURES)),
    env_vars: z.record(z.string(), envVar),
  })
  .meta({ id: 'NotificationPlugin' })
export type Plugin = z.infer<typeof plugin>

export const listPlugins = endpoint({
  method: 'GET',
  path: '/api/v1/notification_settings/available_plugins/',
  callers: owner,
  summary: 'The channels of this server, what each can tell, and which of its variables are set',
  response: z.object({ plugins: z.record(z.string(), plugin) }),
})

const switches = {
  enabled: z.boolean(),
  notify_on_failure_alert: z.boolean(),
  /** A print that runs is no longer watched, and when it is again. */
  notify_on_not_watching: z.boolean(),
  notify_on_print_done: z.boolean(),
  notify_on_print_cancelled: z.boolean(),
  notify_on_filament_change: z.boolean(),
  notify_on_heater_status: z.boolean(),
  notify_on_print_start: z.boolean(),
  notify_on_print_pause: z.boolean(),
  notify_on_print_resume: z.boolean(),
}

export const notificationSetting = z
  .object({
    id: z.int(),
    created_at: timestamp,
    updated_at: timestamp,
    name: z.string(),
    config: z.record(z.string(), z.unknown()),
    ...switches,
  })
  .meta({ id: 'NotificationSetting' })
export type NotificationSetting = z.infer<typeof notificationSetting>

export const listSettings = endpoint({
  method: 'GET',
  path: '/api/v1/notification_settings/',
  callers: owner,
  summary: 'The channels that the caller has set up',
  response: z.array(notificationSetting),
})

export const getSetting = endpoint({
  method: 'GET',
  path: '/api/v1/notification_settings/:id/',
  callers: owner,
  summary: 'One channel',
  params: z.object({ id }),
  response: notificationSetting,
})

/** Forms send a configuration as JSON text. */
const config = z.preprocess(
  (value) => {
    if (typeof value !== 'string') return value
    try {
      const parsed: unknown = JSON.parse(value)
      return parsed
    } catch {
      return value
    }
  },
  z.record(z.string().max(100), z.unknown()),
)

const switchesWrite = z
  .object({
    enabled: flag,
    notify_on_failure_alert: flag,
    notify_on_not_watching: flag,
    notify_on_print_done: flag,
    notify_on_print_cancelled: flag,
    notify_on_filament_change: flag,
    notify_on_heater_status: flag,
    notify_on_print_start: flag,
    notify_on_print_pause: flag,
    notify_on_print_resume: flag,
  })
  .partial()
export type SwitchesWrite = z.infer<typeof switchesWrite>

/** What is wrong with a configuration stands beside its fields: `{"config": {"phone_number": ["…"]}}`. */
const configRefusal = z
  .record(z.string(), z.union([z.array(z.string()), z.record(z.string(), z.array(z.string()))]))
  .meta({ id: 'ConfigRefusal' })

export const createSetting = endpoint({
  method: 'POST',
  path: '/api/v1/notification_settings/',
  callers: owner,
  isPersonal: true,
  summary: 'Set up a channel; its configuration is checked',
  body: switchesWrite.extend({ name: text(100), config }),
  answers: { 400: configRefusal },
  response: notificationSetting,
  status: 201,
})

const change = <M extends 'PATCH' | 'PUT'>(method: M) =>
  endpoint({
    method,
    path: '/api/v1/notification_settings/:id/',
    callers: owner,
    summary: 'Change a channel; its configuration is checked when it is sent',
    params: z.object({ id }),
    body: switchesWrite.extend({ name: text(100).optional(), config: config.optional() }),
    answers: { 400: configRefusal },
    response: notificationSetting,
  })
export const changeSetting = change('PATCH')
export const replaceSetting = change('PUT')

export const deleteSetting = endpoint({
  method: 'DELETE',
  path: '/api/v1/notification_settings/:id/',
  callers: owner,
  summary: 'Remove a channel',
  params: z.object({ id }),
  response: null,
  status: 204,
})

export const sendTestMessage = endpoint({
  method: 'POST',
  path: '/api/v1/notification_settings/:id/send_test_message/',
  callers: owner,
  summary: 'Send a message now; 418 says why it was not accepted',
  params: z.object({ id }),
  answers: { 418: z.object({ status: z.literal('error'), detail: z.string() }) },
  response: z.object({ status: z.literal('sent') }),
})

export const slackAddress = endpoint({
  method: 'GET',
  path: '/api/v1/notification_settings/slack_install/',
  callers: ['session'],
  isPersonal: true,
  summary:
    "Slack's page on which the caller puts our app into a workspace; it leads back to `/slack_oauth_callback/`",
  response: z.object({ url: z.string() }),
})

export const installSlack = endpoint({
  method: 'POST',
  path: '/api/v1/notification_settings/slack_install/',
  callers: ['session'],
  isPersonal: true,
  summary: 'What Slack has led back with: the channel is set up, or its access renewed',
  body: z.object({ code: text(1000), state: text(200) }),
  response: notificationSetting,
})

/** A message that was owed to a channel, and what came of it. */
export const delivery = z
  .object({
    id: z.int(),
    channel: z.string(),
    kind: noticeKind,
    printer: z.string(),
    file: z.string(),
    attempts: z.int(),
    /** Null: under way, or to be tried again at `due_at`. */
    outcome: z.enum(['accepted', 'refused', 'expired', 'withdrawn', 'summarized', 'answered']).nullable(),
    /** What it waits for until `due_at`, or waited for: quiet hours, a digest, an answer, a time-lapse. */
    waits_for: z.enum(['quiet', 'digest', 'escalation', 'film']).nullable(),
    /** Why the last try did not succeed. */
    problem: z.string().nullable(),
    created_at: timestamp,
    due_at: timestamp,
    ended_at: timestamp.nullable(),
  })
  .meta({ id: 'Delivery' })
export type Delivery = z.infer<typeof delivery>

export const listDeliveries = endpoint({
  method: 'GET',
  path: '/api/v1/notification_deliveries/',
  callers: owner,
  summary: 'What was sent in the last 30 days and what came of it, newest first',
  query: z.object(page(30, 100)),
  response: z.array(delivery),
})

/** A channel that is on, and how it does now: it works, fails since, or was never tried. */
export const reached = z.object({
  name: z.string(),
  /** It is for failure alerts, too. */
  alerts: z.boolean(),
  accepted_at: timestamp.nullable(),
  /** Each try since has failed; null when the last did not. */
  failing_since: timestamp.nullable(),
  /** What the receiver, or whoever did not answer, has said. */
  refusal: z.string().nullable(),
})

/**
 * Whether failure alerts reach their owner now. `works`: the last try by a channel for them succeeded; `unproven`: there is one
 * that was never tried; `failing`: the last try by each has failed; `none`: there is none.
 */
export const reach = z
  .object({ reach: z.enum(['works', 'unproven', 'failing', 'none']), channels: z.array(reached) })
  .meta({ id: 'Reach' })
export type Reach = z.infer<typeof reach>

export const getReach = endpoint({
  method: 'GET',
  path: '/api/v1/notification_reach/',
  callers: owner,
  summary: 'Whether an alert would reach the caller, and by which channels',
  response: reach,
})
