import type { GCodeFileBase } from '@vigil/contract/prints/prints.ts'
import { finite, withUnit } from './format.ts'

/** What a slicer wrote into a file, as far as it is shown, in the order in which it is. */
const NUMBERS = [
  'estimated_time',
  'filament_total',
  'filament_weight_total',
  'first_layer_bed_temp',
  'first_layer_extr_temp',
  'first_layer_height',
  'layer_height',
  'layer_count',
  'nozzle_diameter',
  'object_height',
  'objects',
] as const
const WORDS = ['filament_type', 'filament_name', 'slicer', 'slicer_version'] as const
const LONGEST = 80

type NumberDetail = (typeof NUMBERS)[number]
export type Detail =
  | {
      name: NumberDetail
      value: number
      /** Not said by the slicer: reckoned from the moves. */
      isEstimated?: true
    }
  /** `size`: width and depth of what is printed, in mm. */
  | { name: (typeof WORDS)[number] | 'size'; value: string }

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
  const estimated = estimatedOf(file)
  const numbers = NUMBERS.flatMap((name) => {
    const value = finite(own[name])
    return value === null || value < 0
      ? []
      : [{ name, value, ...(estimated.includes(name) && { isEstimated: true as const }) }]
  })
  const [width, depth] = [finite(own['object_width']), finite(own['object_depth'])]
  const size =
    width === null || depth === null ? [] : [{ name: 'size' as const, value: sizeText(width, depth) }]
  const words = WORDS.flatMap((name) => {
    const value = own[name]
    return typeof value === 'string' && value.trim() !== '' && value !== 'unknown'
      ? [{ name, value: value.trim().slice(0, LONGEST) }]
      : []
  })
  return [...numbers, ...size, ...words]
}

const sizeText = (width: number, depth: number) =>
  withUnit(`${Number(width.toFixed(1))} × ${Number(depth.toFixed(1))}`, 'mm')

/** Which of its figures the slicer did not say: they were reckoned from the moves. */
export const estimatedOf = ({
  metadata_json: told,
}: Pick<GCodeFileBase, 'metadata_json'>): readonly unknown[] => {
  const { estimated } = parsed(told)
  return Array.isArray(estimated) ? estimated : []
}

/** The corners of the bed that a file was made for, as its slicer wrote them; null where it does not say. */
export function bedAreaOf({ metadata_json: told }: Pick<GCodeFileBase, 'metadata_json'>): string | null {
  const area = parsed(told)['bed_area']
  return typeof area === 'string' ? area : null
}
