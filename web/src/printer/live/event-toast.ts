import { toast } from '../../lib/toast.ts'
import type { PrinterEvent } from './merge.ts'

/** Has its own place on the screen, louder than a toast. */
const SHOWN_ELSEWHERE = new Set(['FAILURE_ALERTED'])

const KINDS: Partial<Record<string, Parameters<typeof toast>[1]>> = {
  ERROR: 'failed',
  WARNING: 'warned',
  SUCCESS: 'done',
}

/** A printer's news as a toast; its text is shown as text, whatever it holds. */
export function showEvent({ title, text, kind, type }: PrinterEvent): void {
  if (type && SHOWN_ELSEWHERE.has(type)) return
  toast(text ?? '', (kind && KINDS[kind]) || 'info', title)
}
