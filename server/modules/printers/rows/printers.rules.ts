import { randomBytes } from 'node:crypto'
import type { PrinterWrite } from '@vigil/contract/printers/printers.ts'
import type { Printers } from '../../../engines/db/types.gen.ts'
import type { Updateable } from 'kysely'

/** A new agent token: 20 lower-case hex characters (docs/wire/agents.md 2.1), 80 random bits. */
export const newAuthToken = () => randomBytes(10).toString('hex')

/** What an owner writes, as columns. */
export function columnsOf(write: Partial<PrinterWrite>): Updateable<Printers> {
  const columns = {
    name: write.name,
    actionOnFailure: write.action_on_failure,
    watchingEnabled: write.watching_enabled,
    toolsOffOnPause: write.tools_off_on_pause,
    bedOffOnPause: write.bed_off_on_pause,
    retractOnPause: write.retract_on_pause,
    liftZOnPause: write.lift_z_on_pause,
    detectiveSensitivity: write.detective_sensitivity,
    minTimelapseSecsOnFinish: write.min_timelapse_secs_on_finish,
    minTimelapseSecsOnCancel: write.min_timelapse_secs_on_cancel,
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}
