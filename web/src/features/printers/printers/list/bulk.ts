import type { Printer } from '@vigil/contract/printers/printers.ts'
import { mayControl } from '../../../../printer/rights.ts'
import { hasOpenAlert } from '../../../../printer/state.ts'
import { readStatus } from '../../../../printer/status.ts'
import type { TransitionName } from '../../../../printer/transition.ts'

export const BULK_ACTIONS = ['pause', 'resume', 'cancel'] as const
export type BulkAction = (typeof BULK_ACTIONS)[number]

export const TRANSITIONS: Record<BulkAction, TransitionName> = {
  pause: 'Pausing',
  resume: 'Resuming',
  cancel: 'Cancelling',
}

/** Whether the print of this printer can be paused, resumed or cancelled now. */
export function canTake(printer: Printer, action: BulkAction): boolean {
  const reading = readStatus(printer)
  if (!reading || !printer.current_print || !mayControl(printer)) return false
  if (action === 'cancel') return reading.printing || reading.paused
  return action === 'resume' ? reading.paused : reading.printing && !reading.paused
}

/** Those that take it, those that don't, and those where resuming also answers an alert. */
export function sortOut(printers: Printer[], action: BulkAction) {
  const able = printers.filter((printer) => canTake(printer, action))
  return {
    able,
    unable: printers.length - able.length,
    alerting: action === 'resume' ? able.filter(hasOpenAlert).length : 0,
  }
}

/** Runs `work` on all, a few at a time, in order. */
export async function eachFew<T>(
  items: T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items]
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await work(next)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
}
