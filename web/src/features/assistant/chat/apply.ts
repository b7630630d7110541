import type { ConfigLine } from '@vigil/contract/assistant/bridge.ts'
import type { ChosenProfiles, Settings, SettingValue } from '@vigil/contract/assistant/presets.ts'
import type { Bridge, Edited, Preset, Presets, Project } from '../bridge/index.ts'
import { modelsOf, readEdited, readPresets, readProject } from '../bridge/index.ts'

/** The slicer has a temperature for each kind of plate; which one lies on the bed nobody tells, so all are the same. */
const PLATES = ['hot_plate', 'cool_plate', 'eng_plate', 'textured_cool_plate', 'textured_plate']
const BEDS = ['', '_initial_layer'].map((end) => PLATES.map((plate) => `${plate}_temp${end}`))

/** As `apply_config` takes it: of a list its first. */
export function wordOf(value: SettingValue): string | null {
  const one = Array.isArray(value) ? (value[0] ?? null) : value
  if (one === null) return null
  return typeof one === 'boolean' ? (one ? '1' : '0') : String(one)
}

function withAllBeds(filament: Settings): Settings {
  const all = { ...filament }
  for (const keys of BEDS) {
    const said = keys.map((key) => filament[key]).find((value) => value !== undefined)
    if (said !== undefined) for (const key of keys) all[key] = said
  }
  return all
}

/** What is applied, the filament's first. */
export function linesOf(profiles: Partial<ChosenProfiles>): ConfigLine[] {
  const lines = (type: ConfigLine['type'], settings: Settings) =>
    Object.entries(settings).flatMap(([key, value]): ConfigLine[] => {
      const word = wordOf(value)
      return word === null ? [] : [{ type, key, value: word }]
    })
  return [
    ...lines('filament', withAllBeds(profiles.filament_overrides ?? {})),
    ...lines('print', profiles.print_process_overrides ?? {}),
  ]
}

/**
 * Has the slicer print with these: its process preset first, which discards what was changed and not saved, then all
 * that stands over the presets. So what stood before is taken back by the same way.
 */
export async function applyProfiles(bridge: Bridge, profiles: ChosenProfiles): Promise<void> {
  await bridge.ask('select_preset', { type: 'print', name: profiles.use_print_process_preset })
  const lines = linesOf(profiles)
  if (lines.length > 0) await bridge.ask('apply_config', lines)
}

/** What a person has changed of a preset and not saved. */
const overridesOf = ({ config, dirty_options }: Preset): Settings =>
  Object.fromEntries(
    dirty_options.flatMap((key) => {
      const value = config[key]
      return value === undefined ? [] : [[key, value] as const]
    }),
  )

/** How things stand in the slicer. */
export interface Situation {
  readonly presets: Presets
  readonly edited: Edited
  readonly project: Project
}

/** Asks the slicer how things stand. */
export async function situationOf(bridge: Bridge): Promise<Situation> {
  const presets = readPresets(await bridge.ask('get_presets'))
  const edited = readEdited(await bridge.ask('get_edited_presets'))
  const project = readProject(await bridge.ask('get_current_project', { with_model_object_features: true }))
  return { presets, edited, project }
}

export type Obstacle = 'noPrinter' | 'noFilament' | 'manyPlates' | 'manyFilaments'

/** Why nothing can be said yet; null when all is there. */
export function obstacleIn({ presets, project }: Situation): Obstacle | null {
  if (presets.printers.every(({ is_default }) => is_default)) return 'noPrinter'
  if (presets.filaments.every(({ is_default }) => is_default)) return 'noFilament'
  if (project.plates.filter((plate) => plate.model_objects.length > 0).length > 1) return 'manyPlates'
  return new Set(modelsOf(project).map(({ extruderId }) => extruderId)).size > 1 ? 'manyFilaments' : null
}

/** How the server is told what can be chosen, and what stands over it. */
export function profilesOf({ presets, edited }: Situation) {
  const chosen = (all: readonly Preset[], one: Preset) => all.find(({ name }) => name === one.name) ?? one
  return {
    printer_presets: [{ ...edited.printer }],
    filament_presets: [{ ...chosen(presets.filaments, edited.filament) }],
    print_process_presets: presets.processes.flatMap((one) => (one.is_default ? [] : [{ ...one }])),
    filament_overrides: overridesOf(edited.filament),
    print_process_overrides: overridesOf(edited.process),
    use_print_process_preset: edited.process.name,
  }
}

/** How the server is told what stands on the plates. */
export const platesOf = ({ plates }: Project) =>
  plates.map((plate) => ({
    ...plate,
    model_objects: plate.model_objects.map((model) => ({ ...model })),
  }))
