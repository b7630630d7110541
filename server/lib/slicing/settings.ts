import type { Values } from './bundle.ts'
import {
  another,
  chosen,
  degrees,
  flag,
  isLength,
  isNumber,
  number,
  ofFilament,
  same,
  type Set,
  type Setting,
  speed,
  speedOrShare,
  whole,
  words,
  type Words,
} from './kinds.ts'

/** What of somebody's settings the engine does not know or took for something else; `used` null: it was left out. */
export interface SettingNote {
  readonly key: string
  readonly value: string
  readonly used: string | null
}

/** A setting that cannot be: `key` is the one in our words. */
export class BadSetting extends Error {
  override readonly name = 'BadSetting'
  readonly key: string
  constructor(key: string) {
    super(`${key} cannot have this value`)
    this.key = key
  }
}

const CURVES = ['concentric', 'hilbertcurve', 'archimedeanchords', 'octagramspiral', 'alignedrectilinear']
const SURFACES: Words = {
  ...same(...CURVES, 'monotonic'),
  'zig-zag': 'rectilinear',
  monotonicline: another('monotonic'),
}
const INFILLS: Words = {
  ...same(...CURVES, 'grid', 'line', 'cubic', 'triangles', 'gyroid', 'honeycomb', '3dhoneycomb'),
  ...same('adaptivecubic', 'supportcubic', 'lightning'),
  'zig-zag': 'rectilinear',
  'tri-hexagon': 'stars',
  crosshatch: another('gyroid'),
}
/** Patterns that can fill everything. */
const FULL = new Set(['rectilinear', 'alignedrectilinear', 'concentric'])

const SUPPORTS: Readonly<Record<string, Set>> = {
  'normal(auto)': { values: { support_material_auto: '1', support_material_style: 'grid' } },
  'tree(auto)': { values: { support_material_auto: '1', support_material_style: 'snug' }, used: 'snug' },
  // Only where somebody has painted, and nobody can here.
  'normal(manual)': { values: { support_material_auto: '0' }, used: null },
  'tree(manual)': { values: { support_material_auto: '0' }, used: null },
}
const supportType: Setting = {
  of: 'print',
  set: (value) => (Object.hasOwn(SUPPORTS, value) ? (SUPPORTS[value] ?? null) : null),
  get: (values) => (values.get('support_material_auto') === '0' ? 'normal(manual)' : 'normal(auto)'),
}
const density: Setting = {
  of: 'print',
  set: (value) =>
    isNumber(0, 100)(value.replace(/%$/, ''))
      ? { values: { fill_density: `${value.replace(/%$/, '')}%` } }
      : null,
  get: (values) => values.get('fill_density'),
}
const sequence: Setting = {
  of: 'print',
  set: (value) =>
    value === 'by layer' || value === 'by object'
      ? { values: { complete_objects: value === 'by object' ? '1' : '0' } }
      : null,
  get: (values) => (values.get('complete_objects') === '1' ? 'by object' : 'by layer'),
}
const ironing: Setting = {
  of: 'print',
  set(value): Set | null {
    if (value === 'no ironing') return { values: { ironing: '0' } }
    const isKind = ['top', 'topmost', 'solid'].includes(value)
    return isKind ? { values: { ironing: '1', ironing_type: value } } : null
  },
  get: (values) => (values.get('ironing') === '1' ? (values.get('ironing_type') ?? 'top') : 'no ironing'),
}
const wallSequence: Setting = {
  of: 'print',
  set(value): Set | null {
    if (value === 'outer wall/inner wall') return { values: { external_perimeters_first: '1' } }
    if (value === 'inner wall/outer wall') return { values: { external_perimeters_first: '0' } }
    return value === 'inner-outer-inner wall' ? { values: {}, used: null } : null
  },
  get: (values) =>
    values.get('external_perimeters_first') === '1' ? 'outer wall/inner wall' : 'inner wall/outer wall',
}
/** One wall that climbs: nothing else goes with it. */
const VASE = {
  spiral_vase: '1',
  perimeters: '1',
  top_solid_layers: '0',
  fill_density: '0%',
  support_material: '0',
}
const vase: Setting = {
  of: 'print',
  set: (value) =>
    value === '1' ? { values: VASE } : value === '0' ? { values: { spiral_vase: '0' } } : null,
  get: (values) => values.get('spiral_vase'),
}
/** What this engine has not: said, and left out. */
const unknown = (isNeutral: (value: string) => boolean): Setting => ({
  of: 'print',
  set: (value) => (isNeutral(value) ? { values: {} } : { values: {}, used: null }),
})

