import type { Values } from './bundle.ts'

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

/** What is set, in the engine's words; what is said of it. */
interface Set {
  readonly values: Readonly<Record<string, string>>
  readonly used?: string | null
}

/** One of our settings: how it is set in PrusaSlicer, and how its profiles say it (docs/rules/slice.md 6). */
interface Setting {
  readonly of: 'print' | 'filament'
  /** Null: it cannot have this value. */
  set(value: string): Set | null
  get?(values: Values): string | undefined
}

const plain = (of: Setting['of'], key: string, isValid: (value: string) => boolean): Setting => ({
  of,
  set: (value) => (isValid(value) ? { values: { [key]: value } } : null),
  get: (values) => values.get(key)?.split(',')[0]?.trim(),
})
const isNumber = (least: number, most: number) => (value: string) =>
  /^\d{1,6}(?:\.\d{1,6})?$/.test(value) && Number(value) >= least && Number(value) <= most
const isWhole = (least: number, most: number) => (value: string) =>
  /^\d{1,6}$/.test(value) && isNumber(least, most)(value)
const number = (key: string, least: number, most: number) => plain('print', key, isNumber(least, most))
const whole = (key: string, least: number, most: number) => plain('print', key, isWhole(least, most))
const flag = (key: string) => plain('print', key, (value) => value === '0' || value === '1')
const degrees = (key: string, most: number) => plain('filament', key, isWhole(0, most))

type Words = Readonly<Record<string, string | { readonly value: string; readonly isAnother: true }>>
const another = (value: string) => ({ value, isAnother: true }) as const

/** Our words for the engine's; `another` is the nearest that it has. */
function words(key: string, all: Words): Setting {
  return {
    of: 'print',
    set(value) {
      const found = Object.hasOwn(all, value) ? all[value] : undefined
      if (found === undefined) return null
      return typeof found === 'string'
        ? { values: { [key]: found } }
        : { values: { [key]: found.value }, used: found.value }
    },
    get: (values) => Object.keys(all).find((word) => all[word] === values.get(key)),
  }
}
const same = (...all: readonly string[]): Words => Object.fromEntries(all.map((one) => [one, one]))

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
    if (raw === null || raw === '') continue
    const value = wordOf(raw)
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
