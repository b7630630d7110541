import type { Screen } from './look.ts'

interface Made {
  readonly count: number
  /** A printer that is connected, and a print; there is none of either where there are none of anything. */
  readonly printer: number | undefined
  readonly print: number | undefined
  /** A file that can be printed: it is there from the beginning. */
  readonly file: number
}

/** Each list and each dialog that has entries, for an owner with `count` of everything. */
export function manyScreens({ count, printer, print, file }: Made): Screen[] {
  const some = count > 0
  const lists: Screen[] = [
    { name: 'list', path: () => '/printers/', ready: some ? 'Voron in the cellar' : 'No printers yet' },
    { name: 'history', path: () => '/print_history/', ready: some ? 'vase_spiral' : 'No prints found' },
    { name: 'timelapses', path: () => '/timelapses/', ready: some ? 'vase_spiral' : 'No prints found' },
    // Folders stand first, and of many rows those are drawn that are seen.
    {
      name: 'files',
      path: () => '/g_code_folders/cloud/',
      ready: some ? `Folder ${count - 1}` : 'what is printed',
    },
    { name: 'queue', path: () => '/queue/', ready: some ? 'Any printer that fits' : 'Nothing is queued' },
    { name: 'events', path: () => '/printer_events/', ready: some ? 'finished' : 'Nothing to look here' },
    { name: 'stats', path: () => '/stats/', ready: 'Total prints' },
    {
      name: 'apps',
      path: () => '/user_preferences/authorized_apps/',
      ready: some ? 'OctoApp' : 'No app was let in',
    },
    { name: 'security', path: () => '/user_preferences/security/', ready: 'This device' },
    { name: 'films', path: () => '/ent/timelapse_upload/', ready: 'Up to 100MB' },
    {
      name: 'messages',
      path: () => '/user_preferences/sent_messages/',
      ready: some ? 'Voron in the cellar' : 'Nothing',
    },
    {
      name: 'household',
      path: () => '/user_preferences/household/',
      ready: some ? 'Sees' : 'Nobody else yet.',
    },
    { name: 'hours', path: () => '/user_preferences/dh/', ready: 'AI Detection Hours' },
    {
      name: 'archived',
      path: () => '/ent/printers/archived/',
      ready: some ? 'old printer' : 'No archived printers',
    },
    { name: 'people', path: () => '/admin/', ready: 'Last here' },
    { name: 'notices', path: () => '/admin/notices/', ready: some ? 'Maintenance' : 'English' },
    { name: 'slice', path: () => '/ent/slice_settings/', ready: 'Slicing Settings' },
    { name: 'file', path: () => `/g_code_files/cloud/${file}/`, ready: 'what is printed' },
  ]
  const dialogs: Screen[] = [
    {
      name: 'print-dialog',
      path: () => `/g_code_files/cloud/${file}/`,
      ready: 'what is printed',
      press: [/^Print$/],
      opened: some ? 'Print on' : 'There is no printer yet.',
    },
    {
      name: 'move-dialog',
      path: () => '/g_code_folders/cloud/',
      ready: some ? `Folder ${count - 1}` : 'what is printed',
      press: [count > 7 ? /^What to do with Folder/ : 'What to do with what is printed.gcode', 'Move'],
      opened: some ? 'Folder 0' : 'There are no folders in here.',
    },
    {
      name: 'queue-dialog',
      path: () => `/g_code_files/cloud/${file}/`,
      ready: 'what is printed',
      press: ['Add to queue'],
      opened: 'Copies',
    },
    {
      name: 'events-filter',
      path: () => '/printer_events/',
      ready: 'Notifications',
      press: [/^Filter/],
      opened: 'Paused or resumed',
    },
  ]
  return [...lists, ...dialogs, ...(some ? ofPrinter(Number(printer), Number(print), count) : [])].map(
    (screen) => ({
      ...screen,
      name: `many-${screen.name}-${count}`,
    }),
  )
}

/** What there is only where there is a printer, or a print. */
const ofPrinter = (printer: number, print: number, count: number): Screen[] => [
  { name: 'control', path: () => `/printers/${printer}/control/`, ready: 'Nozzle' },
  { name: 'print', path: () => `/prints/${print}/`, ready: 'vase_spiral' },
  {
    name: 'share-dialog',
    path: () => `/printers/${printer}/control/`,
    ready: 'Nozzle',
    press: ['Share'],
    opened: 'Default link',
  },
  {
    name: 'pick-dialog',
    path: () => `/printers/${printer}/control/`,
    ready: 'Ready to print',
    press: ['Choose a file to print'],
    opened: count > 7 ? `Folder ${count - 1}` : 'what is printed',
  },
  {
    name: 'widgets-dialog',
    path: () => `/printers/${printer}/control/`,
    ready: 'Nozzle',
    press: ['More', 'Reorder'],
    opened: 'Drag a row',
  },
  {
    name: 'history-printers',
    path: () => '/print_history/',
    ready: 'vase_spiral',
    press: ['All printers'],
    opened: 'Voron in the cellar',
  },
]
