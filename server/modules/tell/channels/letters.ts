import { type Feature, noticeKind } from '@vigil/contract/tell/notifications.ts'
import { z } from 'zod'
import { type Text, text } from '../../../http/texts.ts'
import { LOW_HOURS } from '../../shop/hours/index.ts'
import { defineMail, type MailBlock, type MailFrame, type MailTemplate } from '../../people/mail/index.ts'
import { CHANNELS_PAGE, consequence, feedbackPath, KINDS, whyNotWatched } from '../messages/index.ts'
import { clock, foundBlock, watchedFact } from './letters.over.ts'

const say = (key: string, params: Record<string, string | number | Text> = {}) =>
  text('notifications-server', key, params)

/** What a letter about a printer says, without what its frame knows. */
const schema = z.object({
  kind: noticeKind,
  code: z.string().nullable(),
  name: z.string(),
  printer: z.object({ id: z.int(), name: z.string(), pauseOnFailure: z.boolean() }),
  print: z.object({ id: z.int(), filename: z.string(), seconds: z.number().nullable() }),
  isWarning: z.boolean(),
  printPaused: z.boolean(),
  /** Something was alerted in this print. */
  hadAlert: z.boolean(),
  /** Of a print that is over: seconds watched, and why the others were not; null where nobody knows. */
  watched: z
    .object({ seconds: z.number(), unseen: z.array(z.string()) })
    .nullable()
    .default(null),
  heater: z.object({ name: z.string(), actual: z.number(), target: z.number() }).nullable(),
  hasPicture: z.boolean(),
  /** There is a time-lapse to be watched. */
  hasFilm: z.boolean().default(false),
  /** What can still be said of a print that is over. */
  asks: z.enum(['pictures', 'verdict']).nullable().default(null),
  /** Of AI detection: what a print has used, what is left; null where hours don't count. */
  hours: z.object({ used: z.number(), left: z.number() }).nullable().default(null),
  /** The row of the links that work without sign-in; null where there are none. */
  linkId: z.string().nullable().default(null),
  firstLayer: z.object({ score: z.number(), grade: z.string() }).nullable().default(null),
  away: z.object({ klipper: z.string().nullable(), said: z.string().nullable() }).nullable().default(null),
  /** What a summary says: its title, and a line for each message. */
  summary: z
    .object({ title: z.string(), lines: z.array(z.string()) })
    .nullable()
    .default(null),
})
export type NoticeLetter = z.output<typeof schema>

/** What the letter's HTML calls the picture that goes with it. */
export const PICTURE = 'picture'

/** What is said of a notice: codes that say more than their kind have words of their own. */
const own = ({ kind, code }: NoticeLetter) =>
  code === 'print_lost' ? 'PrintLost' : code === 'printer_lost' ? 'PrintInterrupted' : kind

function subjectOf(letter: NoticeLetter) {
  const { kind, code, away, print, printer, isWarning, heater, firstLayer, summary } = letter
  const names = { file: print.filename, printer: printer.name, why: whyNotWatched(code, away) }
  if (summary !== null) return summary.title
  if (firstLayer !== null) return say('subjectFirstLayerReport', { ...names, ...firstLayer })
  if (kind === 'PrintFailure') return say(isWarning ? 'subjectFishy' : 'subjectFailing', names)
  if (heater !== null) {
    const degrees = Math.round(kind === 'HeaterTargetReached' ? heater.target : heater.actual)
    return say(`subject${kind}`, { ...names, heater: heater.name, degrees })
  }
  return say(`subject${own(letter)}`, names)
}

function sentence(letter: NoticeLetter, brand: string) {
  const { kind, code, away, print, printer, isWarning, heater, firstLayer, summary } = letter
  const names = { file: print.filename, printer: printer.name, brand, why: whyNotWatched(code, away) }
  if (summary !== null) return summary.title
  if (firstLayer !== null) return say(kind, { ...names, ...firstLayer })
  if (kind === 'PrintFailure') return say(isWarning ? 'failureFishy' : 'failureFailing', names)
  if (heater !== null) return say(kind, { ...names, heater: heater.name, actual: Math.round(heater.actual) })
  return say(own(letter), names)
}

