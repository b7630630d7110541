import type { Printer } from '@vigil/contract/printers/printers.ts'
import { isOffline } from '../../../printer/state.ts'
import { readStatus } from '../../../printer/status.ts'

/** What a printer says until a print that was sent to it begins. */
const BEFORE: readonly string[] = ['Operational', 'G-Code Downloading', 'Downloading G-Code']

/** Whether a print that was sent has begun: the printer left what it says before, and not for a fault. */
export function beginningOf(printer: Printer, isLate: boolean): 'waiting' | 'begun' | 'failed' {
  const reading = readStatus(printer)
  if (isOffline(printer) || reading === null || reading.disconnected || reading.text === 'Error')
    return 'failed'
  if (!BEFORE.includes(reading.text ?? '')) return 'begun'
  // A download takes as long as the file is large.
  return isLate && reading.text === 'Operational' ? 'failed' : 'waiting'
}
