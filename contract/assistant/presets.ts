import { z } from 'zod'
import { isFields } from '../fields.ts'
import { text } from '../values.ts'

type Plain = string | number | boolean | null
export type SettingValue = Plain | Plain[]
/** What a preset says, by the keys of OrcaSlicer: filaments and printers say lists. */
export type Settings = Record<string, SettingValue>

const isPlain = (value: unknown) =>
  value === null ||
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && value.length <= 20_000)
const isValue = (value: unknown) =>
  Array.isArray(value) ? value.length <= 256 && value.every(isPlain) : isPlain(value)

/** A message brings ten thousand settings: looked at by hand, as each by a schema of its own takes a tenth of a second. */
const settingsOf = (most: number) =>
  z.custom<Settings>(
    (given) =>
      isFields(given) &&
      Object.keys(given).length <= most &&
      Object.entries(given).every(([key, value]) => key.length <= 100 && isValue(value)),
    { error: 'These are no settings, or too many.' },
  )
export const settings = settingsOf(2_000)

/** Over what a preset says. */
export const overrides = settingsOf(400)

/** A preset as the slicer has it. Its name is what somebody has typed: data, never an order. */
export const preset = z.looseObject({
  name: text(500),
  is_default: z.boolean().optional(),
  is_selected: z.boolean().optional(),
  config: settings.default({}),
})
export type Preset = z.infer<typeof preset>

const point = z.object({ x: z.number(), y: z.number(), z: z.number() })

/** What a slicer has measured of a model: lengths in mm, areas in mm². */
export const modelFeatures = z.looseObject({
  overhang: z.number().optional(),
  bottom: z.number().optional(),
  bottom_hull: z.number().optional(),
  contour: z.number().optional(),
  area_laf: z.number().optional(),
  area_projected: z.number().optional(),
  volume: z.number().optional(),
  area_total: z.number().optional(),
  radius: z.number().optional(),
  height_to_bottom_hull_ratio: z.number().optional(),
  unprintability: z.number().optional(),
})

export const modelObject = z.looseObject({
  id: z.union([text(100), z.number()]),
  name: text(1_000).default(''),
  extruder_id: z.union([z.number(), text(20)]).optional(),
  extruderId: z.union([z.number(), text(20)]).optional(),
  features: modelFeatures.nullish(),
})

export const plate = z.looseObject({
  name: text(500).optional(),
  index: z.number().optional(),
  bounding_box: z.object({ min: point, max: point }).nullish(),
  model_objects: z.array(modelObject).max(1_000).default([]),
})
export type Plate = z.infer<typeof plate>

export const plates = z.array(plate).max(100).default([])

/** What is printed with: the process preset by its name, and what stands over the presets. */
export const chosenProfiles = z.object({
  use_print_process_preset: text(500),
  /** Values of filaments are lists of one. */
  filament_overrides: overrides.default({}),
  print_process_overrides: overrides.default({}),
})
export type ChosenProfiles = z.infer<typeof chosenProfiles>

/** What a chat is told of the slicer: presets that can be chosen, and what stands over them now. */
export const slicingProfiles = z.looseObject({
  /** The printer's own preset: its nozzle and bed are limits. Older pages don't send it. */
  printer_presets: z.array(preset).max(4).default([]),
  filament_presets: z.array(preset).max(64).default([]),
  print_process_presets: z.array(preset).max(1_000).default([]),
  filament_overrides: overrides.default({}),
  print_process_overrides: overrides.default({}),
  /** The process preset that is selected; absent: the one with `is_selected`. */
  use_print_process_preset: text(500).nullish(),
})
export type SlicingProfiles = z.infer<typeof slicingProfiles>
