import { type Commands, readCommands } from './commands.ts'
import { type Comments, readComments } from './comments.ts'
import { objectsOf } from './objects.ts'
import { slicerOf } from './slicer.ts'
import { aboveZero, lengthOf, nameOf, numberOf, secondsOf } from './values.ts'

/** What is known of a G-code file, flat; what is not known is not there. Lengths in mm, times in s, weights in g, °C. */
export interface Metadata {
  slicer: string
  slicer_version?: string
  estimated_time?: number
  layer_count?: number
  object_height?: number
  layer_height?: number
  first_layer_height?: number
  nozzle_diameter?: number
  first_layer_extr_temp?: number
  first_layer_bed_temp?: number
  chamber_temp?: number
  filament_name?: string
  filament_type?: string
  filament_total?: number
  filament_weight_total?: number
  printer_model?: string
  /** How many are printed. */
  objects?: number
  /** Corners of the bed that it was made for, as the slicer writes them: `0x0,220x220`. */
  bed_area?: string
}

/** Cura's command line writes this number where it knows none. */
const CURA_UNKNOWN_SECONDS = 6666
const HIGHEST_MM = 100_000

/**
 * Reads what the beginning and the end of a file say of it, whichever slicer made it; both may be the same text when the
 * file is small. Neither trusts nor refuses anything: what cannot be read is not known.
 */
export function metadataOf(head: string, tail: string): Metadata {
  const comments = readComments(head, tail)
  const { first, last } = comments
  const slicer = slicerOf(comments)
  const [opening, ending] = [readCommands(head), readCommands(tail)]
  const [nozzle, bed] = simplifyTemperatures(first)
  const layerHeight = pick(aboveZero, first, LAYER_HEIGHT)
  return known({
    slicer: slicer.name,
    slicer_version: slicer.version,
    estimated_time: timeOf(comments, slicer.name),
    ...heights(comments, layerHeight, opening, ending),
    layer_height: layerHeight,
    nozzle_diameter: pick(aboveZero, first, [
      'nozzle_diameter',
      'nozzle_diameter_mm_0',
      'extruderdiameter',
      'nozzlediameter',
    ]),
    first_layer_extr_temp: pick(aboveZero, first, NOZZLE_TEMPERATURE) ?? nozzle ?? opening.nozzle,
    first_layer_bed_temp: pick(aboveZero, first, BED_TEMPERATURE) ?? bed ?? opening.bed,
    chamber_temp: pick(aboveZero, first, ['chamber_temperature', 'chamber_temperatures']) ?? opening.chamber,
    filament_name: pick(nameOf, first, [
      'filament_settings_id',
      'filament_name',
      'filament name',
      'filament name #1',
      'printmaterial',
      'filament_name_0',
    ]),
    filament_type: pick(nameOf, first, [
      'filament_type',
      'filament type',
      'filament type #1',
      'makerbotmodelmaterial',
      'filament_type_0',
    ]),
    filament_total: filamentOf(comments),
    filament_weight_total: weightOf(comments),
    printer_model: pick(nameOf, last, ['printer_model', 'target_machine.name']),
    objects: objectsOf(head, comments.lines),
    bed_area: areaOf(first('printable_area') ?? first('bed_shape')),
  })
}

const LAYER_HEIGHT = [
  'layer_height',
  'layer height',
  'layerheight',
  'sliceheight',
  'z_layer_height_mm',
  'max_layer_thickness_mm',
]
const FIRST_LAYER_HEIGHT = [
  'first_layer_height',
  'initial_layer_print_height',
  'minz',
  'z_layer_height_first_layer_mm',
  'first_layer_thickness_mm',
  'firstsliceheight',
]
const NOZZLE_TEMPERATURE = [
  'first_layer_temperature',
  'nozzle_temperature_initial_layer',
  'extruder_temp_degree_c_0',
  'first_layer_c',
  'firstlayernozzletemp',
]
const BED_TEMPERATURE = [
  'first_layer_bed_temperature',
  'hot_plate_temp_initial_layer',
  'bed_temp_degree_c',
  'bed_c',
  'firstlayerbedtemp',
]
const TIMES = [
  'estimated printing time (normal mode)',
  'estimated printing time',
  'estimated_print_time_s',
  'print time',
  'print.time',
  '--- print time',
  'build time',
  'calculated-during-export build time',
]

type Look = Comments['first']

