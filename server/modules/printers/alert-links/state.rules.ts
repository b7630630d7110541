import type { Printer } from '@vigil/contract/printers/printers.ts'

type Fields = Readonly<Record<string, unknown>>
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}

const HEATERS_MOST = 6

/** How a printer stands, by the name of its text. What agents report is looked at before it is believed. */
export function stateOf({ status, current_print: print }: Pick<Printer, 'status' | 'current_print'>) {
  if (status === null) return 'offline'
  const { flags } = fieldsOf(status['state'])
  if (fieldsOf(flags)['paused'] === true || fieldsOf(flags)['pausing'] === true) return 'paused'
  return print === null ? 'idle' : 'printing'
}

/** How much of the print is done, in whole per cent; null when nobody knows. */
export function progressOf({ status }: Pick<Printer, 'status'>): number | null {
  const { completion } = fieldsOf(fieldsOf(status)['progress'])
  return typeof completion === 'number' && completion >= 0 && completion <= 100
    ? Math.round(completion)
    : null
}

/** `tool0 210 °C`, of each heater that reports a number. */
export function heatersOf({ status }: Pick<Printer, 'status'>): string[] {
  return Object.entries(fieldsOf(fieldsOf(status)['temperatures']))
    .flatMap(([name, value]) => {
      const { actual } = fieldsOf(value)
      return typeof actual === 'number' && Number.isFinite(actual)
        ? [`${name.slice(0, 30)} ${Math.round(actual)} °C`]
        : []
    })
    .slice(0, HEATERS_MOST)
}
