import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { Ctx } from '../../../ctx.ts'
import { isUnacknowledged, pauseOutlook } from './alert.rules.ts'
import type { AlertSight } from './sights.queries.ts'
import { shouldWatchOf, type WatchFacts } from '../watching/watching.service.ts'

/** What an alert hangs on. */
interface AlertFacts extends Pick<WatchFacts, 'detectionHours'> {
  readonly printer: { watchingEnabled: boolean; actionOnFailure: string }
  readonly print: Record<
    'alertedAt' | 'alertAcknowledgedAt' | 'pausedAt' | 'alertMutedAt',
    Date | null
  > | null
  readonly alertSight: AlertSight | null
}

/** An alert that waits for an answer, on the wire: how sure we were, and what we will do by ourselves; else null. */
export function presentAlert(
  ctx: Ctx,
  { printer, print, detectionHours, alertSight }: AlertFacts,
): Printer['alert'] {
  if (print === null) return null
  const scale = ctx.config.DETECTION_TIME_SCALE
  const time = (date: Date | null) => date && date.getTime() * scale
  const state = {
    alertedAt: time(print.alertedAt),
    acknowledgedAt: time(print.alertAcknowledgedAt),
    pausedAt: time(print.pausedAt),
    mutedAt: time(print.alertMutedAt),
  }
  if (!isUnacknowledged(state)) return null
  const { watchingEnabled, actionOnFailure } = printer
  const { pause, from } = pauseOutlook(
    state,
    {
      now: ctx.clock.now() * scale,
      shouldWatch: shouldWatchOf({ watchingEnabled, detectionHours, print }),
      pauseOnFailure: actionOnFailure === 'PAUSE',
    },
    alertSight?.graceUntil ?? null,
  )
  return {
    normalized_p: alertSight?.normalizedP ?? null,
    pause,
    pause_from: from === null ? null : new Date(from / scale).toISOString(),
  }
}
