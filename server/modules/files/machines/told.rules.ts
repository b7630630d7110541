import type { MachineTold } from '@vigil/contract/files/machines.ts'
import { storableText } from '../../../lib/tolerant-json.ts'

type Fields = Readonly<Record<string, unknown>>

/** What an agent told of its machine, and where the bed lies, in the coordinates of G-code. */
export interface Told extends MachineTold {
  readonly bed: Bed | null
}

/** A bed in the printer's own coordinates, in mm. */
export interface Bed {
  readonly x: readonly [from: number, to: number]
  readonly y: readonly [from: number, to: number]
}

/** OctoPrint's own answer where nobody has named the printer. */
const NO_MODEL = /^generic\b/i
const MOST_MM = 5000

/** Reads what OctoPrint's agent answers to `get_current_connection`: state, port, speed, printer profile. Null while not connected. */
export function toldByOctoPrint(answer: unknown): Told | null {
  const profile = fields(Array.isArray(answer) ? answer[3] : null)
  const volume = fields(profile?.['volume'])
  if (profile === null || volume === null) return null
  const [width, depth] = [length(volume['width']), length(volume['depth'])]
  const isCentred = volume['origin'] === 'center'
  const model = word(profile['model'])
  return {
    bed: width === null || depth === null ? null : bedOf(width, depth, isCentred),
    bed_width: width,
    bed_depth: depth,
    height: length(volume['height']),
    nozzle_diameter: length(fields(profile['extruder'])?.['nozzleDiameter']),
    model: model === null || NO_MODEL.test(model) ? null : model,
    nozzle_temp_max: null,
    bed_temp_max: profile['heatedBed'] === false ? 0 : null,
  }
}

/** Reads Klipper's objects `configfile.settings` and `toolhead`. Null when it tells no limits. */
export function toldByKlipper(answer: unknown): Told | null {
  const status = fields(fields(answer)?.['status'])
  const toolhead = fields(status?.['toolhead'])
  const settings = fields(fields(status?.['configfile'])?.['settings'])
  const [least, most] = [list(toolhead?.['axis_minimum']), list(toolhead?.['axis_maximum'])]
  if (settings === null && most.length === 0) return null
  const spans = [0, 1, 2].map((axis) => span(least[axis], most[axis]))
  const [x, y, z] = spans
  const extruder = fields(settings?.['extruder'])
  return {
    bed: x && y ? { x, y } : null,
    bed_width: x ? wide(x) : null,
    bed_depth: y ? wide(y) : null,
    height: length(z?.[1]),
    nozzle_diameter: length(extruder?.['nozzle_diameter']),
    model: null,
    nozzle_temp_max: length(extruder?.['max_temp']),
    bed_temp_max:
      settings === null ? null : settings['heater_bed'] === undefined ? 0 : heat(settings['heater_bed']),
  }
}

/** The bed that an owner says, where it lies as the agent's would. */
export const bedOf = (width: number, depth: number, isCentred: boolean): Bed =>
  isCentred ? { x: [-width / 2, width / 2], y: [-depth / 2, depth / 2] } : { x: [0, width], y: [0, depth] }

const heat = (heater: unknown) => length(fields(heater)?.['max_temp'])
const wide = ([from, to]: readonly [number, number]) => Number((to - from).toFixed(3))
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function span(from: unknown, to: unknown): readonly [number, number] | null {
  const isSane = typeof from === 'number' && typeof to === 'number' && to > from && to - from <= MOST_MM
  return isSane ? [from, to] : null
}

function fields(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
}

const length = (value: unknown): number | null =>
  typeof value === 'number' && value > 0 && value <= MOST_MM ? value : null

function word(value: unknown): string | null {
  const text = typeof value === 'string' ? storableText(value, 100).trim() : ''
  return text === '' ? null : text
}
