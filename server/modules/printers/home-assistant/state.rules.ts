import type { Printer } from '@vigil/contract/printers/printers.ts'
import { statusOf, type StatusReading } from '@vigil/contract/core/status.ts'

export const STATES = ['offline', 'disconnected', 'idle', 'printing', 'pausing', 'paused', 'error'] as const
type State = (typeof STATES)[number]

/** What is told of a printer; Home Assistant reads null as not known. Times in seconds, temperatures in °C. */
export interface Told {
  readonly state: State
  readonly file: string | null
  /** Percent. */
  readonly progress: number | null
  readonly elapsed: number | null
  readonly left: number | null
  readonly watching: 'ON' | 'OFF'
  /** Why it is not watched. */
  readonly not_watching: string | null
  /** An alert waits for an answer. */
  readonly failure: 'ON' | 'OFF'
  /** The gauge, percent. */
  readonly failure_level: number
  readonly temperatures: Readonly<Record<string, { actual: number; target: number | null }>>
}

/** More heaters than this no printer has. */
const HEATERS_MOST = 16

/** An agent's name as it may stand in a topic and in a template: nothing in it means anything there. */
export const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]{1,1000}/g, '_')
    .slice(0, 40)

function stateOf(status: StatusReading | null): State {
  if (status === null) return 'offline'
  if (status.disconnected) return 'disconnected'
  if (status.error !== null) return 'error'
  if (status.standsPaused) return 'paused'
  if (status.pausing) return 'pausing'
  return status.printing ? 'printing' : 'idle'
}

const rounded = (value: number | null, digits = 0) => (value === null ? null : Number(value.toFixed(digits)))

/** The state of a printer as it is told on the broker. */
export function toldOf(
  printer: Pick<Printer, 'status' | 'current_print' | 'watch' | 'alert' | 'normalized_p'>,
): Told {
  const { current_print: print, watch, alert } = printer
  const status = statusOf(printer.status)
  const heaters = (status?.temperatures ?? []).slice(0, HEATERS_MOST)
  return {
    state: stateOf(status),
    file: print?.filename ?? null,
    progress: print && rounded(status?.completion ?? null, 1),
    elapsed: print && rounded(status?.elapsedS ?? null),
    left: print && rounded(status?.leftS ?? null),
    watching: watch.state === 'watching' ? 'ON' : 'OFF',
    not_watching: watch.reason,
    failure: alert ? 'ON' : 'OFF',
    failure_level: Math.round(printer.normalized_p * 100),
    temperatures: Object.fromEntries(
      heaters.flatMap(({ name, actual, target }) => {
        const slug = slugOf(name)
        return /[a-z0-9]/.test(slug)
          ? [[slug, { actual: Number(actual.toFixed(1)), target: rounded(target) }]]
          : []
      }),
    ),
  }
}
