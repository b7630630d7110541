import { readCommands } from './commands.ts'
import { type Comments, readComments } from './comments.ts'
import { extentOf, heightsOf } from './extents.ts'
import type { Moved } from './moves.ts'
import { slicerOf } from './slicer.ts'
import { aboveZero, lengthOf, nameOf, numberOf, pick, secondsOf } from './values.ts'

const MOST = 1000
const DEFINE = 'EXCLUDE_OBJECT_DEFINE '
/** What slicers write where an object begins: in the first layer each of them does. */
const NAMED = ['printing object ', 'MESH:']
const NO_OBJECT = 'NONMESH'

/**
 * How many objects a file prints, by what its beginning says: as it defines them for the printer (Klipper, Marlin's M486), else
 * as its comments name them. Null where it says nothing.
 */
export function objectsOf(head: string, comments: readonly string[]): number | null {
  const total = /^M486 T(\d{1,4})\b/m.exec(head)?.[1]
  if (total !== undefined && Number(total) > 0) return Number(total)
  const defined = definedIn(head)
  if (defined > 0) return defined
  for (const word of NAMED) {
    const names = new Set<string>()
    for (const line of comments) {
      // Each copy of an object is one to print.
      if (line.startsWith(word) && !line.endsWith(NO_OBJECT) && names.size < MOST) names.add(line)
    }
    if (names.size > 0) return names.size
  }
  return null
}

function definedIn(head: string): number {
  const names = new Set<string>()
  for (let at = head.indexOf(DEFINE); at !== -1 && names.size < MOST; at = head.indexOf(DEFINE, at + 1)) {
    const isLine = at === 0 || head[at - 1] === '\n'
    const [name] = /NAME=\S{1,200}/.exec(head.slice(at, at + 300).split('\n', 1)[0] ?? '') ?? []
    if (isLine && name !== undefined) names.add(name)
  }
  return names.size
}

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
  /** Where on the bed it is printed, with skirt and supports; without what the printer lays down as it starts. */
  min_x?: number
  max_x?: number
  min_y?: number
  max_y?: number
  /** The objects themselves, without skirt. */
  object_width?: number
  object_depth?: number
  /** Which of these the slicer did not say: they come from the moves. */
  estimated?: ('estimated_time' | 'filament_total')[]
  /** Corners of the bed that it was made for, as the slicer writes them: `0x0,220x220`. */
  bed_area?: string
}

/** Cura's command line writes this number where it knows none. */
const CURA_UNKNOWN_SECONDS = 6666

/**
 * Reads what a file says of itself, whichever slicer made it: its beginning, its end where that is another part, and what its moves
 * come to where they were followed. Neither trusts nor refuses anything: what cannot be read is not known.
 */
export function metadataOf(head: string, tail: string, moved: Moved | null = null): Metadata {
  const isWhole = tail === '' || tail === head
  const comments = isWhole ? readComments(head) : readComments(head, tail)
  const { first, last } = comments
  const slicer = slicerOf(comments)
  const opening = readCommands(head)
  const ending = isWhole ? opening : readCommands(tail)
  const [nozzle, bed] = simplifyTemperatures(first)
  const layerHeight = pick(aboveZero, first, LAYER_HEIGHT)
  const said = { estimated_time: timeOf(comments, slicer.name), filament_total: filamentOf(comments) }
  const counted = { estimated_time: moved?.seconds ?? null, filament_total: moved?.filament ?? null }
  return known({
    slicer: slicer.name,
    slicer_version: slicer.version,
    estimated_time: said.estimated_time ?? counted.estimated_time,
    ...heightsOf(comments, layerHeight, { opening, ending, moved }),
    ...extentOf(comments, moved),
    nozzle_diameter: nozzleOf(comments),
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
    filament_total: said.filament_total ?? counted.filament_total,
    filament_weight_total: weightOf(comments),
    printer_model: pick(nameOf, last, ['printer_model', 'target_machine.name']),
    objects: objectsOf(head, comments.lines),
    bed_area: areaOf(first('printable_area') ?? first('bed_shape')),
    estimated: (['estimated_time', 'filament_total'] as const).filter(
      (name) => said[name] === null && counted[name] !== null,
    ),
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

function timeOf({ first, last }: Comments, slicer: string): number | null {
  const [, total] = (first('model printing time') ?? '').split('total estimated time:')
  const seconds = secondsOf(total) ?? pick(secondsOf, last, TIMES)
  if (seconds !== null) return seconds
  const plain = secondsOf(first('time'))
  return slicer === 'Cura' && plain === CURA_UNKNOWN_SECONDS ? null : plain
}

/** ideaMaker's is the fourth number of the machine. */
const nozzleOf = ({ first }: Comments): number | null =>
  pick(aboveZero, first, ['nozzle_diameter', 'nozzle_diameter_mm_0', 'extruderdiameter', 'nozzlediameter']) ??
  aboveZero(first('dimension')?.slice(0, 200).trim().split(/\s+/, 4)[3])

function filamentOf({ first, lines }: Comments): number | null {
  const metres = numberOf(first('filament_length_m'))
  return (
    // Slic3r says what each extruder takes in a line of its own, under one name.
    sumOf(lines, /^filament used = (\d+(?:\.\d+)?)mm/) ??
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
    ]) ??
    sumOf(lines, /^Material#\d{1,2} Weight: (\d+(?:\.\d+)?)/) ??
    weightByDensity(first)
  )
}

const MOST_MATERIALS = 16
/** Densities are told in kg/m³, by some in g/cm³. */
const LIGHTEST_KG = 100

/** What ideaMaker's materials weigh; null as soon as one of them cannot be said. */
function weightByDensity(first: Look): number | null {
  let sum = 0
  for (let at = 1; at <= MOST_MATERIALS; at++) {
    const used = numberOf(first(`material#${at} used`))
    if (used === null || used === 0) continue
    const diameter = aboveZero(first(`filament diameter #${at}`))
    const density = aboveZero(first(`filament density #${at}`))
    if (diameter === null || density === null) return null
    sum += (Math.PI / 4) * diameter ** 2 * used * (density < LIGHTEST_KG ? density / 1e3 : density / 1e6)
  }
  return sum > 0 && Number.isFinite(sum) ? sum : null
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

/** What is there; numbers as people write them, without a float's last digits. */
function known(all: Record<keyof Metadata, string | number | readonly string[] | null>): Metadata {
  const said = Object.entries(all).flatMap(([key, value]) =>
    value === null || (Array.isArray(value) && value.length === 0)
      ? []
      : [[key, typeof value === 'number' ? Number(value.toFixed(4)) : value]],
  )
  return Object.fromEntries(said) as Metadata
}
