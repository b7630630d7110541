import type { Printer } from '@vigil/contract/printers/printers.ts'
import { StatusReading as AgentStatus } from '@vigil/contract/core/status.ts'
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

/** What is shown of a status. */
export class StatusReading extends AgentStatus {
  #heaters: Heater[] | null = null

  /** Those that are there: an actual of 0 is none (docs/rules/pages.md 2). Nozzles first. */
  get heaters(): Heater[] {
    this.#heaters ??= this.temperatures
      .flatMap(({ name, actual, target }) => (actual === 0 ? [] : { key: name, actual, target }))
      .toSorted((a, b) => rank(a.key) - rank(b.key) || a.key.localeCompare(b.key))
    return this.#heaters
  }

  /** What is only shown may be a number in quotes. */
  protected override number(value: unknown): number | null {
    return finite(value)
  }
}

/** A status is read once, however many places of a long list ask. */
const readings = new WeakMap<object, StatusReading>()

/** Null: the printer is offline or has never reported. */
export function readStatus(printer: Printer): StatusReading | null {
  if (!printer.status) return null
  const known = readings.get(printer.status)
  if (known) return known
  const reading = new StatusReading(printer.status)
  readings.set(printer.status, reading)
  return reading
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
