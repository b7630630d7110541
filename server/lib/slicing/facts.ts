import type { Values } from './bundle.ts'
import { listOf } from './orca.ts'

/** Our word for what a profile says, and the engines' words for it. */
type Words = Readonly<Record<string, readonly string[]>>

const FACTS: Readonly<Record<'machine' | 'filament' | 'print', Words>> = {
  machine: {
    nozzle_diameter: ['nozzle_diameter'],
    min_layer_height: ['min_layer_height'],
    max_layer_height: ['max_layer_height'],
    machine_max_speed_x: ['machine_max_speed_x', 'machine_max_feedrate_x'],
    machine_max_speed_y: ['machine_max_speed_y', 'machine_max_feedrate_y'],
    machine_max_acceleration_extruding: ['machine_max_acceleration_extruding'],
  },
  filament: {
    filament_type: ['filament_type'],
    filament_max_volumetric_speed: ['filament_max_volumetric_speed'],
    nozzle_temperature_range_low: ['nozzle_temperature_range_low'],
    nozzle_temperature_range_high: ['nozzle_temperature_range_high'],
  },
  print: {},
}

/** What a profile says that nobody sets here: the kind of a filament, how far a printer goes. By the keys of OrcaSlicer, each a list. */
export const factsOf = (of: keyof typeof FACTS, values: Values): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(FACTS[of]).flatMap(([key, words]) => {
      const said = words.map((word) => values.get(word)).find((one) => one !== undefined && one !== '')
      if (said === undefined) return []
      return [
        [key, [...(listOf(said) ?? said.slice(0, 500).split(/[,;]/))].map((one) => one.trim())] as const,
      ]
    }),
  )