const SETTINGS: Readonly<Record<string, Setting>> = {
  layer_height: number('layer_height', 0.01, 2),
  seam_position: words('seam_position', { ...same('nearest', 'aligned', 'random'), back: 'rear' }),
  only_one_wall_top: unknown((value) => value === '0'),
  wall_loops: whole('perimeters', 0, 1000),
  top_surface_pattern: words('top_fill_pattern', SURFACES),
  bottom_surface_pattern: words('bottom_fill_pattern', SURFACES),
  top_shell_layers: whole('top_solid_layers', 0, 10_000),
  top_shell_thickness: number('top_solid_min_thickness', 0, 1000),
  bottom_shell_layers: whole('bottom_solid_layers', 0, 10_000),
  bottom_shell_thickness: number('bottom_solid_min_thickness', 0, 1000),
  sparse_infill_density: density,
  sparse_infill_pattern: words('fill_pattern', INFILLS),
  internal_solid_infill_pattern: unknown((value) => value === 'monotonic'),
  enable_support: flag('support_material'),
  support_type: supportType,
  support_threshold_angle: whole('support_material_threshold', 0, 90),
  support_on_build_plate_only: flag('support_material_buildplate_only'),
  skirt_loops: whole('skirts', 0, 100),
  skirt_height: whole('skirt_height', 0, 10_000),
  brim_type: words('brim_type', {
    ...same('no_brim', 'outer_only', 'inner_only', 'outer_and_inner'),
    auto_brim: 'outer_only',
    brim_ears: another('outer_only'),
  }),
  brim_width: number('brim_width', 0, 100),
  print_sequence: sequence,
  spiral_mode: vase,
  fuzzy_skin: words('fuzzy_skin', { ...same('none', 'external', 'all'), allwalls: another('all') }),
  nozzle_temperature: degrees('temperature', 500),
  nozzle_temperature_initial_layer: degrees('first_layer_temperature', 500),
  hot_plate_temp: degrees('bed_temperature', 200),
  hot_plate_temp_initial_layer: degrees('first_layer_bed_temperature', 200),
  initial_layer_print_height: chosen(number('first_layer_height', 0.05, 2), isLength),
  line_width: chosen(number('extrusion_width', 0.05, 5), isLength),
  support_top_z_distance: number('support_material_contact_distance', 0, 5),
  raft_layers: whole('raft_layers', 0, 100),
  bridge_flow: number('bridge_flow_ratio', 0.1, 2),
  elefant_foot_compensation: number('elefant_foot_compensation', 0, 5),
  initial_layer_speed: speedOrShare('first_layer_speed'),
  outer_wall_speed: speedOrShare('external_perimeter_speed'),
  inner_wall_speed: speed('perimeter_speed'),
  sparse_infill_speed: speed('infill_speed'),
  internal_solid_infill_speed: speedOrShare('solid_infill_speed'),
  top_surface_speed: speedOrShare('top_solid_infill_speed'),
  support_speed: speed('support_material_speed'),
  bridge_speed: speed('bridge_speed'),
  travel_speed: speed('travel_speed'),
  default_acceleration: chosen(whole('default_acceleration', 0, 100_000), isLength),
  reduce_crossing_wall: flag('avoid_crossing_perimeters'),
  detect_thin_wall: flag('thin_walls'),
  ironing_type: ironing,
  wall_generator: words('perimeter_generator', same('classic', 'arachne')),
  wall_sequence: wallSequence,
  fan_max_speed: ofFilament('max_fan_speed', 0, 100),
  fan_min_speed: ofFilament('min_fan_speed', 0, 100),
  overhang_fan_speed: ofFilament('bridge_fan_speed', 0, 100),
  close_fan_the_first_x_layers: ofFilament('disable_fan_first_layers', 0, 1000),
  slow_down_layer_time: ofFilament('slowdown_below_layer_time', 0, 1000),
  filament_flow_ratio: ofFilament('extrusion_multiplier', 0.1, 3),
  filament_retraction_length: ofFilament('filament_retract_length', 0, 20),
  filament_retraction_speed: ofFilament('filament_retract_speed', 1, 200),
  filament_z_hop: ofFilament('filament_retract_lift', 0, 10),
}

