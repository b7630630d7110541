import type { Message } from './port.ts'

/** What a message offers: a page of ours, which asks before it does anything. */
export interface Button {
  readonly text: string
  readonly url: string
}

/** What a message offers, what helps most first; channels show them as buttons or as links. None where nobody knows our address. */
export function buttonsOf({ notice, links, say }: Pick<Message, 'notice' | 'links' | 'say'>): Button[] {
  const { kind, printPaused, hasFilm } = notice
  if (links === null || kind === 'Test') return []
  const to = (label: string, url: string): Button => ({ text: say(label), url })
  const { alert } = links
  if (kind === 'ChannelFailing') return [to('openChannels', links.printer)]
  if (kind === 'FirstLayerReport') return [to('openReport', links.open), to('openPrinter', links.printer)]
  if (kind !== 'PrintFailure')
    return [
      ...(alert ? [to('seen', alert.seen)] : []),
      kind === 'PrintDone' && hasFilm
        ? to('openPrint', links.open)
        : to(notice.others || notice.summary ? 'openPrinters' : 'openPrinter', links.printer),
      ...(links.feedback ? [to('giveFeedback', links.feedback)] : []),
    ]
  const look = to('look', links.open)
  const cancel = to('cancelPrint', links.cancel)
  if (printPaused)
    return [cancel, to('resumePrint', links.resume), to('resumeAndMute', links.resumeAndMute), look]
  return [...(alert ? [to('pausePrint', alert.pause), to('notFailure', alert.fine)] : []), cancel, look]
}

/** The same as lines of plain text. */
export const buttonLines = (buttons: readonly Button[]): string[] =>
  buttons.map(({ text, url }) => `${text}: ${url}`)
