import type { SliceMachine, SlicePreset } from '@vigil/contract/slice/slicer.ts'
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
