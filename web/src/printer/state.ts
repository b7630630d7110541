import type { Printer, PrinterAway } from '@vigil/contract/printers/printers.ts'
import type { Shape, Tone } from '../ui/StatusMark.tsx'
import { ms } from '../lib/format.ts'
import type { TabSign } from '../lib/tab-icon.ts'
import { readStatus, type StatusReading } from './status.ts'

/** The words we know of; anything else an agent says is shown as it is. */
export const STATE_WORDS = [
  'Offline',
  'Operational',
  'Printing',
  'Paused',
  'G-Code Downloading',
  'Downloading G-Code',
  'Starting',
  'Pausing',
  'Resuming',
  'Cancelling',
  'Finishing',
  'Error',
] as const
export type StateWord = (typeof STATE_WORDS)[number]

/** What stands in the pill: one of ours, or an agent's own word. */
export type Word =
  | {
      known:
        | StateWord
        | 'waiting'
        | 'waitingAgain'
        | 'notResponding'
        | 'pausedByUs'
        | 'pausedByYou'
        | 'needsOwner'
        | 'disconnected'
        | `away_${NonNullable<PrinterAway['state']>}`
    }
  | { said: string }

export interface ShownState {
  word: Word
  shape: Shape
  tone: Tone
  /** An alert waits for an answer: said beside the word, and in place of its shape and tone. */
  alert: boolean
}
type Standing = Omit<ShownState, 'alert'>

/** Colour groups of docs/rules/pages.md 2, each with the shape of the look. */
const SHOWN: Record<StateWord, Omit<Standing, 'word'>> = {
  Offline: { shape: 'hollow', tone: 'quiet' },
  Operational: { shape: 'dot', tone: 'good' },
  Printing: { shape: 'ring', tone: 'accent' },
  Paused: { shape: 'bars', tone: 'warn' },
  'G-Code Downloading': { shape: 'ring', tone: 'accent' },
  'Downloading G-Code': { shape: 'ring', tone: 'accent' },
  Starting: { shape: 'ring', tone: 'accent' },
  Pausing: { shape: 'bars', tone: 'warn' },
  Resuming: { shape: 'bars', tone: 'warn' },
  Cancelling: { shape: 'bars', tone: 'bad' },
  Finishing: { shape: 'ring', tone: 'accent' },
  Error: { shape: 'cross', tone: 'bad' },
}

const isWord = (text: string): text is StateWord => (STATE_WORDS as readonly string[]).includes(text)

/** A state's word as it is shown: one of ours, else the agent's own. */
export const wordOf = (text: string): Word => (isWord(text) ? { known: text } : { said: text || '–' })

/** An alert newer than its last acknowledgement (docs/rules/watch.md 5). */
export function hasOpenAlert(printer: Printer): boolean {
  const print = printer.current_print
  const alerted = ms(print?.alerted_at)
  return alerted !== null && alerted > (ms(print?.alert_acknowledged_at) ?? 0)
}

/** Who has the print stand still that an open alert is about; null: it goes on, or nobody knows. */
function pausedBy(printer: Printer): 'vigil' | 'owner' | null {
  if (!hasOpenAlert(printer) || readStatus(printer)?.paused !== true) return null
  return printer.current_print?.paused_by ?? null
}

/** An open alert whose pause was ours. */
export const isPausedByUs = (printer: Printer) => pausedBy(printer) === 'vigil'

/** What an open alert is about goes on: somebody has to stop it. */
export function isPrintingOn(printer: Printer): boolean {
  const reading = readStatus(printer)
  return hasOpenAlert(printer) && reading !== null && !reading.paused
}

/** When an open alert was raised, or the print paused for it, in ms: the one age of all that stands beside it. */
export function alertedSince(printer: Printer): number | null {
  const print = printer.current_print
  return ms(isPausedByUs(printer) ? print?.paused_at : print?.alerted_at)
}

/** Its agent will be there soon, or is and has not reported yet: that is not offline. */
export function isWaiting(printer: Printer): boolean {
  return !printer.status && printer.agent.state === 'waiting' && !printer.agent.away
}

