import type { Reach, SwitchesWrite } from '@vigil/contract/notifications.ts'
import type { Notice } from '../messages/index.ts'

/** The switches that were sent, as columns. */
export function columnsOf(write: SwitchesWrite) {
  const columns = {
    enabled: write.enabled,
    notifyOnFailureAlert: write.notify_on_failure_alert,
    notifyOnNotWatching: write.notify_on_not_watching,
    notifyOnPrintDone: write.notify_on_print_done,
    notifyOnPrintCancelled: write.notify_on_print_cancelled,
    notifyOnFilamentChange: write.notify_on_filament_change,
    notifyOnHeaterStatus: write.notify_on_heater_status,
    notifyOnPrintStart: write.notify_on_print_start,
    notifyOnPrintPause: write.notify_on_print_pause,
    notifyOnPrintResume: write.notify_on_print_resume,
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

/** A test speaks of no printer. */
export const TEST_NOTICE: Notice = {
  kind: 'Test',
  code: null,
  printer: { id: 0, name: '', pauseOnFailure: false, watchingEnabled: false },
  print: { id: 0, filename: '', startedAt: null, endedAt: null, alertedAt: null, alertOverwrite: null },
  picture: null,
  orientation: { flipH: false, flipV: false, rotation: 0 },
  isWarning: false,
  printPaused: false,
  heater: null,
}

interface ChannelInUse {
  readonly name: string
  readonly notifyOnFailureAlert: boolean
  readonly acceptedAt: Date | null
  readonly refusedAt: Date | null
  readonly refusal: string | null
}

/** The last that was sent by it was accepted. */
const works = ({ acceptedAt, refusedAt }: ChannelInUse) =>
  acceptedAt !== null && (refusedAt === null || refusedAt <= acceptedAt)

/** Whether an alert would reach its owner by these channels; one alone is enough. `worded` says what was kept of a refusal. */
export function reachOf(
  inUse: readonly ChannelInUse[],
  worded: (kept: string | null) => string | null,
): Reach {
  const forAlerts = inUse.filter(({ notifyOnFailureAlert }) => notifyOnFailureAlert)
  const channels = inUse.map((one) => ({
    name: one.name,
    alerts: one.notifyOnFailureAlert,
    accepted_at: one.acceptedAt?.toISOString() ?? null,
    refused_at: one.refusedAt?.toISOString() ?? null,
    refusal: works(one) ? null : worded(one.refusal),
  }))
  if (forAlerts.length === 0) return { reach: 'none', channels }
  if (forAlerts.some(works)) return { reach: 'works', channels }
  return { reach: forAlerts.some(({ refusedAt }) => refusedAt === null) ? 'unproven' : 'failing', channels }
}
