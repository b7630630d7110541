import { whyLost } from '../../core/events/index.ts'
import en from '../../../../locales/en/tell/notifications.json' with { type: 'json' }
import zh from '../../../../locales/zh/tell/notifications.json' with { type: 'json' }
import { type Language, Text, text } from '../../../http/texts.ts'
import type { NamedPrint, Notice } from './notice.rules.ts'
import { problemText } from './problem.texts.ts'

/** How a channel writes: what it must escape, and what stands out. */
export interface Markup {
  readonly escape: (text: string) => string
  readonly bold: (text: string) => string
  readonly italic: (text: string) => string
  readonly underline: (text: string) => string
}

const same = (words: string) => words

/** Letters and nothing else. */
export const PLAIN: Markup = { escape: same, bold: same, italic: same, underline: same }

const escapeHtml = (words: string) => words.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** The tags that all channels with HTML know. */
export const HTML: Markup = {
  escape: escapeHtml,
  bold: (words) => `<b>${words}</b>`,
  italic: (words) => `<i>${words}</i>`,
  underline: (words) => `<u>${words}</u>`,
}

/** A message in somebody's language: a plain title, and lines with what stands out. */
export interface Words {
  readonly title: string
  readonly lines: readonly string[]
}

/** Why a print is not watched, in the words of its page; of a printer that is lost, what is known of it. */
export const whyNotWatched = (code: string | null, away?: Notice['away'] | null, escape = same): Text =>
  away ? whyLost(away.klipper, away.said && escape(away.said)) : text('why-server', code ?? 'unknown')

const say = (key: string, params: Record<string, string | number | Text>, language: Language) =>
  text('notifications-server', key, params).in(language)

/** The text of what is said of a failure after its first sentence. */
export function consequence({
  code,
  isWarning,
  printPaused,
  printer,
}: Pick<Notice, 'code' | 'isWarning' | 'printPaused'> & {
  readonly printer: Pick<Notice['printer'], 'pauseOnFailure'>
}): string {
  if (printPaused) return 'failurePaused'
  if (code === 'pause_unconfirmed' || code === 'pause_agent_lost') return code
  if (!printer.pauseOnFailure) return 'failureTellOnly'
  return isWarning ? 'failureNotPaused' : 'failureStillOn'
}

/** When something was, on the clocks of who is told: `Sun 23:41`. */
function timeOf(at: number, timeZone: string, language: Language): string {
  const shape = { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone } as const
  return new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-GB', shape).format(at)
}

/** What was held back, a line each. */
function summaryWords(
  { count, items, timeZone }: NonNullable<Notice['summary']>,
  { language, brand, markup }: Telling,
): Words {
  const lines = items.map(({ at, notice }) => {
    const what = wordsOf(notice, { language, brand, markup }).lines.join(' ')
    return say('summaryLine', { time: timeOf(at, timeZone, language), what }, language)
  })
  const more = count > items.length ? [say('summaryMore', { count: count - items.length }, language)] : []
  return {
    title: say('summaryTitle', { brand, count }, language),
    lines: [say('summaryLead', {}, language), ...more, ...lines],
  }
}

/** What is told of several prints at once, each with its line. */
function severalWords(
  notice: Notice,
  others: readonly NamedPrint[],
  { language, brand, markup }: Telling,
): Words {
  const { kind, code } = notice
  const all = [notice, ...others]
  const lines = all.slice(0, NAMED_MOST).map(({ print, printer }) => {
    const file = markup.bold(markup.escape(print.filename.slice(0, 200)))
    return say(
      'namedPrint',
      { file, printer: markup.italic(markup.escape(printer.name.slice(0, 100))) },
      language,
    )
  })
  const more = all.length - lines.length
  const said = { brand, count: all.length, why: whyNotWatched(code) }
  return {
    title: say(kind === 'NotWatching' ? 'notWatchingTitle' : 'noticeTitle', { brand }, language),
    lines: [
      say(`${kind}Several`, said, language),
      ...lines,
      ...(more > 0 ? [say('namedMore', { count: more }, language)] : []),
    ],
  }
}
/** So many prints are named. */
const NAMED_MOST = 20

/** That a channel takes no messages, and why. */
function channelWords(
  { name, problem }: NonNullable<Notice['channel']>,
  { language, brand, markup }: Telling,
): Words {
  const said = problemText(problem)
  const words = said instanceof Text ? said.in(language) : said
  const why = markup.escape(words.endsWith('.') || words.endsWith('。') ? words.slice(0, -1) : words)
  const channel = CHANNEL_NAMES[language][name]?.name ?? name
  return {
    title: say('channelTitle', { brand, channel }, language),
    lines: [
      say(
        why === '' ? 'ChannelSilent' : 'ChannelFailing',
        { brand, channel: markup.bold(channel), why },
        language,
      ),
      say('channelMeanwhile', { brand }, language),
    ],
  }
}

const CHANNEL_NAMES: Readonly<Record<Language, Readonly<Record<string, { readonly name: string }>>>> = {
  en: en.channel,
  zh: zh.channel,
}

interface Telling {
  readonly language: Language
  readonly brand: string
  readonly markup: Markup
}

/** The words of a notice. Names are strangers' text: cut, escaped, and marked as the channel does. */
export function wordsOf(notice: Notice, { language, brand, markup }: Telling): Words {
  const { kind, print, printer, heater, code, firstLayer, summary } = notice
  if (summary !== undefined) return summaryWords(summary, { language, brand, markup })
  if (notice.channel !== undefined) return channelWords(notice.channel, { language, brand, markup })
  if (kind === 'Test')
    return { title: say('testTitle', { brand }, language), lines: [say('testText', { brand }, language)] }
  const names = {
    file: markup.bold(markup.escape(print.filename.slice(0, 200))),
    printer: markup.italic(markup.escape(printer.name.slice(0, 100))),
  }
  if (kind === 'PrintFailure')
    return {
      title: say('failureTitle', { brand }, language),
      lines: [
        say(notice.isWarning ? 'failureFishy' : 'failureFailing', names, language),
        say(consequence(notice), names, language),
      ],
    }
  if (notice.others !== undefined) return severalWords(notice, notice.others, { language, brand, markup })
  const title = say('noticeTitle', { brand }, language)
  if (heater !== null) {
    const more = { heater: markup.bold(markup.escape(heater.name)), actual: Math.round(heater.actual) }
    return { title, lines: [say(kind, { ...names, ...more }, language)] }
  }
  if (kind === 'NotWatching' || kind === 'WatchingAgain') {
    const why = whyNotWatched(code, notice.away, markup.escape)
    const isLost = code === 'printer_lost'
    const ours = isLost ? 'interruptedTitle' : 'notWatchingTitle'
    return {
      title: kind === 'NotWatching' ? say(ours, { brand }, language) : title,
      lines: [say(isLost ? 'PrintInterrupted' : kind, { ...names, brand, why }, language)],
    }
  }
  if (firstLayer !== undefined) return { title, lines: [say(kind, { ...names, ...firstLayer }, language)] }
  return { title, lines: [say(code === 'print_lost' ? 'PrintLost' : kind, names, language)] }
}
