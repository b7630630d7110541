import { fieldsOf } from '@vigil/contract/fields.ts'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { finite } from '../../../lib/format.ts'
import { isActive } from '../../../printer/state.ts'
import { type Heater, heaterKind, type StatusReading } from '../../../printer/status.ts'

/** Step sizes and limits of docs/rules/pages.md 1. */
export const MOVE_STEPS = ['1', '10', '50', '100'] as const
export const EXTRUDE_STEPS = ['1', '10', '50'] as const
export const OFFSET_STEPS = ['0.005', '0.01', '0.05', '0.1'] as const
export const EXTRUDE_FEED = 300
/** Below this filament does not move. */
export const MIN_EXTRUDE = 179
export const HEAT_PRESET = 180

export type Reason = 'printing' | 'paused' | 'moveOnly' | 'busy'

/** Why the head may not be moved, or filament not be pushed; null where it may. */
export function blocked(
  reading: StatusReading | null,
  transition: string | null,
  extrudesWhilePaused: boolean,
): { move: Reason | null; extrude: Reason | null } {
  if (!isActive(reading, transition)) return { move: null, extrude: null }
  if (transition === null && reading?.paused && reading.text === 'Paused')
    return extrudesWhilePaused ? { move: 'moveOnly', extrude: null } : { move: 'paused', extrude: 'paused' }
  const reason = reading?.printing || reading?.text === 'Printing' ? 'printing' : 'busy'
  return { move: reason, extrude: reason }
}

/** A hotend, with the number of its tool. */
export interface Hotend {
  heater: Heater
  tool: number
}

export function hotends(heaters: Heater[]): Hotend[] {
  return heaters
    .filter(({ key }) => heaterKind(key) === 'nozzle')
    .map((heater) => ({ heater, tool: Number(/(?<!\d)\d+$/.exec(heater.key)?.[0] ?? 0) }))
}

export const isCold = (hotend: Hotend | undefined) => !hotend || hotend.heater.actual < MIN_EXTRUDE

export const TUNES = ['fan', 'speed', 'flow'] as const
export type Tune = (typeof TUNES)[number]

const REPORTED = { fan: 'currentFanSpeed', speed: 'currentFeedRate', flow: 'currentFlowRate' } as const

/** What the printer reports of a tuning in percent; agents that don't know leave it out. */
export function tuned(printer: Printer, tune: Tune): number | null {
  const part = finite(fieldsOf(printer.status)[REPORTED[tune]])
  return part === null ? null : Math.round(part * 100)
}

/** Fan 0 to 100 %, factors at least 1 %: anything else is not applied. */
export function isTuneValid(tune: Tune, percent: number | string): percent is number {
  if (typeof percent !== 'number' || !Number.isFinite(percent)) return false
  return tune === 'fan' ? percent >= 0 && percent <= 100 : percent >= 1
}

/** `+0.050`: three places, since the smallest step is five thousandths. */
export function offsetText(mm: number): string {
  const text = Math.abs(mm).toFixed(3)
  return Number(text) === 0 ? text : `${mm > 0 ? '+' : '−'}${text}`
}
