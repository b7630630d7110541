import type { Delivery, NotificationSetting, Plugin, Reach } from '@vigil/contract/notifications.ts'
import type { NotificationRules } from '@vigil/contract/notification-rules.ts'
import type { World } from './stub.ts'
import { ago } from './time.ts'

const ALL = [
  'notify_on_failure_alert',
  'notify_on_print_done',
  'notify_on_print_cancelled',
  'notify_on_filament_change',
  'notify_on_not_watching',
  'notify_on_heater_status',
  'notify_on_print_start',
  'notify_on_print_pause',
  'notify_on_print_resume',
] as const
const plugin = (features: Plugin['features'] = [...ALL], env: Plugin['env_vars'] = {}): Plugin => ({
  features,
  env_vars: env,
})
const missing = { is_required: true, is_set: false }
const plugins: Record<string, Plugin> = {
  email: plugin(),
  twilio: plugin(['notify_on_failure_alert'], { TWILIO_ACCOUNT_SID: missing, TWILIO_AUTH_TOKEN: missing }),
  ...Object.fromEntries(
    ['pushbullet', 'discord', 'telegram', 'pushover', 'slack', 'webhook', 'apprise', 'ntfy', 'gotify'].map(
      (name) => [name, plugin()],
    ),
  ),
}

const aSetting = (id: number, name: string, config: Record<string, string>): NotificationSetting => ({
  id,
  name,
  config,
  created_at: ago(90_000),
  updated_at: ago(90_000),
  enabled: true,
  notify_on_failure_alert: true,
  notify_on_print_done: true,
  notify_on_print_cancelled: false,
  notify_on_filament_change: true,
  notify_on_heater_status: false,
  notify_on_not_watching: true,
  notify_on_print_start: false,
  notify_on_print_pause: false,
  notify_on_print_resume: false,
})
const settings = [
  aSetting(1, 'email', {}),
  aSetting(2, 'ntfy', { ntfy_url: 'https://ntfy.sh/cellar-3f9a' }),
  aSetting(3, 'webhook', { custom_webhook_URL: 'https://home.example.org/hooks/vigil' }),
]

const went = (name: string, accepted: number | null, refusal: string | null) => ({
  name,
  alerts: true,
  accepted_at: accepted === null ? null : ago(accepted),
  failing_since: refusal === null ? null : ago(300),
  refusal,
})
const REFUSAL = 'home.example.org cannot be reached: ECONNREFUSED'
const reached: Reach = {
  reach: 'works',
  channels: [went('email', null, null), went('ntfy', 4_000, null), went('webhook', 90_000, REFUSAL)],
}

const aDelivery = (id: number, more: Partial<Delivery>): Delivery => ({
  id,
  channel: 'ntfy',
  kind: 'PrintFailure',
  printer: 'Voron 2.4',
  file: 'bracket_v3_left.gcode',
  attempts: 1,
  outcome: 'accepted',
  waits_for: null,
  problem: null,
  created_at: ago(4_000),
  due_at: ago(4_000),
  ended_at: ago(3_999),
  ...more,
})
const deliveries = [
  aDelivery(5, {
    outcome: null,
    channel: 'webhook',
    attempts: 3,
    problem: REFUSAL,
    ended_at: null,
    due_at: ago(-40),
  }),
  aDelivery(7, {
    kind: 'PrintDone',
    outcome: null,
    waits_for: 'quiet',
    attempts: 0,
    ended_at: null,
    due_at: ago(-9_000),
  }),
  aDelivery(6, {
    outcome: null,
    channel: 'telegram',
    waits_for: 'escalation',
    attempts: 0,
    ended_at: null,
    due_at: ago(-200),
  }),
  aDelivery(4, {}),
  aDelivery(3, { channel: 'webhook', outcome: 'expired', problem: REFUSAL, attempts: 14 }),
  aDelivery(2, { kind: 'PrintDone', file: 'benchy.gcode' }),
  aDelivery(1, {
    kind: 'Test',
    channel: 'telegram',
    printer: '',
    file: '',
    outcome: 'refused',
    problem: 'HTTP 400: Bad Request: chat not found',
  }),
]

const rules: NotificationRules = {
  time_zone: 'Europe/Berlin',
  quiet_from: '22:30',
  quiet_until: '07:00',
  quiet_spares_alerts: true,
  digest: 'daily',
  digest_at: '18:00',
  escalate_after: 5,
  escalation_steps: { email: 2, ntfy: 0, webhook: 0 },
}

const nothing: Reach = { reach: 'none', channels: [] }

/** What the server says of notifications; without any set up, of alerts that reach nobody. */
export function answerNotifications({ notified = true }: World, path: string) {
  const base = '/api/v1/notification_'
  const bodies: Record<string, unknown> = {
    [`${base}reach/`]: notified ? reached : nothing,
    [`${base}settings/`]: notified ? settings : [],
    [`${base}settings/available_plugins/`]: { plugins },
    [`${base}deliveries/`]: notified ? deliveries : [],
    [`${base}rules/`]: notified
      ? rules
      : { ...rules, quiet_from: null, quiet_until: null, digest: 'off', escalate_after: null },
  }
  return path in bodies ? { status: 200, body: bodies[path] } : null
}

const nobody = { notified: false }

export const notificationShots = [
  { name: 'notifications', path: 'user_preferences/general_notifications/' },
  { name: 'notifications-none', path: 'user_preferences/general_notifications/', world: nobody },
  { name: 'channel', path: 'user_preferences/notification_ntfy/' },
  { name: 'channel-new', path: 'user_preferences/notification_webhook/', world: nobody },
  { name: 'channel-missing', path: 'user_preferences/notification_twilio/' },
  { name: 'channel-email', path: 'user_preferences/notification_email/' },
  { name: 'rules', path: 'user_preferences/quiet_hours/' },
  { name: 'rules-none', path: 'user_preferences/quiet_hours/', world: nobody },
  { name: 'deliveries', path: 'user_preferences/sent_messages/' },
  { name: 'deliveries-none', path: 'user_preferences/sent_messages/', world: nobody },
  { name: 'linked-unreached', path: 'printers/wizard/success/1/', world: nobody },
  { name: 'list-unreached', path: 'printers/', world: nobody },
]
