import { randomBytes } from 'node:crypto'
import { configOf, eventPictureOf, flag, mediaOf, moment, number, words } from './obico.rules.ts'
import { Left, type Mapping } from './world.ts'

const CHANNELS: ReadonlySet<string> = new Set([
  'email',
  'twilio',
  'telegram',
  'pushbullet',
  'pushover',
  'slack',
  'discord',
  'webhook',
  'apprise',
])
/** The app of the tunnels that pages open; here they are made when somebody looks. */
const INTERNAL_APP = 'Obico'

/** Printers with their tokens: their agents go on. */
export const PRINTERS: readonly Mapping[] = [
  {
    from: 'app_printer',
    to: 'printers',
    row(row, world) {
      const [id, userId] = [Number(row['id']), Number(row['user_id'])]
      if (!world.brandOf.has(userId)) return new Left('have no account here')
      world.owners.set(id, userId)
      const deletedAt = moment(row, 'deleted')
      if (deletedAt === null) world.printers.add(id)
      return {
        id,
        user_id: userId,
        name: words(row, 'name') ?? '',
        auth_token: words(row, 'auth_token') ?? '',
        agent_name: words(row, 'agent_name'),
        agent_version: words(row, 'agent_version'),
        action_on_failure: words(row, 'action_on_failure') === 'NONE' ? 'NONE' : 'PAUSE',
        watching_enabled: flag(row, 'watching'),
        tools_off_on_pause: flag(row, 'tools_off_on_pause'),
        bed_off_on_pause: flag(row, 'bed_off_on_pause'),
        retract_on_pause: number(row, 'retract_on_pause') ?? 6.5,
        lift_z_on_pause: number(row, 'lift_z_on_pause') ?? 2.5,
        detective_sensitivity: number(row, 'detective_sensitivity') ?? 1,
        detection_bending_factor: number(row, 'detection_bending_factor'),
        min_timelapse_secs_on_finish: number(row, 'min_timelapse_secs_on_finish') ?? 600,
        min_timelapse_secs_on_cancel: number(row, 'min_timelapse_secs_on_cancel') ?? 300,
        linked_at: moment(row, 'created_at') ?? world.now,
        archived_at: moment(row, 'archived_at'),
        deleted_at: deletedAt,
        created_at: moment(row, 'created_at') ?? world.now,
        updated_at: moment(row, 'updated_at') ?? world.now,
      }
    },
  },
  {
    from: 'app_printer',
    to: 'printer_predictions',
    row: (row, world) =>
      world.owners.has(Number(row['id']))
        ? { printer_id: Number(row['id']) }
        : new Left('have no account here'),
  },
]

/** What is shared of printers, apps that come through, how owners are told, and what happened. */
export const OF_PRINTERS: readonly Mapping[] = [
  {
    from: 'app_sharedresource',
    to: 'shared_resources',
    row(row, world) {
      const printerId = number(row, 'printer_id')
      if (printerId === null || !world.printers.has(printerId))
        return new Left('are of a printer that is gone')
      return {
        id: Number(row['id']),
        printer_id: printerId,
        share_token: words(row, 'share_token') ?? '',
        is_default: true,
        created_at: moment(row, 'created_at') ?? world.now,
      }
    },
  },
  {
    from: 'app_octoprinttunnel',
    to: 'tunnels',
    row(row, world) {
      const printerId = Number(row['printer_id'])
      const [app, username, hash] = [
        words(row, 'app') ?? '',
        words(row, 'basicauth_username'),
        words(row, 'basicauth_password'),
      ]
      if (!world.printers.has(printerId) || moment(row, 'deleted') !== null)
        return new Left('are of a printer that is gone')
      if (app === INTERNAL_APP || username === null || hash === null)
        return new Left('are of pages, which make theirs when somebody looks')
      const code = words(row, 'subdomain_code') ?? ''
      return {
        printer_id: printerId,
        kind: 'app',
        app,
        code: /^[0-9a-f]{16}$/.test(code) ? code : randomBytes(8).toString('hex'),
        port: number(row, 'port'),
        username,
        password_hash: `\\x${Buffer.from(hash).toString('hex')}`,
        created_at: moment(row, 'created_at') ?? world.now,
      }
    },
  },
  {
    from: 'app_notificationsetting',
    to: 'notification_settings',
    row(row, world) {
      const userId = Number(row['user_id'])
      if (!world.brandOf.has(userId)) return new Left('have no account here')
      const [name, config] = [words(row, 'name') ?? '', configOf(words(row, 'config_json'))]
      if (!CHANNELS.has(name)) return new Left(`are of ${name}, a channel that is not known here`)
      if (config === null) return new Left('cannot be read')
      return {
        user_id: userId,
        name,
        config,
        enabled: flag(row, 'enabled'),
        notify_on_failure_alert: flag(row, 'notify_on_failure_alert'),
        notify_on_print_done: flag(row, 'notify_on_print_done'),
        notify_on_print_cancelled: flag(row, 'notify_on_print_cancelled'),
        notify_on_filament_change: flag(row, 'notify_on_filament_change'),
        notify_on_heater_status: flag(row, 'notify_on_heater_status'),
        notify_on_print_start: flag(row, 'notify_on_print_start'),
        notify_on_print_pause: flag(row, 'notify_on_print_pause'),
        notify_on_print_resume: flag(row, 'notify_on_print_resume'),
        created_at: moment(row, 'created_at') ?? world.now,
      }
    },
  },
  {
    from: 'app_heatertracker',
    to: 'heater_trackers',
    row: (row, world) =>
      world.owners.has(Number(row['printer_id']))
        ? {
            printer_id: Number(row['printer_id']),
            name: words(row, 'name') ?? '',
            target: number(row, 'target') ?? 0,
            reached: flag(row, 'reached'),
          }
        : new Left('are of a printer that did not come'),
  },
  {
    from: 'app_printerevent',
    to: 'printer_events',
    row(row, world) {
      const printerId = Number(row['printer_id'])
      const [userId, printId] = [world.owners.get(printerId), number(row, 'print_id')]
      if (userId === undefined) return new Left('are of a printer that did not come')
      const picture = mediaOf(words(row, 'image_url'))
      return {
        id: Number(row['id']),
        created_at: moment(row, 'created_at') ?? world.now,
        user_id: userId,
        printer_id: printerId,
        print_id: world.has('prints', printId) ? printId : null,
        event_type: words(row, 'event_type') ?? '',
        event_class: words(row, 'event_class') ?? '',
        event_title: words(row, 'event_title'),
        event_text: words(row, 'event_text'),
        info_url: words(row, 'info_url'),
        image: picture === null ? null : world.file(picture, eventPictureOf(picture)),
      }
    },
  },
]
