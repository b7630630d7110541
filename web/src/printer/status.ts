import type { Printer } from '@vigil/contract/printers.ts'
import { finite } from '../lib/format.ts'

/** One heater as both agents report it. */
export interface Heater {
  key: string
  actual: number
  target: number | null
}

/** What a heater heats, by either agent's name for it. */
export type HeaterKind = 'nozzle' | 'bed' | 'chamber' | 'other'

export function heaterKind(key: string): HeaterKind {
  if (/^(tool|extruder)\d*$/i.test(key)) return 'nozzle'
  if (/bed/i.test(key)) return 'bed'
  return /chamber/i.test(key) ? 'chamber' : 'other'
}

/** What we read of an agent's status: the agents may say anything, so nothing is taken for granted. */
export interface StatusReading {
  text: string
  error: string | null
  printing: boolean
  paused: boolean
  operational: boolean
  ready: boolean
  disconnected: boolean
  needsOwner: boolean
  completion: number | null
  elapsedS: number | null
  leftS: number | null
  heaters: Heater[]
  z: number | null
  maxZ: number | null
  layer: number | null
  layers: number | null
  filamentMm: number | null
  message: string | null
}

type Loose = Record<string, unknown>
const object = (value: unknown): Loose => (value && typeof value === 'object' ? (value as Loose) : {})
const text = (value: unknown): string | null => (typeof value === 'string' && value.trim() ? value : null)

/** A status is read once, however many places of a long list ask. */
const readings = new WeakMap<object, StatusReading>()

/** Null: the printer is offline or has never reported. */
export function readStatus(printer: Printer): StatusReading | null {
  if (!printer.status) return null
  const known = readings.get(printer.status)
  if (known) return known
  const reading = read(printer.status)
  readings.set(printer.status, reading)
  return reading
}

function read(status: Loose): StatusReading {
  const state = object(status['state'])
  const flags = object(state['flags'])
  const progress = object(status['progress'])
  const metadata = object(status['file_metadata'])
  const area = object(object(metadata['analysis'])['printingArea'])
  return {
    text: text(state['text']) ?? '',
    error: text(state['error']),
    printing: flags['printing'] === true,
    paused: flags['paused'] === true,
    operational: flags['operational'] === true,
    ready: flags['ready'] === true,
    disconnected: flags['closedOrError'] === true,
    needsOwner: status['user_interaction_required'] === true,
    completion: finite(progress['completion']),
    elapsedS: finite(progress['printTime']),
    leftS: finite(progress['printTimeLeft']),
    heaters: readHeaters(object(status['temperatures'])),
    z: finite(status['currentZ']),
    maxZ: finite(area['maxZ']),
    layer: finite(status['currentLayerHeight']),
    layers: finite(object(metadata['obico'])['totalLayerCount']),
    filamentMm: finite(progress['filamentUsed']),
    message: text(object(status['display_status'])['message']),
  }
}

/** Heaters whose actual is 0, null or not a number are not there (docs/rules/pages.md 2). Nozzles first. */
function readHeaters(temperatures: Loose): Heater[] {
  const heaters: Heater[] = []
  for (const [key, value] of Object.entries(temperatures)) {
    const actual = finite(object(value)['actual'])
    if (actual) heaters.push({ key, actual, target: finite(object(value)['target']) })
  }
  return heaters.toSorted((a, b) => rank(a.key) - rank(b.key) || a.key.localeCompare(b.key))
}

/** Further below its target than this, a heater is heating up. */
const HEATING_DEGREES = 5

/** Firmwares finish heating before they read the next line, a pause's among them. */
export function heatsFirst(reading: StatusReading | null): boolean {
  return (
    reading?.heaters.some(({ actual, target }) => target !== null && target - actual > HEATING_DEGREES) ??
    false
  )
}

function rank(key: string): number {
  const order = ['tool', 'extruder', 'bed', 'chamber']
  const at = order.findIndex((word) => key.toLowerCase().includes(word))
  return at === -1 ? order.length : at
}
