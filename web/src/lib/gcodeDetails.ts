import type { GCodeFileBase } from '@vigil/contract/prints.ts'
import { finite } from './format.ts'

/** What a slicer wrote into a file, as far as it is shown, in the order in which it is. */
const NUMBERS = [
  'estimated_time',
  'filament_total',
  'first_layer_bed_temp',
  'first_layer_extr_temp',
  'first_layer_height',
  'layer_height',
  'object_height',
  'objects',
] as const
const WORDS = ['filament_type', 'filament_name', 'slicer', 'slicer_version'] as const
const LONGEST = 80

type NumberDetail = (typeof NUMBERS)[number]
export type Detail = { name: NumberDetail; value: number } | { name: (typeof WORDS)[number]; value: string }

function parsed(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
  } catch {
    return {}
  }
}

/** The details of a file that are known. A file says what it likes: what is no number, or no short text, is left out. */
export function detailsOf(
  file: Pick<GCodeFileBase, 'metadata_json' | 'estimated_time' | 'filament_total'>,
): Detail[] {
  const told = parsed(file.metadata_json)
  const own: Record<string, unknown> = {
    ...told,
    estimated_time: told['estimated_time'] ?? file.estimated_time,
    filament_total: told['filament_total'] ?? file.filament_total,
  }
  const numbers = NUMBERS.flatMap((name) => {
    const value = finite(own[name])
    return value === null || value < 0 ? [] : [{ name, value }]
  })
  const words = WORDS.flatMap((name) => {
    const value = own[name]
    return typeof value === 'string' && value.trim() !== '' && value !== 'unknown'
      ? [{ name, value: value.trim().slice(0, LONGEST) }]
      : []
  })
  return [...numbers, ...words]
}

/** The corners of the bed that a file was made for, as its slicer wrote them; null where it does not say. */
export function bedAreaOf({ metadata_json: told }: Pick<GCodeFileBase, 'metadata_json'>): string | null {
  const area = parsed(told)['bed_area']
  return typeof area === 'string' ? area : null
}