type Frame = Pick<MailFrame, 'link' | 'token'>

/** What can be done about a failing print: each leads to a page that asks once more. */
function failureBlocks(letter: NoticeLetter, { link, token }: Frame): MailBlock[] {
  const { print, printer, printPaused, linkId } = letter
  const of = `/prints/${print.id}`
  const ofAlert = linkId === null ? null : `/alerts/${token(linkId)}/`
  const open = ofAlert
    ? { label: say('look'), href: link(ofAlert), quiet: true }
    : { label: say('openPrinter'), href: link(`/printers/${printer.id}/control/`), quiet: true }
  const cancel = {
    label: say('cancelPrint'),
    href: link(`${of}/cancel/`),
    quiet: !printPaused && ofAlert !== null,
  }
  const going = ofAlert
    ? [
        { label: say('pausePrint'), href: link(`${ofAlert}pause/`) },
        { label: say('notFailure'), href: link(`${ofAlert}fine/`), quiet: true },
      ]
    : []
  const resume = [
    { label: say('resumePrint'), href: link(`${of}/resume/`), quiet: true },
    { label: say('resumeAndMute'), href: link(`${of}/resume/?mute_alert=true`), quiet: true },
  ]
  const buttons = printPaused ? [cancel, ...resume, open] : [...going, open, cancel]
  const notFailing = printPaused ? 'notFailingResume' : ofAlert ? 'notFailingTeach' : 'notFailingNothing'
  return [
    {
      kind: 'box',
      tone: printPaused ? 'warn' : 'bad',
      words: say(consequence(letter), { file: print.filename, printer: printer.name }),
    },
    { kind: 'buttons', buttons },
    ...(ofAlert && !printPaused ? [{ kind: 'text', words: say('linksOpen'), soft: true } as const] : []),
    { kind: 'list', title: say('isFailing'), items: [say('isFailingCancel'), say('isFailingCheck')] },
    { kind: 'list', title: say('notFailing'), items: [say(notFailing), say('notFailingSettings')] },
  ]
}

function layerBlocks({ print, printer, firstLayer }: NoticeLetter): MailBlock[] {
  if (firstLayer === null) return []
  const isGood = firstLayer.grade === 'A' || firstLayer.grade === 'B'
  return [
    { kind: 'box', tone: isGood ? 'good' : 'warn', words: say(isGood ? 'firstLayerGood' : 'firstLayerBad') },
    {
      kind: 'facts',
      facts: [
        [say('factFile'), print.filename],
        [say('factPrinter'), printer.name],
        [say('factGrade'), firstLayer.grade],
        [say('factScore'), String(Math.round(firstLayer.score))],
      ],
    },
  ]
}

const rounded = (hours: number) => String(Math.round(hours * 10) / 10)

function hourBlocks(hours: NoticeLetter['hours']): MailBlock[] {
  if (hours === null || hours.left >= LOW_HOURS) return []
  const isOut = hours.left < 0
  return [{ kind: 'box', tone: isOut ? 'bad' : 'warn', words: say(isOut ? 'hoursOut' : 'hoursLow') }]
}

function endBlocks(letter: NoticeLetter): MailBlock[] {
  const { print, printer, hours, asks } = letter
  const facts: [Text, string | Text][] = [
    [say('factFile'), print.filename],
    [say('factPrinter'), printer.name],
  ]
  if (print.seconds !== null) facts.push([say('factDuration'), clock(print.seconds)])
  const fact = watchedFact(letter)
  if (fact !== null) facts.push(fact)
  if (hours !== null)
    facts.push([say('factHoursUsed'), rounded(hours.used)], [say('factHoursLeft'), rounded(hours.left)])
  return [
    ...foundBlock(letter),
    { kind: 'facts', facts },
    ...hourBlocks(hours),
    ...(asks === null ? [] : [{ kind: 'text', words: say(`asks_${asks}`) } as const]),
    ...(asks === 'pictures' && hours !== null
      ? [{ kind: 'text', words: say('asksEarn'), soft: true } as const]
      : []),
  ]
}

