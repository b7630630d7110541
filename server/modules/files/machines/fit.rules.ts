import type { Fit, FitReason, MachineSaid } from '@vigil/contract/files/machines.ts'
import type { Metadata } from '../../../lib/gcode/metadata.ts'
import { type Bed, bedOf, type Told } from './told.rules.ts'

/** A printer as a machine, as far as it is known: what its owner said goes before what its agent told. */
export interface KnownMachine {
  readonly bed: Bed | null
  readonly height: number | null
  readonly nozzle: number | null
  readonly model: string | null
  readonly nozzleTempMax: number | null
  /** 0: it has no heated bed. */
  readonly bedTempMax: number | null
}

/** What is told and said of a printer, as one. */
export function knownOf(told: Told | null, said: Partial<MachineSaid>): KnownMachine {
  const [width, depth] = [said.bed_width ?? told?.bed_width, said.bed_depth ?? told?.bed_depth]
  const isSaid = typeof said.bed_width === 'number' || typeof said.bed_depth === 'number'
  const isCentred = told?.bed ? isMiddle(told.bed) : false
  return {
    bed: isSaid && width && depth ? bedOf(width, depth, isCentred) : (told?.bed ?? null),
    height: said.height ?? told?.height ?? null,
    nozzle: said.nozzle_diameter ?? told?.nozzle_diameter ?? null,
    model: said.model ?? told?.model ?? null,
    nozzleTempMax: told?.nozzle_temp_max ?? null,
    bedTempMax: told?.bed_temp_max ?? null,
  }
}

/** Beds and limits are written down in whole millimetres; a slicer's 0.01 is none. */
const SLACK_MM = 1

type About = FitReason['about']
const warns = (about: About, file: string, printer: string): FitReason => ({
  about,
  verdict: 'warns',
  file,
  printer,
})
const unknown = (about: About, file: string | null): FitReason => ({
  about,
  verdict: 'unknown',
  file,
  printer: null,
})

/**
 * Whether a machine can print a file of which this is known. `warns` as soon as one thing does not go together; `fits` when where it
 * prints, how high, and all else that the file says was compared; `unknown` otherwise. Nothing is refused for it: what slicers and
 * agents say may be wrong.
 */
export function fitOf(metadata: Partial<Metadata>, machine: KnownMachine): Fit {
  const file = said(metadata)
  const reasons = [
    ...bedReasons(file, machine.bed),
    ...heightReasons(file.height, machine.height),
    ...nozzleReasons(file.nozzle, machine.nozzle),
    ...modelReasons(file.model, machine.model),
    ...hotReasons('nozzle_temp', file.nozzleTemp, machine.nozzleTempMax),
    ...hotReasons('bed_temp', file.bedTemp, machine.bedTempMax),
  ]
  const verdict = reasons.some((one) => one.verdict === 'warns')
    ? 'warns'
    : reasons.length > 0
      ? 'unknown'
      : 'fits'
  return { verdict, reasons }
}

/** What of the metadata is compared; rows of other times may hold anything. */
function said(metadata: Partial<Metadata>) {
  const number = (value: unknown) =>
    typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : null
  const text = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null)
  const size = [number(metadata.object_width), number(metadata.object_depth)] as const
  return {
    printed: rangesOf(metadata),
    /** Of what is printed without its skirt. */
    size: size[0] !== null && size[1] !== null ? ([size[0], size[1]] as const) : null,
    bedArea: areaOf(text(metadata.bed_area)),
    height: number(metadata.object_height),
    nozzle: number(metadata.nozzle_diameter),
    model: text(metadata.printer_model),
    nozzleTemp: number(metadata.first_layer_extr_temp),
    bedTemp: number(metadata.first_layer_bed_temp),
  }
}
type FileSaid = ReturnType<typeof said>

/**
 * What is printed has to lie on the bed. Where nobody knows where that is, a bed that holds all of the one that the slicer had in mind
 * holds it, too.
 */
