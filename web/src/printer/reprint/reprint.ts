import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { Print } from '@vigil/contract/prints/prints.ts'
import type { Situation } from '../../lib/catalogue.ts'
import type { LocalFile } from '../driver/driver.ts'
import { agentCan } from '../driver/versions.ts'
import { isActive, isOffline } from '../state.ts'
import { readStatus } from '../status.ts'

/** Why a print cannot be started now, in the catalogue's words; null when it can (docs/rules/pages.md). */
export function notReady(printer: Printer, transition: string | null): Situation | null {
  const reading = readStatus(printer)
  if (isOffline(printer)) return 'notReadyOff'
  if (reading?.disconnected) return 'notReadyNotConnected'
  const isIdle = reading?.operational && reading.ready && !isActive(reading, transition)
  return isIdle && !printer.current_print ? null : 'notReadyBusy'
}

/** A file of the cloud, by its id: it is handed to the printer anew. */
export interface CloudFile {
  cloud: number
}

/**
 * Whether a print can be made again: from its file on the printer, or from the cloud's; that the agent is too old to be asked, or
 * null where nobody knows of a file (docs/wire/agents.md 7.2).
 */
export function reprintable(printer: Printer, print: Print): LocalFile | CloudFile | 'tooOld' | null {
  const file = print.g_code_file
  if (!file || file.deleted || !file.url) return null
  if (file.resident_printer === null) return agentCan(printer, 'printFiles') ? { cloud: file.id } : 'tooOld'
  const { id, url, filename, safe_filename, agent_signature } = file
  if (file.resident_printer !== printer.id || !agent_signature) return null
  if (!agentCan(printer, 'reprint')) return 'tooOld'
  return { id, url, filename, safe_filename, agent_signature }
}

/** What an agent's refusal means: both say the same sentence of a file that is gone, and of being busy. */
export function meaningOf(refusal: string): 'gone' | 'busy' | null {
  if (/modified|moved?|deleted?|not found/i.test(refusal)) return 'gone'
  return /busy/i.test(refusal) ? 'busy' : null
}
