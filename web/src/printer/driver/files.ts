import { type Fields } from '@vigil/contract/fields.ts'
import type { PrinterEntry, PrinterFileFacts } from './driver.ts'

export const amount = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null

const LONGEST = 200
const word = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.slice(0, LONGEST) : null

/** The figures of a G-code file, under the names that Moonraker and our own scanner give them. */
export function factsIn(said: Fields): PrinterFileFacts {
  return {
    estimated_time: amount(said['estimated_time']),
    filament_total: amount(said['filament_total']),
    layer_height: amount(said['layer_height']),
    first_layer_height: amount(said['first_layer_height']),
    object_height: amount(said['object_height']),
    first_layer_extr_temp: amount(said['first_layer_extr_temp']),
    first_layer_bed_temp: amount(said['first_layer_bed_temp']),
    filament_type: word(said['filament_type']),
    filament_name: word(said['filament_name']),
    slicer: word(said['slicer']),
    slicer_version: word(said['slicer_version']),
  }
}

/** Where the agents put what they fetched from us, and what is hidden on the printer itself. */
const HIDDEN = /^(?:\.|ObicoUpload$|Obico_Upload)/

export const isShown = ({ name }: Pick<PrinterEntry, 'name'>): boolean => name !== '' && !HIDDEN.test(name)

export const join = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)
