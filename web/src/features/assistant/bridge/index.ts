export { Bridge, HostError } from './bridge.ts'
export type { HostEvent, Level } from './events.ts'
export {
  type Edited,
  modelsOf,
  type Plate,
  type Preset,
  type Presets,
  type Project,
  readEdited,
  readPresets,
  readProject,
} from './presets.ts'
