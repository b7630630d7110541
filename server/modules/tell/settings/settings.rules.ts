import type { Reach, SwitchesWrite } from '@vigil/contract/tell/notifications.ts'
import { aboutNoPrint, type Notice } from '../messages/notice.rules.ts'
import type { channelsInUse } from '../outbox/index.ts'
import { isFailing } from '../deliveries/reach.rules.ts'

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
export const TEST_NOTICE: Notice = aboutNoPrint('Test')

type ChannelInUse = Awaited<ReturnType<typeof channelsInUse>>[number]

/** Nothing has failed since it took a message. */
const works = (channel: ChannelInUse) => channel.acceptedAt !== null && !isFailing(channel)

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
    failing_since: isFailing(one) ? (one.refusedAt?.toISOString() ?? null) : null,
    refusal: isFailing(one) ? worded(one.refusal) : null,
  }))
  if (forAlerts.length === 0) return { reach: 'none', channels }
  if (forAlerts.some(works)) return { reach: 'works', channels }
  return { reach: forAlerts.every(isFailing) ? 'failing' : 'unproven', channels }
}
