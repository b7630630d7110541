/** Every address of ours, below the base path. The route table says what stands there. */
export const paths = {
  home: '/',
  printers: '/printers/',
  control: (id: number) => `/printers/${id}/control/`,
  printerSettings: (id: number) => `/printers/${id}/`,
  shared: (token: string) => `/printers/share_token/${token}/`,
  terminal: (id: number) => `/printers/${id}/terminal/`,
  history: '/print_history/',
  timelapses: '/timelapses/',
  upload: '/ent/timelapse_upload/',
  print: (id: number) => `/prints/${id}/`,
  replay: (id: number) => `/prints/${id}/replay/`,
  sharedPrint: (token: string) => `/prints/share_token/${token}/`,
  wizard: '/printers/wizard/',
  wizardGuide: (target: string) => `/printers/wizard/guide/${target}/`,
  wizardLink: (target: string) => `/printers/wizard/link/${target}/`,
  wizardSuccess: (id: number) => `/printers/wizard/success/${id}/`,
  folders: '/g_code_folders/cloud/',
  folder: (id: number) => `/g_code_folders/cloud/${id}/`,
  file: (id: number) => `/g_code_files/cloud/${id}/`,
  printerFolder: (id: number, path = '') =>
    path === '' ? `/g_code_folders/local/${id}/` : `/g_code_folders/local/${id}/${encodeURIComponent(path)}/`,
  printerFile: (id: number, path: string) => `/g_code_files/local/${id}/${encodeURIComponent(path)}/`,
  slice: '/ent/slice_settings/',
  queue: '/queue/',
  stats: '/stats/',
  events: '/printer_events/',
  preferences: '/user_preferences/',
  hours: '/user_preferences/dh/',
  nozzle: '/nozzle_ninja/',
  shotFeedback: (printId: number) => `/prints/shot-feedback/${printId}/`,
  firstLayerSurvey: '/first_layer_inspection_images/',
  notifications: '/user_preferences/general_notifications/',
  channel: (name: string) => `/user_preferences/notification_${name}/`,
  deliveries: '/user_preferences/sent_messages/',
  rules: '/user_preferences/quiet_hours/',
  security: '/user_preferences/security/',
  leave: '/user_preferences/delete/',
  apps: '/user_preferences/authorized_apps/',
  tunnel: (id: number) => `/tunnels/${id}/`,
  tunnelNew: '/tunnels/new/',
  tunnelSucceeded: '/tunnels/succeeded/',
  help: '/help/',
  gallery: '/ent_pub/publictimelapses/',
  moderation: '/gallery_moderation/',
  login: '/accounts/login/',
  signUp: '/accounts/signup/',
  logout: '/accounts/logout/',
  left: '/accounts/left/',
  emails: '/accounts/email/',
  reset: '/accounts/password/reset/',
  resetSent: '/accounts/password/reset/done/',
  resetDone: '/accounts/password/reset/key/done/',
  changePassword: '/accounts/password/change/',
  firstPassword: '/accounts/password/set/',
  setUp: '/setup/',
} as const

/** Where to go after sign-in: only a path of this site, never another origin. */
export function safeNext(next: unknown, base = '/'): string {
  if (typeof next !== 'string' || !/^\/(?![/\\])/.test(next)) return paths.printers
  const url = new URL(next, 'http://here.invalid')
  if (url.origin !== 'http://here.invalid') return paths.printers
  const path = url.pathname.startsWith(base) ? `/${url.pathname.slice(base.length)}` : url.pathname
  return path + url.search + url.hash
}
