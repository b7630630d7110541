import type { Ctx } from '../../../ctx.ts'
import { writeEvent } from '../../core/events/index.ts'
import type { AlertState } from './alert.rules.ts'
import type { Watched } from '../watching/watched.queries.ts'
import type { PrintRow } from './alerts.queries.ts'

/** The picture that an alert is about. */
export interface AlertPicture {
  readonly container: 'tsd-pics'
  readonly path: string
}

/** What is told of a failing print, by the names of its texts. */
export type FailureCode =
  | 'failure_alerted'
  | 'failure_paused'
  | 'failure_found_paused'
  | 'pause_unconfirmed'
  | 'pause_agent_lost'

/** Alert columns of a print as the rules want them, on the clock of decisions. */
export function alertStateOf(print: PrintRow, scale: number): AlertState {
  const time = (date: Date | null) => date && date.getTime() * scale
  return {
    alertedAt: time(print.alertedAt),
    acknowledgedAt: time(print.alertAcknowledgedAt),
    pausedAt: time(print.pausedAt),
    mutedAt: time(print.alertMutedAt),
  }
}

/** The event of a failing print, in the caller's transaction. */
export async function writeFailure(
  ctx: Pick<Ctx, 'db' | 'jobs' | 'clock' | 'config'>,
  { userId, printerId, name }: Pick<Watched, 'userId' | 'printerId' | 'name'>,
  print: PrintRow,
  code: FailureCode,
  image: AlertPicture | null,
): Promise<void> {
  await writeEvent(ctx, {
    userId,
    printerId,
    printId: print.id,
    type: 'FAILURE_ALERTED',
    class: 'ERROR',
    code,
    params: { printer: name, file: print.filename },
    image,
  })
}
