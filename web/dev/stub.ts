import type { Brand, Provider } from '@vigil/contract/people/accounts.ts'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { Print } from '@vigil/contract/prints/prints.ts'
import { BRANDS, OWN, products, sharedPrinter, shareLinks } from './replies.ts'
import type { SharedWebcam } from '@vigil/contract/remote/sharing.ts'
import { heatOfScene, MARKED_AT } from './scene.ts'
import { ago } from './time.ts'

function status(text: string, more: Record<string, unknown> = {}) {
  return {
    _ts: Date.now() / 1000,
    state: {
      text,
      error: null,
      flags: {
        operational: true,
        printing: text === 'Printing',
        paused: text === 'Paused',
        ready: text === 'Operational',
        error: false,
        closedOrError: false,
      },
    },
    progress: { completion: null, printTime: null, printTimeLeft: null },
    temperatures: {},
    currentZ: null,
    ...more,
  }
}

export const print = (id: number, filename: string, more: Record<string, unknown> = {}) => ({
  id,
  printer: null,
  g_code_file: null,
  filename,
  started_at: ago(7380),
  ended_at: null,
  finished_at: null,
  cancelled_at: null,
  uploaded_at: null,
  alerted_at: null,
  alert_acknowledged_at: null,
  alert_muted_at: null,
  paused_at: null,
  paused_by: null,
  video_url: null,
  tagged_video_url: null,
  poster_url: null,
  alert_overwrite: null,
  filament_used: null,
  print_time: null,
  access_consented_at: null,
  video_archived_at: null,
  need_alert_overwrite: false,
  need_print_shot_feedback: false,
  ...more,
})

const STANDBY: Printer['watch'] = {
  state: 'not_watching',
  code: 'not_printing',
  reason: 'Printer is not actively printing',
  picture_at: null,
  checked_at: null,
  checked_every: 10,
  watched_percent: null,
  is_camera_strange: false,
}

const WATCHED = { ...STANDBY, state: 'watching', code: null, reason: null } as const

function base(id: number, name: string, more: Record<string, unknown>): Printer {
  return {
    id,
    name,
    created_at: ago(1_000_000 - id * 1000),
    action_on_failure: 'PAUSE',
    watching_enabled: true,
    not_watching_reason: null,
    not_watching_code: null,
    tools_off_on_pause: true,
    bed_off_on_pause: false,
    retract_on_pause: 6.5,
    lift_z_on_pause: 2.5,
    detective_sensitivity: 1,
    min_timelapse_secs_on_finish: 600,
    min_timelapse_secs_on_cancel: -1,
    auth_token: 'x',
    ...OWN,
    archived_at: null,
    pic: null,
    alert_pic: null,
    alert: null,
    ignored_percent: 0,
    status: null,
    settings: { webcam_flipH: false, webcam_flipV: false, webcam_rotation: 0, webcam_streamRatio: '16:9' },
    current_print: null,
    normalized_p: 0,
    watch: STANDBY,
    agent: { state: 'connected', last_seen_at: ago(1) },
    ...more,
  }
}

/** The printers of the scene: every state that has a look of its own. */
export function printers(): Printer[] {
  const temperatures = { tool0: { actual: 214.83, target: 215 }, bed: { actual: 60.12, target: 60 } }
  const metadata = { obico: { totalLayerCount: 336 }, analysis: { printingArea: { maxZ: 67.2 } } }
  return [
    base(1, 'Voron 2.4', {
      pic: { img_url: '/media/good.svg' },
      status: status('Printing', {
        progress: { completion: 63.4, printTime: 7380, printTimeLeft: 4320, filamentUsed: 11_800 },
        temperatures: { ...temperatures, chamber: { actual: 48.6, target: 0 } },
        currentZ: 42.4,
        currentLayerHeight: 212,
        file_metadata: metadata,
      }),
      current_print: print(11, 'bracket_left_v3.gcode'),
      normalized_p: 0.12,
      watch: { ...WATCHED, picture_at: ago(4), checked_at: ago(4), watched_percent: 99.2 },
    }),
    base(2, 'Prusa in the cellar', {
      agent_name: 'octoprint_obico',
      agent_version: '2.5.0',
      pic: { img_url: '/media/mess.svg', raw_url: '/media/mess.svg' },
      alert_pic: { img_url: '/media/failing.svg', raw_url: '/media/mess.svg', taken_at: MARKED_AT },
      alert: { normalized_p: 0.82, pause: 'sent', pause_from: null },
      status: status('Paused', {
        progress: { completion: 41.2, printTime: 4100, printTimeLeft: 5900 },
        temperatures: { tool0: { actual: 121.4, target: 0 }, bed: { actual: 60, target: 60 } },
        currentZ: 8.2,
        currentLayerHeight: 41,
      }),
      current_print: print(12, 'vase_spiral.gcode', {
        alerted_at: ago(125),
        paused_at: ago(125),
        paused_by: 'vigil',
      }),
      normalized_p: 0.82,
      watch: { ...STANDBY, picture_at: ago(2), checked_at: ago(125), watched_percent: 97.1 },
    }),
    base(3, 'Ender 3', {
      settings: { webcam_flipH: true, webcam_flipV: false, webcam_rotation: 90, webcam_streamRatio: '16:9' },
      pic: { img_url: '/media/idle.svg' },
      status: status('Operational', {
        display_status: { message: 'Bed is cold <b>now</b>' },
        temperatures: { tool0: { actual: 24.1, target: 0 }, bed: { actual: 23.8, target: 0 } },
      }),
      watch: { ...STANDBY, picture_at: ago(38) },
    }),
    base(4, 'Bambu by the window', {
      pic: { img_url: '/media/good.svg' },
      status: status('Printing', {
        progress: { completion: 8.9, printTime: 600, printTimeLeft: 15_000 },
        temperatures,
        currentZ: 1.2,
        currentLayerHeight: 6,
      }),
      current_print: print(
        14,
        'a_very_long_file_name_that_does_not_fit_on_any_card_0.2mm_PETG_MK4_final_final2.gcode',
      ),
      watch: {
        state: 'blind',
        code: 'picture_frozen',
        reason: 'frozen',
        picture_at: ago(95),
        checked_at: ago(95),
        checked_every: 10,
        watched_percent: 61,
        is_camera_strange: false,
      },
    }),
    base(5, 'Workshop CR-10', { agent: { state: 'offline', last_seen_at: ago(10_800) } }),
    base(7, 'Back soon', { agent: { state: 'waiting', last_seen_at: ago(75), after_restart: true } }),
    base(6, 'New in the shed', {
      agent_name: null,
      agent_version: null,
      agent: { state: 'waiting', last_seen_at: null },
    }),
  ]
}

