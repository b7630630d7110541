import type { OctoJobState, OctoPrinterState } from '@vigil/contract/slice/octoprint.ts'
import type { StatusReading } from '@vigil/contract/core/status.ts'

/** OctoPrint's words for how a printer stands, which slicers go by. */
export function wordOf(
  status: StatusReading,
): 'Offline' | 'Pausing' | 'Paused' | 'Cancelling' | 'Printing' | 'Operational' {
  if (status.disconnected) return 'Offline'
  if (status.text === 'Cancelling') return 'Cancelling'
  if (status.standsPaused) return 'Paused'
  if (status.pausing) return 'Pausing'
  if (status.printing) return 'Printing'
  return status.operational || status.ready ? 'Operational' : 'Offline'
}

/** A status as OctoPrint's API tells it; null for a printer that is not operational. */
export function octoStateOf(status: StatusReading | null): OctoPrinterState | null {
  const word = status === null ? 'Offline' : wordOf(status)
  if (status === null || word === 'Offline') return null
  const heaters = status.temperatures
    .filter(({ name }) => /^(tool\d{1,2}|bed|chamber)$/.test(name))
    .map(({ name, actual, target, offset }) => [name, { actual, target, offset }] as const)
  return {
    state: {
      text: word,
      flags: {
        operational: true,
        printing: word === 'Printing',
        pausing: word === 'Pausing',
        paused: word === 'Paused',
        cancelling: word === 'Cancelling',
        ready: word === 'Operational',
        error: false,
        closedOrError: false,
        sdReady: false,
      },
    },
    temperature: Object.fromEntries(heaters),
  }
}

/** What is being printed, as OctoPrint's API tells it. */
export function octoJobOf(status: StatusReading | null): OctoJobState {
  const name = status?.file['name']
  return {
    state: status === null ? 'Offline' : wordOf(status),
    job: { file: { name: typeof name === 'string' ? name : null } },
    progress: {
      completion: status?.completion ?? null,
      printTime: status?.elapsedS ?? null,
      printTimeLeft: status?.leftS ?? null,
    },
  }
}
