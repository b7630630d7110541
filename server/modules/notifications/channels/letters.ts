import type { Feature } from '@vigil/contract/notifications.ts'
import { z } from 'zod'
import { type Text, text } from '../../../http/texts.ts'
import { defineMail, type MailBlock, type MailTemplate } from '../../mail/index.ts'
import { consequence, KINDS, whyNotWatched } from '../messages/index.ts'

const say = (key: string, params: Record<string, string | number | Text> = {}) =>
  text('notifications-server', key, params)

/** What a letter about a printer says, without what its frame knows. */
const schema = z.object({
  kind: z.enum([
    'PrintFailure',
    'NotWatching',
    'WatchingAgain',
    'PrintStarted',
    'PrintDone',
    'PrintCancelled',
    'PrintPaused',
    'PrintResumed',
    'FilamentChange',
    'HeaterTargetReached',
    'HeaterCooledDown',
    'Test',
  ]),
  code: z.string().nullable(),
  name: z.string(),
  printer: z.object({ id: z.int(), name: z.string(), pauseOnFailure: z.boolean() }),
  print: z.object({ id: z.int(), filename: z.string(), seconds: z.number().nullable() }),
  isWarning: z.boolean(),
  printPaused: z.boolean(),
  /** Something was alerted in this print; null when nobody watched. */
  hadAlert: z.boolean().nullable(),
  heater: z.object({ name: z.string(), actual: z.number(), target: z.number() }).nullable(),
  hasPicture: z.boolean(),
})
export type NoticeLetter = z.infer<typeof schema>

/** What the letter's HTML calls the picture that goes with it. */
export const PICTURE = 'picture'

function subjectOf({ kind, code, print, printer, isWarning, heater }: NoticeLetter) {
  const names = { file: print.filename, printer: printer.name, why: whyNotWatched(code) }
  if (kind === 'PrintFailure') return say(isWarning ? 'subjectFishy' : 'subjectFailing', names)
  if (heater !== null) {
    const degrees = Math.round(kind === 'HeaterTargetReached' ? heater.target : heater.actual)
    return say(`subject${kind}`, { ...names, heater: heater.name, degrees })
  }
  return say(code === 'print_lost' ? 'subjectPrintLost' : `subject${kind}`, names)
}

function sentence(letter: NoticeLetter, brand: string) {
  const { kind, code, print, printer, isWarning, heater } = letter
  const names = { file: print.filename, printer: printer.name, brand, why: whyNotWatched(code) }
  if (kind === 'PrintFailure') return say(isWarning ? 'failureFishy' : 'failureFailing', names)
  if (heater !== null) return say(kind, { ...names, heater: heater.name, actual: Math.round(heater.actual) })
  return say(code === 'print_lost' ? 'PrintLost' : kind, names)
}

/** Hours and minutes, as digits: the same in every language. */
const clock = (seconds: number) =>
  `${Math.floor(seconds / 3600)}:${String(Math.floor((seconds % 3600) / 60)).padStart(2, '0')} h`

type Link = (path: string) => string

/** What can be done about a failing print: each leads to a page that asks once more. */
function failureBlocks(letter: NoticeLetter, link: Link): MailBlock[] {
  const { print, printer, printPaused } = letter
  const of = `/prints/${print.id}`
  const open = { label: say('openPrinter'), href: link(`/printers/${printer.id}/control/`), quiet: true }
  const cancel = { label: say('cancelPrint'), href: link(`${of}/cancel/`) }
  const resume = [
    { label: say('resumePrint'), href: link(`${of}/resume/`), quiet: true },
    { label: say('resumeAndMute'), href: link(`${of}/resume/?mute_alert=true`), quiet: true },
  ]
  return [
    {
      kind: 'box',
      tone: printPaused ? 'warn' : 'bad',
      words: say(consequence(letter), { file: print.filename, printer: printer.name }),
    },
    { kind: 'buttons', buttons: [cancel, ...(printPaused ? resume : []), open] },
    { kind: 'list', title: say('isFailing'), items: [say('isFailingCancel'), say('isFailingCheck')] },
    {
      kind: 'list',
      title: say('notFailing'),
      items: [say(printPaused ? 'notFailingResume' : 'notFailingNothing'), say('notFailingSettings')],
    },
  ]
}

