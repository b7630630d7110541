/** The states of printers of both flavours, as their agents tell them, and what of each is told. */
export const WORDS = "MCU 'mcu' shutdown: <b>Timer</b> too close\nOnce the underlying issue is corrected …"

type Answers = (func: string) => object
const klipperIs =
  (state: string, words = ''): Answers =>
  (func) =>
    func === 'server/info'
      ? { ret: { klippy_state: state } }
      : state === 'disconnected'
        ? { error: 'Error in calling' }
        : { ret: { status: { webhooks: { state, state_message: words } } } }

/** What a printer does in a moment, as its agent tells it. */
export interface State {
  readonly says: Record<string, unknown> | null
  readonly answers?: Answers
  readonly does?: 'left' | 'mute' | 'brief'
}
const flags = (on: string[]) => Object.fromEntries(on.map((name) => [name, true]))
export const octo = (text: string, on: string[], more = {}): State => ({
  says: { state: { text, flags: flags(on), ...more } },
})
const GONE: State = { says: null, does: 'left' }
const MUTE: State = { says: null, does: 'mute' }
/** The line is away for 15 s. */
const BRIEF = (says: State['says']): State => ({ says, does: 'brief' })
export const PRINTING = octo('Printing', ['operational', 'printing'])

export const OCTOPRINT: Record<string, State> = {
  Printing: octo('Printing', ['operational', 'printing', 'ready']),
  Pausing: octo('Pausing', ['operational', 'printing', 'pausing']),
  Paused: octo('Paused', ['operational', 'paused']),
  Cancelling: octo('Cancelling', ['operational', 'printing', 'cancelling']),
  Operational: octo('Operational', ['operational', 'ready']),
  Error: octo('Error', ['error', 'closedOrError'], { error: 'Too many consecutive timeouts' }),
  Offline: octo('Offline', ['closedOrError']),
  left: GONE,
  mute: MUTE,
  'away for 15 s': BRIEF(PRINTING.says),
}
export const KLIPPER: Record<string, State> = {
  Printing: PRINTING,
  Pausing: octo('Pausing', ['operational']),
  Paused: octo('Paused', ['operational', 'paused']),
  Downloading: octo('G-Code Downloading', []),
  Operational: octo('Operational', ['operational', 'ready']),
  shutdown: { says: {}, answers: klipperIs('shutdown', WORDS) },
  error: { says: {}, answers: klipperIs('error', 'Option x is not valid') },
  disconnected: { says: {}, answers: klipperIs('disconnected') },
  'gone without a word': { says: {} },
  left: GONE,
  mute: MUTE,
  'away for 15 s': BRIEF(PRINTING.says),
}
export const MOMENTS = ['idle', 'printing', 'paused'] as const
export type Moment = (typeof MOMENTS)[number]

/** What is told, where it is anything. */
export const TOLD: Record<string, string> = {
  'octoprint printing Pausing': 'not_watching no_picture',
  'octoprint printing Cancelling': 'not_watching no_picture',
  'octoprint paused Pausing': 'not_watching no_picture',
  'octoprint paused Cancelling': 'not_watching no_picture',
}
for (const moment of ['printing', 'paused']) {
  TOLD[`octoprint ${moment} Operational`] = 'print_interrupted printer_lost'
  TOLD[`octoprint ${moment} Error`] = 'print_interrupted printer_lost Too many consecutive timeouts'
  TOLD[`octoprint ${moment} Offline`] = 'print_interrupted printer_lost'
  TOLD[`klipper ${moment} Operational`] = 'print_interrupted printer_lost'
  TOLD[`klipper ${moment} shutdown`] =
    "print_interrupted printer_lost shutdown MCU 'mcu' shutdown: <b>Timer</b> too close"
  TOLD[`klipper ${moment} error`] = 'print_interrupted printer_lost error Option x is not valid'
  TOLD[`klipper ${moment} disconnected`] = 'print_interrupted printer_lost disconnected'
  TOLD[`klipper ${moment} gone without a word`] = 'print_interrupted printer_lost'
}
for (const flavour of ['octoprint', 'klipper']) {
  TOLD[`${flavour} printing left`] = 'not_watching agent_lost'
  TOLD[`${flavour} printing mute`] = 'not_watching agent_mute'
}
