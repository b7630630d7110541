/** The control page's widgets in the screenshots: what the printer answers, and the states worth a look. */
import type { Page, WebSocketRoute } from 'playwright-core'
import type { Printer } from '@vigil/contract/printers.ts'
import { printers, type World } from './stub.ts'
import { ago } from './time.ts'
import { learnt } from './learnt.ts'

const PROFILES = [
  { name: 'PLA', extruder: 215, bed: 60, chamber: 0 },
  { name: 'PETG', extruder: 240, bed: 80, chamber: 0 },
  { name: 'ABS', extruder: 250, bed: 100, chamber: 45 },
]

const withPresets = (change: (printer: Printer) => Partial<Printer> = () => ({})) =>
  printers().map((each) => ({
    ...each,
    settings: { ...each.settings, temp_profiles: PROFILES },
    ...change(each),
  }))

/** A half hour of heating up: nozzle and bed from cold, a chamber that follows. */
function heaters(printer: Printer) {
  const now = Math.round(Date.now() / 1000)
  const shown = (printer.status?.['temperatures'] ?? {}) as Record<string, { actual: number; target: number }>
  return Object.fromEntries(
    Object.entries(shown).map(([name, { actual, target }], at) => {
      const speed = [90, 260, 700][at] ?? 300
      const rows = Array.from({ length: 180 }, (_, row) => {
        const since = (row - 30) * 10
        const risen = since < 0 ? 0 : 1 - Math.exp(-since / speed)
        const wobble = risen > 0.9 ? Math.sin(row * 1.7 + at) * 0.6 : 0
        return [now - 1800 + row * 10, 22 + (actual - 22) * risen + wobble, since < 0 ? 0 : target]
      })
      return [name, rows]
    }),
  )
}

const LINES = [
  'ok',
  'echo: External print started',
  'B:60.1 /60.0 T0:214.8 /215.0',
  'Printing layer 211 of 336',
  'SET_VELOCITY_LIMIT: accel 3000',
  'SET_VELOCITY_LIMIT: accel 3000',
  'Unknown command:"M900"',
  '\u001b[31m<b>pressure_advance: 0.042</b>',
  'Printing layer 212 of 336',
]

/** A print whose file still lies on printer 3. */
const lastPrint = {
  id: 9,
  filename: 'benchy_0.2mm_PLA.gcode',
  print_time: 5_400,
  started_at: ago(9200),
  finished_at: ago(3600),
  ended_at: ago(3600),
  cancelled_at: null,
  filament_used: 4200,
  g_code_file: {
    id: 4,
    resident_printer: 3,
    deleted: null,
    url: 'benchy_0.2mm_PLA.gcode',
    filename: 'benchy_0.2mm_PLA.gcode',
    safe_filename: 'benchy_0.2mm_PLA.gcode',
    agent_signature: 'ts:1',
  },
}

/** Answers the API calls of the widgets; null where it is none of them. */
export function answerWidgets(world: World, path: string): { status: number; body: unknown } | null {
  if (path === '/api/v1/prints/') return { status: 200, body: [lastPrint] }
  if (/\/printers\/\d+\/learnt\/$/.test(path)) return { status: 200, body: learnt() }
  const id = /^\/api\/v1\/printers\/(\d+)\/temperatures\/$/.exec(path)?.[1]
  const printer = world.printers.find((each) => each.id === Number(id))
  return printer ? { status: 200, body: { heaters: heaters(printer) } } : null
}

const REPLIES: Record<string, unknown> = {
  start_printer_local_print: 'Success',
  'printer/objects/query?gcode_move': { status: { gcode_move: { homing_origin: [0, 0, -0.045, 0] } } },
  'machine/device_power/devices': {
    devices: [
      { device: 'printer', status: 'on', locked_while_printing: true },
      { device: 'Enclosure light', status: 'on' },
      { device: 'Filter', status: 'off' },
    ],
  },
  'server/webcams/list': { webcams: [{ name: 'Nozzle', snapshot_url: '/webcam2/?action=snapshot' }] },
  toggle_terminal_feed: false,
  get_connection_options: {
    ports: ['/dev/ttyUSB0', '/dev/ttyACM0'],
    baudrates: [250_000, 115_200],
    portPreference: '/dev/ttyUSB0',
    baudratePreference: 115_200,
  },
}

/** Speaks for a printer on its socket. */
export function speak(socket: WebSocketRoute, printer: Printer): void {
  const say = (passthru: object) => socket.send(JSON.stringify({ passthru }))
  if (printer.agent_name === 'moonraker_obico' && printer.current_print)
    LINES.forEach((msg, at) => say({ terminal_feed: { msg, _ts: at } }))
  socket.onMessage((text) => {
    const { passthru } = JSON.parse(String(text)) as { passthru?: { ref: string; func: string } }
    if (passthru) say({ ref: passthru.ref, ret: REPLIES[passthru.func] ?? null })
  })
}

const shut = () =>
  withPresets(({ id, status }) =>
    id === 3
      ? {
          agent_name: 'octoprint_obico',
          agent_version: '2.6.1',
          status: { ...status!, state: { text: 'Offline', flags: { closedOrError: true }, error: '' } },
        }
      : {},
  )