/** Its agent is there and has no printer, or says nothing of one: what Klipper is and says, if that is known. */
export function awayOf({ status, agent }: Printer): Pick<PrinterAway, 'state' | 'message'> | null {
  if (status || (agent.state !== 'connected' && agent.state !== 'waiting')) return null
  return agent.away ?? (agent.state === 'connected' ? { state: null, message: null } : null)
}

/** The server was restarted and the printer's agent has not come back yet. */
export const isAfterRestart = (printer: Printer) => isWaiting(printer) && printer.agent.after_restart === true

/** No status to go by: off, gone, or never heard of. */
export function isOffline(printer: Printer): boolean {
  return !printer.status
}

/** A word for what lies between two states. */
const isOnItsWay = (text: string) => text.endsWith('ing') && text !== 'Printing'

/** Operational and busy, or on its way from one state to another (docs/rules/pages.md 2). */
export function isActive(reading: StatusReading | null, transition: string | null): boolean {
  if (transition) return true
  if (!reading) return false
  if (isOnItsWay(reading.text)) return true
  return reading.operational && (!reading.ready || reading.paused)
}

/** Between two states: no command to the print is taken until it has arrived. */
export function isChanging(reading: StatusReading | null, transition: string | null): boolean {
  if (transition !== null) return true
  if (!reading || !isActive(reading, null)) return false
  // OctoPrint still says that it prints while it pauses, resumes or cancels (docs/wire/agents.md 5).
  return isOnItsWay(reading.text) || !(reading.paused || reading.printing)
}

/** How a printer stands, and whether an alert is open: two things, and neither hides the other. */
export function shownState(printer: Printer, transition: string | null): ShownState {
  const standing = standingOf(printer, transition)
  if (!hasOpenAlert(printer)) return { ...standing, alert: false }
  return { word: standing.word, shape: 'triangle', tone: 'bad', alert: true }
}

function standingOf(printer: Printer, transition: string | null): Standing {
  const reading = readStatus(printer)
  if (!reading) {
    if (isAfterRestart(printer)) return { word: { known: 'waitingAgain' }, shape: 'hollow', tone: 'accent' }
    if (isWaiting(printer)) return { word: { known: 'waiting' }, shape: 'hollow', tone: 'accent' }
    const away = awayOf(printer)
    if (away) return { word: { known: away.state ? `away_${away.state}` : 'disconnected' }, ...SHOWN.Error }
    return { word: { known: 'Offline' }, ...SHOWN.Offline }
  }
  if (printer.agent.state === 'not_responding')
    return { word: { known: 'notResponding' }, shape: 'hollow', tone: 'warn' }
  if (transition && isWord(transition)) return { word: { known: transition }, ...SHOWN[transition] }
  const by = pausedBy(printer)
  if (by !== null) return { word: { known: by === 'vigil' ? 'pausedByUs' : 'pausedByYou' }, ...SHOWN.Paused }
  if (reading.needsOwner) return { word: { known: 'needsOwner' }, shape: 'triangle', tone: 'warn' }
  if (reading.disconnected)
    return { word: { known: reading.error ? 'Error' : 'disconnected' }, ...SHOWN.Error }
  if (isWord(reading.text)) return { word: { known: reading.text }, ...SHOWN[reading.text] }
  return { word: { said: reading.text || '–' }, shape: 'ring', tone: 'accent' }
}

/** True when the owner should look first: an alert, a filament change, an error. */
export function needsOwner(printer: Printer): boolean {
  const reading = readStatus(printer)
  return (
    hasOpenAlert(printer) ||
    awayOf(printer)?.state != null ||
    reading?.needsOwner === true ||
    (reading?.disconnected === true && !!reading.error)
  )
}

/** What the tab's icon tells of these printers: whether an alert is open, and whether what it is about stands still. */
export function signOf(printers: readonly Printer[]): TabSign {
  const alerting = printers.filter(hasOpenAlert)
  const meant = alerting.length > 0 ? alerting : printers.length === 1 ? printers : []
  const paused = meant.length > 0 && meant.every((printer) => readStatus(printer)?.paused === true)
  return { alert: alerting.length > 0, paused }
}
