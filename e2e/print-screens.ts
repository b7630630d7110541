import type { Screen } from './look.ts'

interface Made {
  /** An ended print with films, pictures, scores, and all that its owner is asked about. */
  readonly print: number
  /** One with looks and pictures to be judged again. */
  readonly replayed: number
  /** One that runs. */
  readonly running: number
  /** What shows the time-lapse of the former. */
  readonly link: string
}

/** The screens of prints and messages, as an owner of a print sees them. */
export const printScreens = ({ print, replayed, running, link }: Made): Screen[] => [
  { name: 'history', path: () => '/print_history/', ready: 'vase_spiral.gcode' },
  { name: 'history-scrolled', path: () => `/print_history/${print}/`, ready: 'vase_spiral.gcode' },
  { name: 'timelapses', path: () => '/timelapses/', ready: 'vase_spiral.gcode' },
  { name: 'print', path: () => `/prints/${print}/`, ready: 'Temperatures' },
  { name: 'print-running', path: () => `/prints/${running}/`, ready: 'This print is still running' },
  { name: 'print-shared', path: () => `/prints/share_token/${link}/`, ready: 'Vigil' },
  { name: 'replay', path: () => `/prints/${replayed}/replay/`, ready: 'Sensitivity' },
  { name: 'stats', path: () => '/stats/', ready: 'Total prints' },
  { name: 'events', path: () => '/printer_events/', ready: 'started printing' },
  { name: 'film-upload', path: () => '/ent/timelapse_upload/', ready: 'Up to 100MB' },
  { name: 'subscription', path: () => '/user_preferences/subscription/', ready: 'What is used' },
  { name: 'coupons', path: () => '/user_preferences/coupons/', ready: 'All codes' },
  {
    name: 'partner',
    path: () => '/ent/partners/redeem/mintion/?coupon_code=x',
    ready: 'Redeem Plan',
  },
  { name: 'admin-codes', path: () => '/admin/codes/', ready: 'Make codes' },
  { name: 'welcome', path: () => '/ent/welcome/redeemed/', ready: 'Link Printer' },
  { name: 'hours', path: () => '/user_preferences/dh/', ready: 'AI Detection Hours' },
  {
    name: 'focused-feedback',
    path: () => `/prints/shot-feedback/${print}/`,
    ready: 'Help the detector learn',
  },
  {
    name: 'survey',
    path: () => `/first_layer_inspection_images/?print_id=${print}`,
    ready: 'Picture 1 of 2',
  },
  { name: 'nozzle', path: () => '/nozzle_ninja/', ready: 'A nozzle camera looks' },
  { name: 'gallery', path: () => '/ent_pub/publictimelapses/', ready: 'Nothing here yet' },
  { name: 'moderation', path: () => '/gallery_moderation/', ready: 'Maker of things' },
  {
    name: 'notifications',
    path: () => '/user_preferences/general_notifications/',
    ready: 'Failure alerts do not reach you',
  },
  { name: 'quiet-hours', path: () => '/user_preferences/quiet_hours/', ready: 'Hold messages back' },
  { name: 'messages', path: () => '/user_preferences/sent_messages/', ready: 'Nothing' },
  { name: 'channel', path: () => '/user_preferences/notification_ntfy/', ready: 'Topic address' },
  {
    name: 'channel-push',
    path: () => '/user_preferences/notification_webpush/',
    ready: 'Messages come to this device',
  },
  { name: 'channel-mqtt', path: () => '/user_preferences/notification_mqtt/', ready: 'Broker address' },
  {
    name: 'channel-email',
    path: () => '/user_preferences/notification_email/',
    ready: 'This channel is not set up on this server',
  },
  { name: 'channel-webhook', path: () => '/user_preferences/notification_webhook/', ready: 'Webhook URL' },
  { name: 'channel-matrix', path: () => '/user_preferences/notification_matrix/', ready: 'Home server' },
  { name: 'slack-callback', path: () => '/slack_oauth_callback/', ready: 'Slack' },
  { name: 'cancel-print', path: () => `/prints/${running}/cancel/`, ready: 'Voron in the cellar' },
  { name: 'resume-print', path: () => `/prints/${running}/resume/`, ready: 'Voron in the cellar' },
]
