import { isFields } from '@vigil/contract/fields.ts'
import type { Printer } from '@vigil/contract/printers/printers.ts'

/**
 * A printer's status after what it said of itself over its data channel; null where that changes nothing. Who is offline to the server
 * stays so here: nobody watches over what only this page hears.
 */
export function statusOf(held: Printer | undefined, said: unknown): Printer['status'] {
  const status = isFields(said) ? said['status'] : null
  if (!held?.status || !isFields(status)) return null
  const at = status['_ts']
  // Older than what the server has told already, as far as it says.
  if (typeof at === 'number' && at < held.status._ts) return null
  return { ...held.status, ...status, _ts: typeof at === 'number' ? at : held.status._ts }
}
