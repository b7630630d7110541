import type { Message } from './port.ts'

/** What a message offers: a page of ours, which asks before it does anything. */
export interface Button {
  readonly text: string
  readonly url: string
}

/** What an alert offers, what helps most first; every other message leads to its printer. None where nobody knows our address. */
export function buttonsOf({ notice, links, say }: Pick<Message, 'notice' | 'links' | 'say'>): Button[] {
  if (links === null) return []
  const open = { text: say('openPrinter'), url: links.printer }
  const cancel = { text: say('cancelPrint'), url: links.cancel }
  const { kind, printPaused, isWarning, printer } = notice
  if (kind !== 'PrintFailure') return kind === 'Test' ? [] : [open]
  if (printPaused)
    return [
      cancel,
      { text: say('resumePrint'), url: links.resume },
      { text: say('resumeAndMute'), url: links.resumeAndMute },
      open,
    ]
  return isWarning && printer.pauseOnFailure ? [cancel, open] : [open]
}
