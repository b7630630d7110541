export { type Chosen, profilesOf } from './chosen.ts'
export { DEFAULTS, OF_FILAMENT, type Values, wordsOf } from './fields.ts'
export { PresetsPanel } from './PresetsPanel.tsx'
export { usePrice, weightOf } from './price.ts'
export { ProfilePanel } from './ProfilePanel.tsx'
export {
  filamentsQuery,
  keepSettings,
  machinesQuery,
  presetQuery,
  processesQuery,
  settingsQuery,
} from './profiles.api.ts'
export { useNoSheets } from './useSheet.ts'
