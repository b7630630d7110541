import type { AgentAction } from '@vigil/contract/assistant/answers.ts'
import { type Language, text } from '../../../http/texts.ts'
import type { Limited } from './limits.ts'
import { settingOf, type Setting } from './table.ts'

type Params = Parameters<typeof text>[2]

/** A sentence of the assistant's in the reader's language. */
export const say = (language: Language, key: string, params: Params = {}): string =>
  text('assistant-server', key, params).in(language)

const NBSP = '\u00a0'

/** A value as people read it: with its unit, a switch in words. */
export function shown(language: Language, key: string, value: string): string {
  const setting = settingOf(key)
  if (setting === undefined) return value
  if (setting.type === 'flag') return say(language, value === '1' ? 'on' : 'off')
  if (setting.type === 'percent') return value.endsWith('%') ? value : `${value}%`
  return withUnit(setting, value)
}

const withUnit = ({ unit }: Setting, value: string) =>
  unit === '' ? value : unit === '%' || unit === '°' ? `${value}${unit}` : `${value}${NBSP}${unit}`

export const nameOf = (language: Language, key: string): string => settingOf(key)?.name[language] ?? key

/** The limits of a setting, as what is said of them needs it. */
export const limitWords = (language: Language, key: string, { by, least, most }: Limited) => ({
  who: say(language, `by.${by}`),
  least: shown(language, key, String(least)),
  most: shown(language, key, String(most)),
})

/** Why a value is not the one that was proposed. */
export const limitedText = (language: Language, key: string, limited: Limited): string =>
  say(language, 'limited', {
    ...limitWords(language, key, limited),
    who: say(language, `limitedBy.${limited.by}`),
  })

/** A question with answers to choose from. */
export const options = (all: readonly string[]): AgentAction => ({
  name: 'ask_user_to_choose_from_options',
  arguments: { user_options_to_choose_from: [...all] },
})

const PROMPTS = ['strong', 'draft', 'quality', 'supports', 'sticking', 'stringing']
/** What people ask most. */
export const commonPrompts = (language: Language): AgentAction =>
  options(PROMPTS.map((one) => say(language, `prompt.${one}`)))

/** The language of a message; of one without letters the reader's. */
export function tongueOf(said: string, otherwise: Language): Language {
  const short = said.slice(0, 500)
  if (/\p{Script=Han}/u.test(short)) return 'zh'
  return /[a-z]{2}/i.test(short) ? 'en' : otherwise
}