/** Pausing while it heats, with a complaint and a wish of the printer's own. */
const waits = () =>
  withPresets(({ id, status }) =>
    id === 1
      ? {
          status: {
            ...status!,
            state: { text: 'Pausing', flags: { operational: true }, error: 'Filament sensor: no filament' },
            user_interaction_required: true,
            temperatures: { tool0: { actual: 120, target: 215 }, bed: { actual: 60, target: 60 } },
          },
        }
      : {},
  )

async function open(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('button', { name }).click()
  await page.waitForTimeout(150)
}

export const widgetShots = [
  { name: 'w-control', path: 'printers/1/control/', world: { printers: withPresets() } },
  { name: 'w-idle', path: 'printers/3/control/', world: { printers: withPresets() } },
  {
    name: 'w-reprint',
    path: 'printers/3/control/',
    world: { printers: withPresets() },
    act: async (page: Page) => {
      await open(page, /^(Reprint|重新打印)$/)
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'w-starting',
    path: 'printers/3/control/',
    world: { printers: withPresets() },
    act: async (page: Page) => {
      await open(page, /^(Reprint|重新打印)$/)
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^(Reprint|重新打印)$/ })
        .click()
      await page.getByText(/Waiting for the printer|等待打印机/).waitFor()
    },
  },
  {
    name: 'w-apart',
    path: 'printers/1/control/',
    world: { printers: withPresets() },
    act: async (page: Page) => {
      await page.evaluate(() => {
        const order = [3, 1, 5, 2, 4, 6, 7].map((id) => ({ id, enabled: true }))
        localStorage.setItem('printer-control-widgets-1', JSON.stringify(order))
      })
      await page.reload()
      await page.getByText(/Finishing at|预计完成/).waitFor()
    },
  },
  {
    name: 'w-waits',
    path: 'printers/1/control/',
    world: { printers: waits() },
    act: (page: Page) => page.getByText(/finishes heating|先完成加热/).waitFor(),
  },
  {
    name: 'w-terminal-sent',
    path: 'printers/2/terminal/',
    world: { printers: withPresets() },
    act: async (page: Page) => {
      const input = page.getByRole('textbox', { name: /^(G-code command|G-code 命令)$/ })
      await input.fill('m115')
      await input.press('Enter')
      await page.getByRole('log').getByText('M115').waitFor()
    },
  },
  {
    name: 'w-heater',
    path: 'printers/1/control/',
    world: { printers: withPresets() },
    act: (page: Page) => open(page, /^(Nozzle|喷嘴)/),
  },
  {
    name: 'w-presets',
    path: 'printers/1/control/',
    world: { printers: withPresets() },
    act: (page: Page) => open(page, /^(Presets|预设)$/),
  },
  {
    name: 'w-cold',
    path: 'printers/3/control/',
    world: { printers: withPresets() },
    act: async (page: Page) => {
      await open(page, /^(Extrude|挤出)$/)
      await page.getByRole('button', { name: /^(Retract|回抽)$/ }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'w-extrude',
    path: 'printers/3/control/',
    world: { printers: withPresets() },
    act: (page: Page) => open(page, /^(Extrude|挤出)$/),
  },
  {
    name: 'w-baby',
    path: 'printers/1/control/',
    world: { printers: withPresets() },
    act: (page: Page) => open(page, /^(Baby step Z|Z 微调)$/),
  },
  {
    name: 'w-tune',
    path: 'printers/1/control/',
    world: { printers: withPresets() },
    act: (page: Page) => open(page, /^(Tune|调节)$/),
  },
  {
    name: 'w-power',
    path: 'printers/1/control/',
    world: { printers: withPresets() },
    act: (page: Page) => open(page, /^(Power|电源)$/),
  },
  {
    name: 'w-order',
    path: 'printers/1/control/',
    world: { printers: withPresets() },
    act: async (page: Page) => {
      await open(page, /^(More|更多)$/)
      await page.getByRole('menuitem', { name: /Reorder|排列/ }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'w-sent',
    path: 'printers/1/control/',
    world: { printers: withPresets() },
    act: async (page: Page) => {
      const input = page.getByRole('textbox', { name: /^(G-code command|G-code 命令)$/ })
      await input.fill('m115')
      await input.press('Enter')
      await input.press('ArrowUp')
      await page.getByRole('button', { name: /^(Filters|筛选)$/ }).click()
    },
  },
  { name: 'w-terminal', path: 'printers/1/terminal/', world: { printers: withPresets() } },
  { name: 'w-terminal-off', path: 'printers/2/terminal/', world: { printers: withPresets() } },
  { name: 'w-terminal-gone', path: 'printers/5/terminal/', world: { printers: withPresets() } },
  { name: 'w-shut', path: 'printers/3/control/', world: { printers: shut() } },
  {
    name: 'w-connect',
    path: 'printers/3/control/',
    world: { printers: shut() },
    act: async (page: Page) => {
      await open(page, /^(Connect|连接)$/)
      await page.getByRole('dialog').waitFor()
    },
  },
]