function pick<T>(
  read: (text: string | undefined) => T | null,
  look: Look,
  keys: readonly string[],
): T | null {
  for (const key of keys) {
    const value = read(look(key))
    if (value !== null) return value
  }
  return null
}

function timeOf({ first, last }: Comments, slicer: string): number | null {
  const [, total] = (first('model printing time') ?? '').split('total estimated time:')
  const seconds = secondsOf(total) ?? pick(secondsOf, last, TIMES)
  if (seconds !== null) return seconds
  const plain = secondsOf(first('time'))
  return slicer === 'Cura' && plain === CURA_UNKNOWN_SECONDS ? null : plain
}

function heights({ first, last }: Comments, layer: number | null, opening: Commands, ending: Commands) {
  const said = FIRST_LAYER_HEIGHT.map((key) => first(key)).find((text) => sane(numberOf(text)) !== null)
  const share = said?.trim().endsWith('%') ? (numberOf(said)! / 100) * (layer ?? 0) : numberOf(said)
  const lowest = sane(share) ?? sane(opening.leastZ)
  const bounds = first('bounding box')
    ?.match(/-?\d{1,15}(?:\.\d{1,15})?/g)
    ?.at(-1)
  const highest =
    sane(pick(numberOf, first, ['max_z_height', 'maxz', 'print_height_mm', 'print.size.max.z'])) ??
    sane(numberOf(bounds)) ??
    sane(numberOf(last('z'))) ??
    sane(ending.mostZ)
  const count = pick(aboveZero, first, [
    'total layer number',
    'total layers count',
    'layer_count',
    'layer count',
  ])
  const counted = highest !== null && layer !== null ? layersOf(highest, lowest ?? layer, layer) : null
  return {
    first_layer_height: lowest,
    object_height: highest,
    layer_count: count === null ? counted : Math.round(count),
  }
}

const sane = (mm: number | null) => (mm !== null && mm > 0 && mm < HIGHEST_MM ? mm : null)
const layersOf = (highest: number, lowest: number, layer: number) =>
  Math.max(1, Math.round((highest - lowest) / layer) + 1)

function filamentOf({ first, lines }: Comments): number | null {
  const metres = numberOf(first('filament_length_m'))
  return (
    pick(lengthOf, first, [
      'filament used [mm]',
      'total filament length [mm]',
      'filament_used_mm',
      'filament used',
      'filament length',
      'material length',
      '--- filament used',
    ]) ??
    (metres === null || metres <= 0 ? null : metres * 1000) ??
    sumOf(lines, /^(?:Material#\d{1,2} Used: |Ext #\d{1,2} += +)(\d+(?:\.\d+)?)/)
  )
}

function weightOf({ first, lines }: Comments): number | null {
  return (
    pick(lengthOf, first, [
      'total filament used [g]',
      'filament used [g]',
      'total filament weight [g]',
      'filament weight',
      'plastic weight',
      'material weight',
      'filament mass_g',
      'filament_used_g',
    ]) ?? sumOf(lines, /^Material#\d{1,2} Weight: (\d+(?:\.\d+)?)/)
  )
}

/** Some slicers say what each extruder takes in a line of its own. */
function sumOf(lines: readonly string[], sign: RegExp): number | null {
  const sum = lines.reduce((all, line) => all + Number(sign.exec(line.slice(0, 100))?.[1] ?? 0), 0)
  return sum > 0 && Number.isFinite(sum) ? sum : null
}

/** Simplify3D names its heaters in one list and their temperatures in another. */
function simplifyTemperatures(first: Look): [nozzle: number | null, bed: number | null] {
  const names = first('temperaturename')?.split(',', 20) ?? []
  const values = first('temperaturesetpointtemperatures')?.split(',', 20) ?? []
  const of = (sign: RegExp) => aboveZero(values[names.findIndex((name) => sign.test(name))])
  return names.length === 0 ? [null, null] : [of(/extruder|tool/i), of(/bed/i)]
}

const areaOf = (text: string | undefined) =>
  text !== undefined && /^-?[\d.]+x-?[\d.]+(?:,-?[\d.]+x-?[\d.]+){1,40}$/.test(text.slice(0, 1000))
    ? text
    : null

/** Numbers and texts that are there; numbers as people write them, without a float's last digits. */
function known(all: Record<keyof Metadata, string | number | null>): Metadata {
  const said = Object.entries(all).flatMap(([key, value]) =>
    value === null ? [] : [[key, typeof value === 'number' ? Number(value.toFixed(4)) : value]],
  )
  return Object.fromEntries(said) as Metadata
}
