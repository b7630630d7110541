import { pbkdf2Sync } from 'node:crypto'

/** As Django hashes passwords, with few rounds. */
export function djangoHash(password: string, algorithm: 'sha256' | 'sha1' = 'sha256'): string {
  const hashed = pbkdf2Sync(password, 'salt', 1000, algorithm === 'sha1' ? 20 : 32, algorithm)
  return `pbkdf2_${algorithm}$1000$salt$${hashed.toString('base64')}`
}

export const TUNNEL = { username: 'a'.repeat(64), password: 'b'.repeat(64), code: '0123456789abcdef' }
const AT = '2026-10-01 12:00:00.123456'
const media = (path: string) => `https://old.example.org/media/${path}?digest=abc`

type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

/** Two people with printers, one of which prints, and all that hangs on them. */
export const ROWS: Rows = {
  app_syndicate: [{ id: 1, name: 'base' }],
  app_user: [
    {
      id: 11,
      email: 'Ann@example.org',
      password: djangoHash('her old password'),
      first_name: 'Ann',
      is_superuser: true,
      is_staff: false,
      is_active: true,
      date_joined: '2021-02-03 04:05:06',
      syndicate_id: 1,
      is_pro: true,
      unsub_token: 'c56a4180-65aa-42ec-a945-5fd21dec0538',
      notification_enabled: true,
      account_notification_by_email: true,
      mobile_app_canary: false,
    },
    {
      id: 12,
      email: 'bob@example.org',
      password: '!nobody',
      is_active: true,
      syndicate_id: 1,
      date_joined: AT,
    },
    { id: 13, email: 'ann@example.ORG', password: '!', is_active: true, syndicate_id: 1, date_joined: AT },
  ],
  account_emailaddress: [
    { id: 1, email: 'ann@example.org', verified: true, primary: true, user_id: 11 },
    { id: 2, email: 'ann@work.example', verified: true, primary: false, user_id: 11 },
  ],
  socialaccount_socialaccount: [{ id: 1, provider: 'google', uid: '108', user_id: 12, date_joined: AT }],
  oauth2_provider_application: [{ id: 5, name: 'OrcaSlicer' }],
  oauth2_provider_accesstoken: [
    {
      id: 1,
      token: 'a token of a slicer',
      expires: '2126-01-01 00:00:00',
      application_id: 5,
      user_id: 11,
      created: AT,
    },
    {
      id: 2,
      token: 'an old token',
      expires: '2020-01-01 00:00:00',
      application_id: 5,
      user_id: 11,
      created: AT,
    },
  ],
  app_printer: [
    {
      id: 7,
      name: 'Prusa',
      auth_token: 'token-of-agent-7',
      user_id: 11,
      current_print_id: 21,
      action_on_failure: 'NONE',
      watching: true,
      agent_name: 'octoprint_obico',
      created_at: AT,
    },
    { id: 8, name: 'Gone', auth_token: 'token-of-agent-8', user_id: 11, deleted: AT, created_at: AT },
    { id: 9, name: 'Of nobody', auth_token: 'token-of-agent-9', user_id: 13, created_at: AT },
  ],
  app_gcodefolder: [
    { id: 1, user_id: 11, parent_folder_id: 2, name: 'Inner', safe_name: 'Inner', created_at: AT },
    { id: 2, user_id: 11, name: 'Outer', safe_name: 'Outer', created_at: AT },
  ],
  app_gcodefile: [
    {
      id: 31,
      user_id: 11,
      filename: 'benchy.gcode',
      safe_filename: 'benchy.gcode',
      parent_folder_id: 1,
      url: media('tsd-gcodes/11/31'),
      num_bytes: 3,
      thumbnail1_url: media('tsd-timelapses/gcode_thumbnails/11/31/1.png'),
      created_at: AT,
    },
    {
      id: 32,
      user_id: 11,
      filename: 'lost.gcode',
      safe_filename: 'lost.gcode',
      url: media('tsd-gcodes/11/32'),
      created_at: AT,
    },
    {
      id: 33,
      user_id: 11,
      filename: 'on-sd.gcode',
      safe_filename: 'on-sd.gcode',
      resident_printer_id: 7,
      agent_signature: 'ts:1',
      created_at: AT,
    },
  ],
  app_print: [
    {
      id: 20,
      user_id: 11,
      printer_id: 7,
      g_code_file_id: 31,
      ext_id: 1690000000,
      filename: 'benchy.gcode',
      started_at: AT,
      finished_at: '2026-10-01 15:00:00',
      video_url: media('tsd-timelapses/private/20.mp4'),
      poster_url: media('tsd-timelapses/private/20_gone.jpg'),
      alert_overwrite: 'NOT_FAILED',
      created_at: AT,
    },
    {
      id: 21,
      user_id: 11,
      printer_id: 7,
      ext_id: 1690009999,
      filename: 'now.gcode',
      started_at: AT,
      created_at: AT,
    },
  ],
  app_printerevent: [
    {
      id: 41,
      print_id: 20,
      printer_id: 7,
      event_type: 'STARTED',
      event_class: 'INFO',
      event_title: 'Print Job Started',
      image_url: media('tsd-pics/snapshots/7/1690000001.5_rotated.jpg'),
      created_at: '2019-05-06 07:08:09',
    },
    {
      id: 42,
      printer_id: 7,
      event_type: 'PRINTER_ERROR',
      event_class: 'ERROR',
      image_url: 'https://elsewhere.example/x.jpg',
      created_at: AT,
    },
  ],
  app_sharedresource: [{ id: 3, printer_id: 7, share_token: 'shared-with-a-friend', created_at: AT }],
  app_octoprinttunnel: [
    { id: 1, printer_id: 7, app: 'Obico', subdomain_code: 'fedcba9876543210', created_at: AT },
    {
      id: 2,
      printer_id: 7,
      app: 'OctoApp',
      basicauth_username: TUNNEL.username,
      basicauth_password: djangoHash(TUNNEL.password),
      subdomain_code: TUNNEL.code,
      created_at: AT,
    },
  ],
  app_notificationsetting: [
    {
      id: 1,
      user_id: 11,
      name: 'telegram',
      config_json: '{"chat_id": "42"}',
      enabled: true,
      notify_on_print_done: true,
      notify_on_failure_alert: true,
      created_at: AT,
    },
    {
      id: 3,
      user_id: 11,
      name: 'email',
      config_json: '',
      enabled: true,
      notify_on_print_done: false,
      created_at: AT,
    },
    { id: 2, user_id: 11, name: 'pigeon', config_json: '{}', enabled: true, created_at: AT },
  ],
  app_mobiledevice: [
    { id: 1, user_id: 11, platform: 'ios', app_version: '2', device_token: 'phone', created_at: AT },
  ],
  app_printshotfeedback: [
    {
      id: 51,
      print_id: 20,
      image_url: media('tsd-pics/ff_printshots/11/20/1690000100.25.jpg'),
      answer: 'LOOKS_BAD',
      answered_at: AT,
      created_at: AT,
    },
  ],
  app_heatertracker: [{ id: 1, printer_id: 7, name: 'bed', target: 60, reached: true }],
  app_printheatertarget: [{ id: 1, print_id: 20, name: 'bed', target: 60, offset: 2 }],
  app_printerprediction: [{ printer_id: 7, current_p: 0.2 }],
  django_session: [{ session_key: 'k', session_data: 'd', expire_date: AT }],
  app_newthing: [{ id: 1 }],
}
