import { fieldsOf } from '@vigil/contract/fields.ts'
import type { Call, Driver, PowerDevice } from './driver.ts'
import { decimal, extrudeLines, fanLine, flowLine, speedLine } from './gcode.ts'
import { klipperFiles } from './klipper-files.ts'
import { snapshot } from './snapshot.ts'

const printer = (func: string, args: unknown[]): Call => ({ target: '_printer', func, args })
const moonraker = (func: string, kwargs?: Record<string, unknown>): Call => ({
  target: 'moonraker_api',
  func,
  ...(kwargs ? { kwargs } : {}),
})
const script = (...lines: string[]): Call => moonraker('printer/gcode/script', { script: lines.join('\n') })

function readOffset(ret: unknown): number | null {
  const origin = fieldsOf(fieldsOf(fieldsOf(ret)['status'])['gcode_move'])['homing_origin']
  const z: unknown = Array.isArray(origin) ? origin[2] : null
  return typeof z === 'number' && Number.isFinite(z) ? z : null
}

/** The agent turns every dot of a path into a slash (docs/wire/agents.md 7.2). */
const encoded = (name: string) => encodeURIComponent(name).replaceAll('.', '%2E')

function readPower(ret: unknown): PowerDevice[] {
  const devices = fieldsOf(ret)['devices']
  if (!Array.isArray(devices)) return []
  return devices
    .map(fieldsOf)
    .flatMap(({ device, status, locked_while_printing }) =>
      typeof device === 'string' && device
        ? [{ device, on: status === 'on', lockedWhilePrinting: locked_while_printing === true }]
        : [],
    )
}

/** Moonraker tells addresses as a browser beside it would use them; the agent needs them whole. */
function readAddresses(ret: unknown): { name: string; address: string }[] {
  const { webcams } = fieldsOf(ret)
  if (!Array.isArray(webcams)) return []
  return webcams.map(fieldsOf).flatMap(({ name, snapshot_url: told }) => {
    const url = typeof told === 'string' ? URL.parse(told, 'http://127.0.0.1/') : null
    const isMeant = typeof name === 'string' && url && /^https?:$/.test(url.protocol)
    return isMeant ? [{ name, address: url.href }] : []
  })
}

/** Klipper's names of heaters, pins and macros tell capitals apart: what follows `=` or stands in quotes stays. */
function spell(typed: string): string {
  return typed
    .trim()
    .replace(/=?"[^"]*"|=\S*|[^"=]+/g, (part) => (/^["=]/.test(part) ? part : part.toUpperCase()))
}

/** Klipper's agent: three calls of its own, and Moonraker for the rest. */
export const klipper: Driver = {
  kind: 'klipper',
  jog: (axis, mm) => printer('jog', [{ [axis]: mm }]),
  home: (axes) => printer('home', [axes]),
  setTemperature: (heater, target) => printer('set_temperature', [heater, target]),
  extrude: (mm, tool) =>
    script(
      'SAVE_GCODE_STATE NAME=vigil_extrude',
      ...extrudeLines(mm, tool),
      'RESTORE_GCODE_STATE NAME=vigil_extrude',
    ),
  extrudesWhilePaused: true,
  fan: (percent) => script(fanLine(percent)),
  speed: (percent) => script(speedLine(percent)),
  flow: (percent) => script(flowLine(percent)),
  babyStep: {
    move: (mm) => script(`SET_GCODE_OFFSET Z_ADJUST=${decimal(mm)} MOVE=1`),
    offset: () => moonraker('printer/objects/query?gcode_move'),
    read: readOffset,
  },
  power: {
    list: () => moonraker('machine/device_power/devices'),
    read: readPower,
    set: (device, on) =>
      moonraker(`machine/device_power/device?device=${encoded(device)}&action=${on ? 'on' : 'off'}`, {
        verb: 'post',
      }),
  },
  still: {
    cameras: () => moonraker('server/webcams/list'),
    addresses: readAddresses,
  },
  snapshot,
  steppersOff: () => script('M18'),
  send: (line) => script(line),
  spell,
  feedEchoes: false,
  feed: null,
  connection: null,
  display: (message) =>
    script(message ? `SET_DISPLAY_TEXT MSG="${message.replaceAll('"', "'")}"` : 'SET_DISPLAY_TEXT'),
  reprint: {
    start: (file) => ({ target: 'file_operations', func: 'start_printer_local_print', args: [file] }),
    refusal: () => null,
  },
  files: klipperFiles,
}
