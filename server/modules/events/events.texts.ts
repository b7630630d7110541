import en from '../../../locales/en/server.json' with { type: 'json' }
import zh from '../../../locales/zh/server.json' with { type: 'json' }
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

/** Title and text of an event in its reader's language (docs/wire/rest.md 2). */
export function eventTexts(event: EventWords, language: string): Texts {
  const known = event.code === null ? undefined : (TEXTS[language] ?? TEXTS['en'])?.[event.code]
  if (known === undefined) return { title: event.eventTitle ?? '', text: event.eventText ?? '' }
  const params = (event.params ?? {}) as EventParams
  return { title: fillIn(known.title, params), text: fillIn(known.text, params) }
}
