import type { SliceMachine, SliceParams, SlicePreset } from '@vigil/contract/slice/slicer.ts'
import type { Values } from './fields.ts'

/** With what is sliced. */
export interface Chosen {
  readonly machine: SliceMachine | null
  readonly filament: SlicePreset | null
  readonly process: SlicePreset | null
}

/** What holds of the profiles, and what is changed of them. */
export interface Settings {
  readonly values: Values
  readonly own: Values
  readonly set: (key: string, value: string) => void
  readonly reset: () => void
}

/** How what is chosen is named; null until all is. */
export function profilesOf({ machine, filament, process }: Chosen): SliceParams['slicer_profiles'] | null {
  if (!machine || !filament || !process) return null
  return {
    machine_sub_path: machine.sub_path,
    filament_sub_path: filament.sub_path,
    print_process_sub_path: process.sub_path,
  }
}
