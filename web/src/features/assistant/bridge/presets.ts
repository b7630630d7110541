import type { Settings, SettingValue } from '@vigil/contract/assistant/presets.ts'
import { fieldsOf, isFields } from '@vigil/contract/fields.ts'

/** More of a text of the slicer's is not read. */
const MOST_TEXT = 2_000

/** A text of the slicer's; '' where there is none. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, MOST_TEXT) : '')
export const numberOf = (value: unknown): number | null => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

type Word = Exclude<SettingValue, readonly unknown[]>
const wordOf = (value: unknown): Word =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
const settingOf = (value: unknown): SettingValue => (Array.isArray(value) ? value.map(wordOf) : wordOf(value))
const settingsOf = (value: unknown): Settings =>
  Object.fromEntries(Object.entries(fieldsOf(value)).map(([key, said]) => [key, settingOf(said)]))

/** A preset of the slicer's, with all that it says. */
export interface Preset {
  readonly name: string
  readonly is_selected: boolean
  /** One that the slicer always has: nobody prints with it. */
  readonly is_default: boolean
  readonly config: Settings
  /** What somebody has changed of it and not saved. */
  readonly dirty_options: readonly string[]
}

export interface Presets {
  readonly printers: readonly Preset[]
  readonly filaments: readonly Preset[]
  readonly processes: readonly Preset[]
}

/** What is selected, as it was edited. */
export interface Edited {
  readonly printer: Preset
  readonly filament: Preset
  readonly process: Preset
}

export interface ModelObject {
  readonly id: string
  readonly name: string
  readonly extruderId: number
  readonly features?: Record<string, number>
}

interface Point {
  readonly x: number
  readonly y: number
  readonly z: number
}

export interface Plate {
  readonly index: number
  readonly name: string
  readonly bounding_box: { readonly min: Point; readonly max: Point } | null
  readonly model_objects: ModelObject[]
}

export interface Project {
  readonly hash: string
  readonly plates: readonly Plate[]
}

function readPreset(value: unknown): Preset {
  const { name, is_selected, is_default, config, dirty_options } = fieldsOf(value)
  return {
    name: textOf(name),
    is_selected: is_selected === true,
    is_default: is_default === true,
    config: settingsOf(config),
    dirty_options: listOf(dirty_options).map(String),
  }
}

/** The answer to `get_presets`. */
export function readPresets(answer: unknown): Presets {
  const { printerPresets, filamentPresets, printProcessPresets } = fieldsOf(answer)
  const all = (list: unknown) => listOf(list).map(readPreset)
  return {
    printers: all(printerPresets),
    filaments: all(filamentPresets),
    processes: all(printProcessPresets),
  }
}

/** The answer to `get_edited_presets`. */
export function readEdited(answer: unknown): Edited {
  const { editedPrinterPreset, editedFilamentPreset, editedPrintProcessPreset } = fieldsOf(answer)
  return {
    printer: readPreset(editedPrinterPreset),
    filament: readPreset(editedFilamentPreset),
    process: readPreset(editedPrintProcessPreset),
  }
}

function readObject(value: unknown): ModelObject {
  const { id, name, extruder_id, extruderId, features } = fieldsOf(value)
  const measured = Object.entries(fieldsOf(features)).flatMap(([key, said]): [string, number][] => {
    const number = numberOf(said)
    return number === null ? [] : [[key, number]]
  })
  return {
    id: String(id),
    name: textOf(name),
    extruderId: numberOf(extruder_id ?? extruderId) ?? 1,
    ...(isFields(features) ? { features: Object.fromEntries(measured) } : {}),
  }
}

function readPoint(value: unknown): Point | null {
  const fields = fieldsOf(value)
  const [x, y, z] = ['x', 'y', 'z'].map((axis) => numberOf(fields[axis]))
  return typeof x === 'number' && typeof y === 'number' && typeof z === 'number' ? { x, y, z } : null
}

function readPlate(value: unknown, at: number): Plate {
  const { index, name, bounding_box, model_objects } = fieldsOf(value)
  const [min, max] = [readPoint(fieldsOf(bounding_box)['min']), readPoint(fieldsOf(bounding_box)['max'])]
  return {
    index: numberOf(index) ?? at,
    name: textOf(name),
    bounding_box: min && max ? { min, max } : null,
    model_objects: listOf(model_objects).map(readObject),
  }
}

/** The answer to `get_current_project`. */
export function readProject(answer: unknown): Project {
  const { hash_code, plates } = fieldsOf(answer)
  return { hash: textOf(hash_code), plates: listOf(plates).map(readPlate) }
}

/** All models that stand on any plate. */
export const modelsOf = ({ plates }: Project): readonly ModelObject[] =>
  plates.flatMap((plate) => plate.model_objects)
