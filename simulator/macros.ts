/** The macros of a simulated Klipper, as a configuration has them, and what those that do something do. */
import type { Printer } from './printer.ts'

/** As `configfile.settings` tells them: sections in small letters, and Klipper's own words where nobody described one. */
const CONFIGURED: Readonly<Record<string, { gcode: string; description?: string }>> = {
  print_start: {
    gcode:
      'M140 S{params.BED_TEMP|default(60)|float}\nG28\nM109 S{params.EXTRUDER_TEMP|default(210)|float}\nG92 E0',
  },
  print_end: { gcode: 'TURN_OFF_HEATERS\nG91\nG1 Z10\nM84' },
  pause: { gcode: 'PAUSE_BASE\n_TOOLHEAD_PARK', description: 'Pause the actual running print' },
  resume: { gcode: 'RESUME_BASE', description: 'Resume the actual running print' },
  cancel_print: {
    gcode: 'TURN_OFF_HEATERS\nCANCEL_PRINT_BASE',
    description: 'Cancel the actual running print',
  },
  preheat: {
    gcode: 'M140 S{params.BED|default(60)}\nM104 S{params.EXTRUDER|default(200)}',
    description: 'Heats bed and nozzle',
  },
  load_filament: {
    gcode: '{% set far = params.LENGTH|default(80)|float %}\nM83\nG1 E{far} F300',
    description: 'Pushes new filament in',
  },
  unload_filament: {
    gcode: '{% set far = params.LENGTH|default(80)|float %}\nM83\nG1 E-{far} F1800',
    description: 'Pulls the filament out',
  },
  clean_nozzle: { gcode: 'G28\nG1 X10 Y200 F6000', description: 'Wipes the nozzle' },
  bed_mesh: { gcode: 'G28\nBED_MESH_CALIBRATE' },
  lights_on: { gcode: 'SET_PIN PIN=caselight VALUE=1' },
  lights_off: { gcode: 'SET_PIN PIN=caselight VALUE=0' },
  _obico_layer_change: { gcode: '' },
  _toolhead_park: { gcode: 'G1 X0 Y220' },
}

/** The sections of the macros in a configuration. */
export const macroSettings = (): Record<string, object> =>
  Object.fromEntries(
    Object.entries(CONFIGURED).map(([name, { gcode, description = 'G-Code macro' }]) => [
      `gcode_macro ${name}`,
      { gcode, description },
    ]),
  )

/** Runs a macro by its command, with its `NAME=value`; false when there is none of that name. */
export function runMacro(printer: Printer, command: string, params: ReadonlyMap<string, string>): boolean {
  if (!Object.hasOwn(CONFIGURED, command.toLowerCase())) return false
  const number = (name: string, otherwise: number) => Number(params.get(name)) || otherwise
  if (command === 'PREHEAT' || command === 'PRINT_START') {
    const isHeating = command === 'PREHEAT'
    printer.setTarget('bed', number(isHeating ? 'BED' : 'BED_TEMP', 60))
    printer.setTarget('extruder', number(isHeating ? 'EXTRUDER' : 'EXTRUDER_TEMP', isHeating ? 200 : 210))
  }
  if (command === 'PRINT_END') for (const heater of ['bed', 'extruder'] as const) printer.setTarget(heater, 0)
  if (command === 'PRINT_START' || command === 'CLEAN_NOZZLE' || command === 'BED_MESH')
    printer.home(['x', 'y', 'z'])
  return true
}