const hasEnded = ({ kind }: NoticeLetter) => kind === 'PrintDone' || kind === 'PrintCancelled'

function blocksOf(letter: NoticeLetter, { link, token }: Frame): MailBlock[] {
  const { kind, print, printer, summary, linkId } = letter
  if (kind === 'Test') return []
  // Who has seen it is told no further (docs/wire/tell.md 7).
  const seen =
    linkId === null ? [] : [{ label: say('seen'), href: link(`/alerts/${token(linkId)}/seen/`), quiet: true }]
  if (summary !== null)
    return [
      { kind: 'text', words: summary.lines[0] ?? '' },
      { kind: 'list', items: summary.lines.slice(1) },
      {
        kind: 'buttons',
        buttons: [
          kind === 'ChannelFailing'
            ? { label: say('openChannels'), href: link(CHANNELS_PAGE) }
            : { label: say('openPrinters'), href: link('/printers/') },
          ...seen,
        ],
      },
    ]
  const picture = { kind: 'picture', src: `cid:${PICTURE}`, alt: print.filename } as const
  const report = `/first_layer_inspection_images/?print_id=${print.id}`
  const open = letter.firstLayer
    ? { label: say('openReport'), href: link(report) }
    : letter.hasFilm
      ? { label: say('openPrint'), href: link(`/prints/${print.id}/`) }
      : { label: say('openPrinter'), href: link(`/printers/${printer.id}/control/`) }
  const feedback =
    letter.asks === null
      ? []
      : [{ label: say('giveFeedback'), href: link(feedbackPath(print.id, letter.asks)), quiet: true }]
  const rest = hasEnded(letter) ? endBlocks(letter) : layerBlocks(letter)
  return [
    ...(letter.hasPicture ? [picture] : []),
    ...(kind === 'PrintFailure'
      ? failureBlocks(letter, { link, token })
      : [...rest, { kind: 'buttons', buttons: [open, ...seen, ...feedback] } as const]),
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
  watched: { seconds: 14_510, unseen: [] },
  heater: null,
  hasPicture: true,
  hasFilm: false,
  asks: null,
  hours: null,
  linkId: null,
  firstLayer: null,
  away: null,
  summary: null,
}
const failing: NoticeLetter = { ...sample, kind: 'PrintFailure', linkId: 'of a sample' }
const summary = {
  title: 'Vigil: 2 messages',
  lines: [
    'This happened meanwhile:',
    'Sun 23:41 bracket_v3.gcode is ready on Voron.',
    'Mon 02:15 benchy.gcode is ready on Ender.',
  ],
}
const heater = { name: 'tool0', actual: 209.7, target: 210 }
const SAMPLES: Readonly<Record<string, Readonly<Record<string, NoticeLetter>>>> = {
  notify_on_failure_alert: {
    warned: { ...failing, code: 'failure_alerted', isWarning: true },
    failing: { ...failing, code: 'pause_unconfirmed' },
    paused: { ...failing, code: 'failure_paused', printPaused: true },
    test: { ...sample, kind: 'Test', code: null },
  },
  notify_on_not_watching: {
    lost: { ...sample, kind: 'NotWatching', code: 'picture_frozen', linkId: 'of a sample' },
    again: { ...sample, kind: 'WatchingAgain', code: 'watching_again' },
  },
  notify_on_print_done: {
    usual: { ...sample, hasFilm: true, asks: 'pictures' },
    partly: { ...sample, watched: { seconds: 9_120, unseen: ['picture_dark', 'agent_lost'] } },
    unwatched: { ...sample, watched: { seconds: 0, unseen: ['disabled'] } },
    alerted: { ...sample, hadAlert: true, asks: 'verdict', hours: { used: 4.03, left: 6.5 } },
    'first-layer': { ...sample, kind: 'FirstLayerReport', code: null, firstLayer: { score: 34, grade: 'D' } },
    summary: { ...sample, kind: 'Summary', code: null, hasPicture: false, summary },
  },
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
      write: (letter, { brand, link, token }) => {
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
            ...blocksOf(letter, { link, token }),
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