/** Whose one of our settings is, and whether it may have a value; null: it is none of ours. */
export function settingOf(key: string) {
  const setting = Object.hasOwn(SETTINGS, key) ? SETTINGS[key] : undefined
  return setting ? { of: setting.of, isValid: (value: string) => setting.set(value) !== null } : null
}

/** What the engine does where a profile does not say. */
const USUAL: Values = new Map([
  ['top_fill_pattern', 'monotonic'],
  ['bottom_fill_pattern', 'monotonic'],
  ['top_solid_min_thickness', '0'],
  ['bottom_solid_min_thickness', '0'],
  ['avoid_crossing_perimeters', '0'],
  ['thin_walls', '1'],
  ['perimeter_generator', 'arachne'],
  ['elefant_foot_compensation', '0'],
  ['raft_layers', '0'],
  ['bridge_flow_ratio', '1'],
])

/** A profile in our words: values of filaments are lists, as slicers with several nozzles have them. */
export function inOurWords(of: 'print' | 'filament', values: Values): Record<string, string | string[]> {
  const said = Object.entries(SETTINGS).flatMap(([key, setting]) => {
    const value = setting.of === of ? setting.get?.(new Map([...USUAL, ...values])) : undefined
    return value === undefined ? [] : [[key, of === 'filament' ? [value] : value] as const]
  })
  return Object.fromEntries(said)
}

/** Sizes of what is printed, in mm. */
type Sizes = readonly (readonly [width: number, depth: number, height: number])[]

/** What somebody has given for a setting, as one word; null when it is none. */
export const wordOf = (given: unknown): string | null => {
  const one: unknown = Array.isArray(given) ? given[0] : given
  if (typeof one === 'boolean') return one ? '1' : '0'
  if (typeof one === 'number') return String(one)
  return typeof one === 'string' && one.length <= 200 ? one.trim() : null
}

/** Somebody's settings in the engine's words, to be put over a profile's. Raises `BadSetting`. */
export function inTheirWords(
  given: Readonly<Record<string, unknown>>,
  profile: Values,
  sizes: Sizes = [],
): { readonly values: ReadonlyMap<string, string>; readonly notes: readonly SettingNote[] } {
  const values = new Map<string, string>()
  const notes: SettingNote[] = []
  for (const [key, raw] of Object.entries(given)) {
    const value = raw === null ? '' : wordOf(raw)
    if (value === '') continue
    if (value === null) throw new BadSetting(key)
    const setting = Object.hasOwn(SETTINGS, key) ? SETTINGS[key] : undefined
    const set = setting ? setting.set(value) : { values: {}, used: null }
    if (set === null) throw new BadSetting(key)
    if (set.used !== undefined) notes.push({ key, value, used: set.used })
    for (const [name, said] of Object.entries(set.values)) values.set(name, said)
  }
  // A vase's own go over all others, wherever it was said.
  if (values.get('spiral_vase') === '1')
    for (const [name, said] of Object.entries(VASE)) values.set(name, said)
  if (wordOf(given['brim_type']) === 'auto_brim') values.set('brim_width', String(brimFor(sizes)))
  const pattern = values.get('fill_pattern') ?? profile.get('fill_pattern') ?? ''
  if ((values.get('fill_density') ?? profile.get('fill_density')) === '100%' && !FULL.has(pattern)) {
    values.set('fill_pattern', 'rectilinear')
    if (values.has('fill_density') || given['sparse_infill_pattern'] !== undefined)
      notes.push({ key: 'sparse_infill_pattern', value: pattern, used: 'rectilinear' })
  }
  return { values, notes }
}

/** What stands on little, or is tall, gets a brim. */
const brimFor = (sizes: Sizes) =>
  sizes.some(([width, depth, height]) => Math.min(width, depth) < 15 || height > 3 * Math.min(width, depth))
    ? 5
    : 0
