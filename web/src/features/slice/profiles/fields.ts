import type slicing from '../../../../../locales/en/slice/slicing.json'

export type FieldName = keyof (typeof slicing)['field']
type Option = keyof (typeof slicing)['option']

/** One thing that can be changed of a profile, by its key in OrcaSlicer. */
export type Field = { readonly name: FieldName } & (
  | { readonly kind: 'number'; readonly suffix: string }
  | { readonly kind: 'percent' }
  | { readonly kind: 'switch' }
  | { readonly kind: 'select'; readonly options: readonly Option[] }
)

const SURFACES = [
  'concentric',
  'zig-zag',
  'monotonic',
  'monotonicline',
  'alignedrectilinear',
  'hilbertcurve',
  'archimedeanchords',
  'octagramspiral',
] as const
const INFILLS = [
  'concentric',
  'zig-zag',
  'grid',
  'line',
  'cubic',
  'triangles',
  'tri-hexagon',
  'gyroid',
  'honeycomb',
  'adaptivecubic',
  'alignedrectilinear',
  '3dhoneycomb',
  'hilbertcurve',
  'archimedeanchords',
  'octagramspiral',
  'supportcubic',
  'lightning',
  'crosshatch',
] as const

const number = { kind: 'number', suffix: '' } as const
const mm = { kind: 'number', suffix: ' mm' } as const
const degrees = { kind: 'number', suffix: '°' } as const
const celsius = { kind: 'number', suffix: ' °C' } as const
const percent = { kind: 'percent' } as const
const flag = { kind: 'switch' } as const
const select = (options: readonly Option[]) => ({ kind: 'select', options }) as const

export const FIELDS: Readonly<Record<Tab, readonly Field[]>> = {
  quality: [
    { name: 'layer_height', ...mm },
    { name: 'seam_position', ...select(['nearest', 'aligned', 'back', 'random']) },
    { name: 'only_one_wall_top', ...flag },
  ],
  strength: [
    { name: 'wall_loops', ...number },
    { name: 'top_surface_pattern', ...select(SURFACES) },
    { name: 'bottom_surface_pattern', ...select(SURFACES) },
    { name: 'top_shell_layers', ...number },
    { name: 'bottom_shell_layers', ...number },
    { name: 'top_shell_thickness', ...mm },
    { name: 'bottom_shell_thickness', ...mm },
    { name: 'sparse_infill_density', ...percent },
    { name: 'sparse_infill_pattern', ...select(INFILLS) },
    { name: 'internal_solid_infill_pattern', ...select(SURFACES) },
  ],
  support: [
    { name: 'enable_support', ...flag },
    { name: 'support_type', ...select(['normal(auto)', 'tree(auto)', 'normal(manual)', 'tree(manual)']) },
    { name: 'support_threshold_angle', ...degrees },
    { name: 'support_on_build_plate_only', ...flag },
  ],
  others: [
    { name: 'nozzle_temperature', ...celsius },
    { name: 'nozzle_temperature_initial_layer', ...celsius },
    { name: 'hot_plate_temp', ...celsius },
    { name: 'hot_plate_temp_initial_layer', ...celsius },
    { name: 'skirt_loops', ...number },
    { name: 'skirt_height', ...number },
    {
      name: 'brim_type',
      ...select(['auto_brim', 'brim_ears', 'outer_only', 'inner_only', 'outer_and_inner', 'no_brim']),
    },
    { name: 'brim_width', ...mm },
    { name: 'print_sequence', ...select(['by layer', 'by object']) },
    { name: 'spiral_mode', ...flag },
    { name: 'fuzzy_skin', ...select(['none', 'external', 'all', 'allwalls']) },
  ],
}

export const TABS = ['quality', 'strength', 'support', 'others'] as const
export type Tab = (typeof TABS)[number]

export const OF_FILAMENT: ReadonlySet<string> = new Set<FieldName>([
  'nozzle_temperature',
  'nozzle_temperature_initial_layer',
  'hot_plate_temp',
  'hot_plate_temp_initial_layer',
])

/** What holds on a loaded profile that does not say it. */
export const DEFAULTS: Readonly<Record<string, string>> = {
  fuzzy_skin: 'none',
  internal_solid_infill_pattern: 'monotonic',
  brim_type: 'auto_brim',
}

export type Values = Readonly<Record<string, string>>
type Preset = Readonly<Record<string, string | string[]>>

/** A profile's values, each as one word. */
export const wordsOf = (preset: Preset | undefined): Values =>
  Object.fromEntries(
    Object.entries(preset ?? {}).map(([key, value]) => [
      key,
      Array.isArray(value) ? (value[0] ?? '') : value,
    ]),
  )
