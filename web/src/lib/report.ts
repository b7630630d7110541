import { CallError } from './errors.ts'
import type { Reporting, Send } from './reporter.ts'

let sending: Promise<Send> | null = null

/**
 * Tells the operator's collector that something here broke. Where there is none it does nothing, and no code for it
 * was loaded. What the server refused is said to the person and is no failure of ours.
 */
export function report(error: unknown): void {
  if (!(error instanceof CallError)) void sending?.then((send) => send(error))
}

/** From now on failures are reported, those that nobody catches, too (contract/report.ts says what is told). */
export function startReports(reporting: Reporting): void {
  if (sending) return
  sending = import('./reporter.ts').then(({ openReporter }) => openReporter(reporting)).catch(() => () => {})
  window.addEventListener('error', ({ error }) => report(error))
  window.addEventListener('unhandledrejection', ({ reason }) => report(reason))
}
