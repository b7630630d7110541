import type { Call, ConnectionOptions, Driver } from './driver.ts'
import { octoprintFiles } from './octoprint-files.ts'
import { snapshot } from './snapshot.ts'
import { extrudeLines, fanLine, flowLine, speedLine } from './gcode.ts'

const printer = (func: string, args: unknown[]): Call => ({ target: '_printer', func, args })
const commands = (...lines: string[]): Call => printer('commands', [lines])

/** Texts of a list that an agent sent, whatever it is. */
function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []
}

function readOptions(ret: unknown): ConnectionOptions {
  const said = (ret && typeof ret === 'object' ? ret : {}) as Record<string, unknown>
  const ports = texts(said['ports'])
  const rates: unknown[] = Array.isArray(said['baudrates']) ? said['baudrates'] : []
  const baudrates = rates.map(Number).filter((rate) => Number.isInteger(rate) && rate > 0)
  const port = said['portPreference']
  const baudrate = Number(said['baudratePreference'])
  return {
    ports,
    baudrates,
    port: typeof port === 'string' && ports.includes(port) ? port : null,
    baudrate: baudrates.includes(baudrate) ? baudrate : null,
  }
}

/** OctoPrint's plugin: its own printer object, and G-code lines for the rest. */
export const octoprint: Driver = {
  kind: 'octoprint',
  jog: (axis, mm) => printer('jog', [{ [axis]: mm }]),
  home: (axes) => printer('home', [axes]),
  setTemperature: (heater, target) => printer('set_temperature', [heater, target]),
  extrude: (mm, tool) => commands(...extrudeLines(mm, tool), 'M82'),
  extrudesWhilePaused: false,
  fan: (percent) => commands(fanLine(percent)),
  speed: (percent) => commands(speedLine(percent)),
  flow: (percent) => commands(flowLine(percent)),
  babyStep: null,
  power: null,
  still: null,
  snapshot,
  steppersOff: () => commands('M18'),
  send: (line) => ({ ...commands(line), force: true }),
  spell: (typed) => typed.trim().toUpperCase(),
  feedEchoes: true,
  feed: (mode) => ({ target: 'gcode_hooks', func: 'toggle_terminal_feed', args: [mode] }),
  connection: {
    options: () => printer('get_connection_options', []),
    read: readOptions,
    connect: (port, baudrate) => printer('connect', [port, baudrate]),
  },
  display: (message) => commands(message ? `M117 ${message}` : 'M117'),
  reprint: {
    start: (file) => ({ target: 'file_operations', func: 'start_printer_local_print', args: [file] }),
    // It answers well and says in the answer that it was not (docs/wire/agents.md 7.2).
    refusal: (ret) => {
      const error = (ret as { error?: unknown } | null)?.error
      return typeof error === 'string' ? error : null
    },
  },
  files: octoprintFiles,
}
