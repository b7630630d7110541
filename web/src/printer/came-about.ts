import { listPrinterEvents } from '@vigil/contract/core/events.ts'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { call } from '../lib/call.ts'
import { serverNow } from '../lib/clock.ts'
import { isAmong, LEAVES, patienceMs, type Transition } from './transition.ts'

const NEWEST = 100

/**
 * Whether what was awaited has happened, though the printer does not say so now: nobody may have looked while it did, and it
 * may be over. What cannot be asked is not held against the printer.
 */
export async function cameAbout(printer: Printer, { name, until }: Transition): Promise<boolean> {
  const begun = until - patienceMs(printer.agent_name, printer.agent_version) + (serverNow() - Date.now())
  const query = { filter_by_types: [...LEAVES[name]], start: 0, limit: NEWEST }
  const events = await call(listPrinterEvents, { query }).catch(() => null)
  return events === null || isAmong(events, printer.id, name, begun)
}