function bedReasons({ printed, size, bedArea }: FileSaid, has: Bed | null): FitReason[] {
  const isOtherOrigin = bedArea !== null && has !== null && isMiddle(bedArea) !== isMiddle(has)
  if (printed === null) {
    if (has !== null && bedArea !== null && !isOtherOrigin && holds(has, bedArea)) return []
    return [unknown('bed', null)]
  }
  const object = size ?? sizeOf(printed)
  if (has === null) return [unknown('bed', words(object))]
  const room = sizeOf(has)
  if (!isWithin(object, room)) return [warns('bed', words(object), words(room))]
  if (!isWithin(sizeOf(printed), room)) return [warns('bed', words(sizeOf(printed)), words(room))]
  if (holds(has, printed)) return []
  return isOtherOrigin && bedArea !== null
    ? [warns('origin', placeOf(bedArea), placeOf(has))]
    : [warns('place', spanOf(printed), spanOf(has))]
}

function heightReasons(wants: number | null, has: number | null): FitReason[] {
  if (wants === null) return [unknown('height', null)]
  if (has === null) return [unknown('height', short(wants))]
  return wants <= has + SLACK_MM ? [] : [warns('height', short(wants), short(has))]
}

/** Many slicers do not say it. */
function nozzleReasons(wants: number | null, has: number | null): FitReason[] {
  if (wants === null) return []
  if (has === null) return [unknown('nozzle', String(wants))]
  return Math.abs(wants - has) < 0.01 ? [] : [warns('nozzle', String(wants), String(has))]
}

/** Models are names: one that holds the other is the same. One of them unsaid says nothing. */
function modelReasons(wants: string | null, has: string | null): FitReason[] {
  if (wants === null || has === null) return []
  const [a, b] = [plain(wants), plain(has)]
  return a === '' || b === '' || a.includes(b) || b.includes(a) ? [] : [warns('model', wants, has)]
}

/** Few agents tell how hot a printer may get, so one that does not leaves nothing open. */
const hotReasons = (about: 'nozzle_temp' | 'bed_temp', wants: number | null, most: number | null) =>
  wants === null || most === null || wants <= most ? [] : [warns(about, String(wants), String(most))]

const plain = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
type Size = readonly [width: number, depth: number]
const sizeOf = ({ x, y }: Bed): Size => [x[1] - x[0], y[1] - y[0]]
const isWithin = (one: Size, room: Size) => one[0] <= room[0] + SLACK_MM && one[1] <= room[1] + SLACK_MM
const holds = (bed: Bed, { x, y }: Bed) =>
  x[0] >= bed.x[0] - SLACK_MM &&
  x[1] <= bed.x[1] + SLACK_MM &&
  y[0] >= bed.y[0] - SLACK_MM &&
  y[1] <= bed.y[1] + SLACK_MM
const short = (mm: number) => String(Number(mm.toFixed(1)))
const words = ([width, depth]: Size) => `${short(width)} × ${short(depth)}`
const spanOf = ({ x, y }: Bed) => `X ${x.map(short).join(' … ')}, Y ${y.map(short).join(' … ')}`
/** G-code of a printer whose middle is its origin is half below zero. */
const isMiddle = ({ x, y }: Bed) => x[0] < -(x[1] - x[0]) / 4 && y[0] < -(y[1] - y[0]) / 4
const placeOf = (bed: Bed) => (isMiddle(bed) ? 'centre' : 'corner')

/** Where on the bed it prints; null when that is not known. */
function rangesOf({ min_x, max_x, min_y, max_y }: Partial<Metadata>): Bed | null {
  const range = (from: unknown, to: unknown) =>
    typeof from === 'number' && typeof to === 'number' && to > from ? ([from, to] as const) : null
  const [x, y] = [range(min_x, max_x), range(min_y, max_y)]
  return x && y ? { x, y } : null
}

/** What a slicer's corners (`0x0,220x0,220x220,0x220`) enclose; null when they are none. */
function areaOf(corners: string | null): Bed | null {
  const points = (corners ?? '').split(',', 41).map((corner) => corner.split('x', 2).map(Number))
  const along = (axis: 0 | 1): readonly [number, number] => {
    const all = points.map((point) => point[axis] ?? Number.NaN)
    return [Math.min(...all), Math.max(...all)]
  }
  const [x, y] = [along(0), along(1)]
  return x[1] > x[0] && y[1] > y[0] ? { x, y } : null
}
