import type { Fit, FitReason, MachineSaid } from '@vigil/contract/machines.ts'
import type { Metadata } from '../../lib/gcode/metadata.ts'
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
const unknown = (about: About, file: string): FitReason => ({
  about,
  verdict: 'unknown',
  file,
  printer: null,
})

/**
 * Whether a machine can print a file of which this is known. `warns` as soon as one thing does not go together; `fits` when all that
 * the file says was compared, bed or size among it; `unknown` otherwise. Nothing is refused for it: what slicers and agents say may be wrong.
 */
export function fitOf(metadata: Partial<Metadata>, machine: KnownMachine): Fit {
  const file = said(metadata)
  const area = areaOf(file.bedArea)
  const reasons = [
    ...bedReasons(area, machine.bed),
    ...compare('height', file.height, machine.height, (wants, has) => wants <= has + SLACK_MM),
    ...compare('nozzle', file.nozzle, machine.nozzle, (wants, has) => Math.abs(wants - has) < 0.01),
    ...modelReasons(file.model, machine.model),
    ...hotReasons('nozzle_temp', file.nozzleTemp, machine.nozzleTempMax),
    ...hotReasons('bed_temp', file.bedTemp, machine.bedTempMax),
  ]
  const saysSize = area !== null || file.height !== null
  const verdict = reasons.some((one) => one.verdict === 'warns')
    ? 'warns'
    : reasons.length > 0 || !saysSize
      ? 'unknown'
      : 'fits'
  return { verdict, reasons }
}

/** What of the metadata is compared; rows of other times may hold anything. */
function said(metadata: Partial<Metadata>) {
  const number = (value: unknown) =>
    typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : null
  const text = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null)
  return {
    bedArea: text(metadata.bed_area),
    height: number(metadata.object_height),
    nozzle: number(metadata.nozzle_diameter),
    model: text(metadata.printer_model),
    nozzleTemp: number(metadata.first_layer_extr_temp),
    bedTemp: number(metadata.first_layer_bed_temp),
  }
}

function bedReasons(wants: Bed | null, has: Bed | null): FitReason[] {
  if (wants === null) return []
  if (has === null) return [unknown('bed', sizeOf(wants))]
  const [inWidth, inDepth] = [wideOf(wants.x) <= wideOf(has.x), wideOf(wants.y) <= wideOf(has.y)]
  if (!inWidth || !inDepth) return [warns('bed', sizeOf(wants), sizeOf(has))]
  if (isMiddle(wants) !== isMiddle(has)) return [warns('origin', placeOf(wants), placeOf(has))]
  return []
}

function compare(
  about: 'height' | 'nozzle',
  wants: number | null,
  has: number | null,
  goes: (wants: number, has: number) => boolean,
): FitReason[] {
  if (wants === null) return []
  if (has === null) return [unknown(about, String(wants))]
  return goes(wants, has) ? [] : [warns(about, String(wants), String(has))]
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
const wideOf = ([from, to]: readonly [number, number]) => to - from - SLACK_MM / 2
const short = (mm: number) => String(Number(mm.toFixed(1)))
const sizeOf = ({ x, y }: Bed) => `${short(x[1] - x[0])} × ${short(y[1] - y[0])}`
/** G-code of a printer whose middle is its origin is half below zero. */
const isMiddle = ({ x, y }: Bed) => x[0] < -(x[1] - x[0]) / 4 && y[0] < -(y[1] - y[0]) / 4
const placeOf = (bed: Bed) => (isMiddle(bed) ? 'centre' : 'corner')

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