function endBlocks({ print, printer, hadAlert }: NoticeLetter): MailBlock[] {
  const facts: [ReturnType<typeof say>, string][] = [
    [say('factFile'), print.filename],
    [say('factPrinter'), printer.name],
  ]
  if (print.seconds !== null) facts.push([say('factDuration'), clock(print.seconds)])
  return [
    ...(hadAlert === null
      ? []
      : [
          {
            kind: 'box',
            tone: hadAlert ? 'warn' : 'good',
            words: say(hadAlert ? 'hadAlerts' : 'hadNoAlerts'),
          } as const,
        ]),
    { kind: 'facts', facts },
  ]
}

const hasEnded = ({ kind }: NoticeLetter) => kind === 'PrintDone' || kind === 'PrintCancelled'

function blocksOf(letter: NoticeLetter, link: Link): MailBlock[] {
  if (letter.kind === 'Test') return []
  const picture = { kind: 'picture', src: `cid:${PICTURE}`, alt: letter.print.filename } as const
  const open = { label: say('openPrinter'), href: link(`/printers/${letter.printer.id}/control/`) }
  return [
    ...(letter.hasPicture ? [picture] : []),
    ...(letter.kind === 'PrintFailure'
      ? failureBlocks(letter, link)
      : [...(hasEnded(letter) ? endBlocks(letter) : []), { kind: 'buttons', buttons: [open] } as const]),
  ]
}

const sample: NoticeLetter = {
  kind: 'PrintDone',
  code: 'print_finished',
  name: 'Maria',
  printer: { id: 7, name: 'Voron in the cellar', pauseOnFailure: true },
  print: { id: 41, filename: 'bracket_v3.gcode', seconds: 14_520 },
  isWarning: false,
  printPaused: false,
  hadAlert: false,
  heater: null,
  hasPicture: false,
}
const heater = { name: 'tool0', actual: 209.7, target: 210 }
const SAMPLES: Readonly<Record<string, Readonly<Record<string, NoticeLetter>>>> = {
  notify_on_failure_alert: {
    warned: { ...sample, kind: 'PrintFailure', code: 'failure_alerted', isWarning: true },
    paused: { ...sample, kind: 'PrintFailure', code: 'failure_paused', printPaused: true },
    test: { ...sample, kind: 'Test', code: null },
  },
  notify_on_not_watching: {
    lost: { ...sample, kind: 'NotWatching', code: 'picture_frozen' },
    again: { ...sample, kind: 'WatchingAgain', code: 'watching_again' },
  },
  notify_on_print_done: { usual: sample, alerted: { ...sample, hadAlert: true } },
  notify_on_print_cancelled: { usual: { ...sample, kind: 'PrintCancelled', code: 'print_cancelled' } },
  notify_on_filament_change: { usual: { ...sample, kind: 'FilamentChange', code: 'filament_change' } },
  notify_on_heater_status: { reached: { ...sample, kind: 'HeaterTargetReached', code: null, heater } },
  notify_on_print_start: { usual: { ...sample, kind: 'PrintStarted', code: 'print_started' } },
  notify_on_print_pause: { usual: { ...sample, kind: 'PrintPaused', code: 'print_paused' } },
  notify_on_print_resume: { usual: { ...sample, kind: 'PrintResumed', code: 'print_resumed' } },
}

/** A letter for each switch, so that one click takes its reader off that one. */
const LETTERS: ReadonlyMap<string, MailTemplate<NoticeLetter>> = new Map(
  Object.entries(SAMPLES).map(([feature, samples]) => [
    feature,
    defineMail<NoticeLetter>({
      name: feature.replace('notify_on_', 'printer-').replaceAll('_', '-'),
      schema,
      list: feature.replace('notify_on_', ''),
      samples,
      write: (letter, { brand, link }) => {
        const isTest = letter.kind === 'Test'
        const named = { brand: brand.display_name }
        return {
          subject: isTest ? say('testTitle', named) : subjectOf(letter),
          title: isTest ? say('testTitle', named) : sentence(letter, brand.display_name),
          blocks: [
            ...(letter.name === ''
              ? []
              : [{ kind: 'text', words: say('greeting', { name: letter.name }) } as const]),
            ...(isTest ? [{ kind: 'text', words: say('testText', named) } as const] : []),
            ...blocksOf(letter, link),
          ],
        }
      },
    }),
  ]),
)

/** The letter of a kind of notice. */
export function letterOf(kind: NoticeLetter['kind']): MailTemplate<NoticeLetter> {
  const feature: Feature = KINDS[kind].feature
  const letter = LETTERS.get(feature)
  if (letter === undefined) throw new Error(`there is no letter for ${feature}`)
  return letter
}
