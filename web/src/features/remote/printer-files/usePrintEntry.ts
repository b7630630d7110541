import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { PrinterEntry } from '../../../printer/driver/driver.ts'
import { agentCan } from '../../../printer/driver/versions.ts'
import { notReady } from '../../../printer/reprint/reprint.ts'
import { useReprint } from '../../../printer/reprint/useReprint.tsx'
import { useTransition } from '../../../printer/useTransition.ts'
import { baseOf } from './entries.ts'

/** Prints a file where it lies on its printer: asked first. `print` answers whether the printer took it, `why` says why it can't now. */
export function usePrintEntry(printer: Printer) {
  const transition = useTransition(printer)
  const { reprint, busy } = useReprint(printer, transition, 'startFile')
  const print = ({ path, name, signature }: PrinterEntry): Promise<boolean> => {
    const isGuarded = signature !== null && agentCan(printer, 'reprint')
    const file = isGuarded
      ? { url: path, filename: name, safe_filename: baseOf(path), agent_signature: signature }
      : { path }
    return reprint({ filename: name }, file)
  }
  return { print, busy, why: notReady(printer, transition) }
}
