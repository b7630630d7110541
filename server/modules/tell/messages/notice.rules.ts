import { fieldsOf } from '@vigil/contract/fields.ts'
import type { Feature, NoticeKind } from '@vigil/contract/tell/notifications.ts'
import { NO_ID, type PrinterId, type PrintId } from '../../../lib/id.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import type { Orientation } from '../../../engines/outgoing/picture.ts'

/** A print and its printer, by their names. */
export interface NamedPrint {
  readonly printer: { readonly id: PrinterId; readonly name: string }
  readonly print: { readonly id: PrintId; readonly filename: string }
}

/** What somebody is told, as it was when it was decided. Times are milliseconds. */
export interface Notice {
  readonly kind: NoticeKind
  /** The text of the event, where it says more than the kind; of what is not watched, why (`WatchCode`). */
  readonly code: string | null
  readonly printer: {
    readonly id: PrinterId
    readonly name: string
    readonly pauseOnFailure: boolean
    readonly watchingEnabled: boolean
  }
  /** Id 0 when nothing is printed. */
  readonly print: {
    readonly id: PrintId
    readonly filename: string
    readonly startedAt: number | null
    readonly endedAt: number | null
    readonly alertedAt: number | null
    readonly alertOverwrite: string | null
  }
  /** The same is told of these prints of the owner's, too. */
  readonly others?: readonly NamedPrint[]
  readonly picture: MediaRef | null
  readonly orientation: Orientation
  readonly isWarning: boolean
  readonly printPaused: boolean
  readonly heater: {
    readonly name: string
    readonly actual: number
    readonly target: number
    readonly offset: number
  } | null
  /** Of a first layer: 0 to 100, and the letter that stands for it. */
  readonly firstLayer?: { readonly score: number; readonly grade: string }
  /** Of a printer that its agent has lost: what Klipper is, and a line in the printer's own words. */
  readonly away?: { readonly klipper: string | null; readonly said: string | null }
  /** What was held back, oldest first; `count` says how much it is where not all of it is named. */
  readonly summary?: { readonly count: number; readonly timeZone: string; readonly items: readonly Told[] }
  /** A channel that takes no messages, and why, as it is kept (`problemText`). */
  readonly channel?: { readonly name: string; readonly problem: string }
  /** Of a print that is over: seconds that it printed, how many of them were watched, and why (`WatchCode`) the others were not. */
  readonly over?: { readonly seconds: number; readonly watched: number; readonly unseen: readonly string[] }
  /** There is a time-lapse of the print. */
  readonly hasFilm?: boolean
  /** Of a print that is over: what its owner can still say of it, of pictures or of the whole. */
  readonly asks?: 'pictures' | 'verdict'
  /** Of a print that is over: its hours of AI detection, where they count. */
  readonly hours?: { readonly used: number; readonly left: number }
  /** Of an alert: the row of its links. */
  readonly linkId?: string
}

