import { asEventText, plainEventText, safeEventText } from '@vigil/contract/core/event-text.ts'
import en from '../../../../locales/en/core/server.json' with { type: 'json' }
import zh from '../../../../locales/zh/core/server.json' with { type: 'json' }
import { type Language, type Text, text } from '../../../http/texts.ts'
import { type EventParams, fillIn } from './events.rules.ts'

interface Texts {
  readonly title: string
  readonly text: string
}

const TEXTS: Record<string, Record<string, Texts>> = { en: en.events, zh: zh.events }

/** An event as it is stored: a code with parameters, or the agent's own words. */
export interface EventWords {
  readonly code: string | null
  readonly params: unknown
  readonly eventTitle: string | null
  readonly eventText: string | null
}

interface Told extends Texts {
  /** The text as HTML that is harmless wherever it is shown. */
  readonly html: string
}

/** Why a print's printer is lost: what Klipper is, and the printer's own words, as text. */
export function whyLost(klipper: unknown, said: unknown): Text {
  const state = KLIPPER.find((one) => one === klipper)
  const why = text('why-server', state === undefined ? 'printer_lost' : `klipper_${state}`)
  return typeof said === 'string' ? text('why-server', 'in_words', { why, said }) : why
}
const KLIPPER = ['shutdown', 'error', 'startup', 'disconnected'] as const

/** Why a print is not watched is kept as a code, and said in the words of its page. */
function withWhy(params: EventParams, language: string): EventParams {
  const { why } = params
  if (typeof why !== 'string') return params
  const known: Language = language === 'zh' ? 'zh' : 'en'
  const words = why === 'printer_lost' ? whyLost(params['klipper'], params['said']) : text('why-server', why)
  return { ...params, why: words.in(known) }
}

/** Title and text of an event in its reader's language (docs/wire/rest.md 2). An agent's own text is HTML. */
export function eventTexts(event: EventWords, language: string): Told {
  const known = event.code === null ? undefined : (TEXTS[language] ?? TEXTS['en'])?.[event.code]
  if (known === undefined) {
    const own = event.eventText ?? ''
    return { title: event.eventTitle ?? '', text: plainEventText(own), html: safeEventText(own) }
  }
  const params = withWhy((event.params ?? {}) as EventParams, language)
  const text = fillIn(known.text, params)
  return { title: fillIn(known.title, params), text, html: asEventText(text) }
}