const user = {
  id: 1,
  email: 'mk@example.org',
  username: null,
  first_name: 'Mika',
  last_name: 'Keller',
  date_joined: ago(9e6),
  language: 'en',
  time_zone: 'Europe/Berlin',
  theme: null,
  is_pro: true,
  subscription: null,
  dh_balance: 212.4,
  is_dh_unlimited: false,
  unseen_printer_events: 0,
  notification_enabled: true,
}

export interface World {
  notified?: boolean
  mailless?: boolean
  signedIn: boolean
  setUpRequired?: boolean
  admin?: boolean
  printers: Printer[]
  language: 'en' | 'zh'
  /** Answers the list with this status instead. */
  broken?: number
  enterprise?: boolean
  pro?: boolean
  /** No link yet. */
  unshared?: boolean
  /** How a share link answers: 401 wants a PIN, 404 has ended. */
  shared?: 401 | 404
  zones?: { x: number; y: number }[][]
  /** The history. */
  prints?: Print[]
  /** Of the shared printer. */
  cameras?: SharedWebcam[]
  signUpClosed?: boolean
  brand?: Brand
  platform?: string
  /** Who signs people in beside us. */
  providers?: readonly Provider[]
  /** Nothing has happened. */
  uneventful?: boolean
}

/** Answers an API call of the screenshots, or null where there is none. */
export function answer(world: World, method: string, path: string): { status: number; body: unknown } | null {
  const ok = (body: unknown, code = 200) => ({ status: code, body })
  if (path === '/api/v1/bootstrap/')
    return ok({
      user: world.signedIn ? { ...user, language: world.language, is_pro: world.pro ?? true } : null,
      settings: {
        VERSION: '0.1.0',
        ACCOUNT_ALLOW_SIGN_UP: !world.signUpClosed,
        EMAIL_ENABLED: !world.mailless,
        RECAPTCHA_SITE_KEY: null,
        SENTRY_DSN: null,
        IS_ENT: world.enterprise ?? false,
        SHARING_ENABLED: true,
        TWILIO_COUNTRY_CODES: [],
        SUPPORT_EMAIL: 'help@vigil.example',
      },
      page_context: {
        app_platform: world.platform ?? null,
        language: world.language,
        syndicate: world.brand ?? BRANDS.base,
      },
      csrf_token: '',
      social_providers: [],
      providers: world.providers ?? [],
      setup_required: world.setUpRequired ?? false,
      is_admin: world.admin ?? false,
      acting: null,
    })
  if (path === '/api/v1/printers/' && world.broken)
    return { status: world.broken, body: { detail: 'Service unavailable' } }
  if (path === '/api/v1/printers/') return ok(world.printers)
  if (/\/printers\/\d+\/share_links\/$/.test(path)) return ok(world.unshared ? [] : shareLinks)
  if (/\/printers\/\d+\/heat\/$/.test(path)) return ok(heatOfScene())
  if (/\/printers\/\d+\/ignore_zones\/$/.test(path)) return ok({ zones: world.zones ?? [] })
  if (path === '/api/v1p/printer/') {
    if (world.shared)
      return { status: world.shared, body: { detail: 'No.', pin_required: world.shared === 401 } }
    return ok(sharedPrinter(world.cameras))
  }
  if (path === '/api/v1p/printer/pin/') return { status: 400, body: { pin: ['Wrong.'] } }
  if (path === '/api/v1/addresses/') return ok({ reach: 'everywhere', further: [], only_here: false })
  if (path === '/api/v1/wizard/products/') return ok(products)
  const one = /^\/api\/v1\/printers\/(\d+)\/(\w+\/)?$/.exec(path)
  const printer = one && world.printers.find(({ id }) => id === Number(one[1]))
  if (one && !printer) return { status: 404, body: { detail: 'Not found.' } }
  if (printer && method === 'GET') return ok(printer)
  if (printer && method === 'PATCH') return { status: 400, body: { name: ['This field may not be blank.'] } }
  if (printer) return ok({ succeeded: false, detail: 'The printer is not connected.', printer })
  if (path === '/api/v1/prints/')
    return ok([
      print(9, 'benchy.gcode', { finished_at: ago(3600), ended_at: ago(3600), filament_used: 4200 }),
    ])
  const code = { id: 5, printer: null, code: '048213', expired_at: ago(-6900), verified_at: null }
  if (path.startsWith('/api/v1/onetimeverificationcodes/')) return ok(code)
  if (path === '/api/v1/printer_discovery/')
    return ok([
      {
        device_id: 'a'.repeat(32),
        hostname: 'voron',
        host_or_ip: '192.168.1.20',
        port: 46793,
        agent: 'moonraker_obico',
        machine_type: 'Klipper',
      },
    ])
  return null
}