/** One line of a summary. */
export interface Told {
  readonly at: number
  readonly notice: Notice
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/**
 * How much a kind presses: an `alert` breaks quiet hours unless its owner wants it otherwise, and goes on to the next channels
 * while nobody answers; what is wanted `soon` waits for the end of quiet hours; `news` are for digests.
 */
type Urgency = 'alert' | 'soon' | 'news'

/** The switch of each kind, how long it is worth being told, and how much it presses. */
export const KINDS: Readonly<Record<NoticeKind, { feature: Feature; worthMs: number; urgency: Urgency }>> = {
  PrintFailure: { feature: 'notify_on_failure_alert', worthMs: HOUR, urgency: 'alert' },
  NotWatching: { feature: 'notify_on_not_watching', worthMs: HOUR, urgency: 'alert' },
  WatchingAgain: { feature: 'notify_on_not_watching', worthMs: HOUR, urgency: 'soon' },
  PrintStarted: { feature: 'notify_on_print_start', worthMs: HOUR, urgency: 'news' },
  PrintDone: { feature: 'notify_on_print_done', worthMs: 24 * HOUR, urgency: 'news' },
  PrintCancelled: { feature: 'notify_on_print_cancelled', worthMs: 24 * HOUR, urgency: 'news' },
  PrintPaused: { feature: 'notify_on_print_pause', worthMs: 6 * HOUR, urgency: 'news' },
  PrintResumed: { feature: 'notify_on_print_resume', worthMs: HOUR, urgency: 'news' },
  FilamentChange: { feature: 'notify_on_filament_change', worthMs: 6 * HOUR, urgency: 'soon' },
  HeaterTargetReached: { feature: 'notify_on_heater_status', worthMs: 15 * MINUTE, urgency: 'news' },
  HeaterCooledDown: { feature: 'notify_on_heater_status', worthMs: HOUR, urgency: 'news' },
  BedToClear: { feature: 'notify_on_print_done', worthMs: 12 * HOUR, urgency: 'soon' },
  FirstLayerReport: { feature: 'notify_on_print_done', worthMs: 6 * HOUR, urgency: 'soon' },
  ChannelFailing: { feature: 'notify_on_failure_alert', worthMs: 6 * HOUR, urgency: 'soon' },
  Summary: { feature: 'notify_on_print_done', worthMs: 6 * HOUR, urgency: 'soon' },
  Test: { feature: 'notify_on_failure_alert', worthMs: 5 * MINUTE, urgency: 'soon' },
}

/**
 * The switches of which one has to be on. Nobody wanted a lost print to end: who hears of done ones hears of it, too; and a bed has
 * to be cleared however the print on it has ended.
 */
export const featuresOf = ({ kind, code }: { kind: NoticeKind; code: string | null }): readonly Feature[] =>
  code === 'print_lost' || kind === 'BedToClear'
    ? ['notify_on_print_done', 'notify_on_print_cancelled']
    : [KINDS[kind].feature]

/** What breaks quiet hours here breaks them on a phone, too, and is called an alert. */
export const isAlert = ({ kind }: { readonly kind: NoticeKind }): boolean => KINDS[kind].urgency === 'alert'

/** Safety does not hang on the switch that turns all notifications off. */
export const ignoresMasterSwitch = (kind: NoticeKind): boolean =>
  kind === 'PrintFailure' || kind === 'ChannelFailing'

/** A notice that is of no printer. */
export const aboutNoPrint = (kind: NoticeKind): Notice => ({
  kind,
  code: null,
  printer: { id: NO_ID, name: '', pauseOnFailure: false, watchingEnabled: false },
  print: { id: NO_ID, filename: '', startedAt: null, endedAt: null, alertedAt: null, alertOverwrite: null },
  picture: null,
  orientation: { flipH: false, flipV: false, rotation: 0 },
  isWarning: false,
  printPaused: false,
  heater: null,
})

const ENDED: Readonly<Record<string, NoticeKind>> = {
  print_finished: 'PrintDone',
  print_cancelled: 'PrintCancelled',
  // Programs that hear of it must not take it for done.
  print_lost: 'PrintCancelled',
}
const BY_CODE: Readonly<Record<string, NoticeKind>> = {
  not_watching: 'NotWatching',
  print_interrupted: 'NotWatching',
  watching_again: 'WatchingAgain',
}
const BY_TYPE: Readonly<Record<string, NoticeKind>> = {
  STARTED: 'PrintStarted',
  PAUSED: 'PrintPaused',
  RESUMED: 'PrintResumed',
  FILAMENT_CHANGE: 'FilamentChange',
}

/** Why several prints are not watched at once: one cause is told in one message (docs/wire/tell.md 7). */
const SHARED: ReadonlySet<string | null> = new Set([
  'detector_down',
  'disk_full',
  'database_down',
  'server_down',
  'agent_lost',
])

/** For how long the prints of one owner are gathered of which the same is told; 0: each is told by itself, at once. */
export function gatheredMs({ kind, code }: Pick<Notice, 'kind' | 'code'>): number {
  if (kind === 'WatchingAgain') return 30_000
  return kind === 'NotWatching' && SHARED.has(code) ? 6_000 : 0
}

/** What an event is told as; null: it stands in the feed alone. */
export function kindOf({ type, code }: { type: string; code: string | null }): NoticeKind | null {
  // An agent's own word on a failure is no decision of ours.
  if (type === 'FAILURE_ALERTED') return code === null ? null : 'PrintFailure'
  if (type === 'ENDED') return ENDED[code ?? ''] ?? null
  return BY_CODE[code ?? ''] ?? BY_TYPE[type] ?? null
}

/** A failure is a warning, or acted upon: whether the printer was paused. */
export function severityOf(code: string | null): { isWarning: boolean; printPaused: boolean } {
  return {
    isWarning: code === 'failure_alerted',
    printPaused: code === 'failure_paused' || code === 'failure_found_paused',
  }
}

/** How the first camera hangs, from what an agent has told of it. */
export function orientationOf(settings: unknown): Orientation {
  const { webcams } = fieldsOf(settings)
  const first = fieldsOf(Array.isArray(webcams) ? webcams[0] : null)
  const rotation = Number(first['rotation'] ?? 0)
  return {
    flipH: first['flipH'] === true,
    flipV: first['flipV'] === true,
    rotation: rotation === 90 || rotation === 180 || rotation === 270 ? rotation : 0,
  }
}

/** Where somebody looks after their channels. */
export const CHANNELS_PAGE = '/user_preferences/general_notifications/'

/** Where somebody says of a print what they see. */
export const feedbackPath = (printId: number, asks: NonNullable<Notice['asks']>): string =>
  asks === 'pictures' ? `/prints/shot-feedback/${printId}/` : `/prints/${printId}/`

export const isUpright = ({ flipH, flipV, rotation }: Orientation): boolean =>
  !flipH && !flipV && rotation === 0
