import { toast } from '../../lib/toast.ts'
import type { PrinterEvent } from './merge.ts'

/** Has its own place on the screen, louder than a toast. */
const SHOWN_ELSEWHERE = new Set(['FAILURE_ALERTED'])

/** A printer's news as a toast; its text is shown as text, whatever it holds. */
export function showEvent({ title, text, kind, type }: PrinterEvent): void {
  if (type && SHOWN_ELSEWHERE.has(type)) return
  toast(
    text ?? '',
    kind === 'ERROR' || kind === 'WARNING' ? 'failed' : kind === 'SUCCESS' ? 'done' : 'info',
    title,
  )
}
