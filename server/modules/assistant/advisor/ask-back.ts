import type { AgentAction } from '@vigil/contract/assistant/answers.ts'
import type { Language } from '../../../http/texts.ts'
import type { Doubt } from './wishes.ts'
import { commonPrompts, nameOf, options, say, shown } from './say.ts'
import { numberIn, type Situation, valueOf } from './situation.ts'
import { ruleOf, settingOf } from './table.ts'

/** What a setting is now, as a sentence. */
export function readWords(situation: Situation, key: string, language: Language): string {
  const value = valueOf(situation, key)
  const name = nameOf(language, key)
  return value === null
    ? say(language, 'readsUnknown', { name })
    : say(language, 'reads', { name, value: shown(language, key, value) })
}

/** What is not clear is asked, with answers to choose from. */
export function doubtWords(
  situation: Situation,
  doubts: readonly Doubt[],
  language: Language,
): { words: string[]; actions: AgentAction[] } {
  const [first] = doubts
  if (first === undefined) return { words: [], actions: [] }
  const { words, choices } = askedBack(situation, first, language)
  return { words: [words], actions: [choices.length > 0 ? options(choices) : commonPrompts(language)] }
}

function askedBack(
  situation: Situation,
  doubt: Doubt,
  language: Language,
): { words: string; choices: string[] } {
  switch (doubt.kind) {
    case 'unknown':
      return {
        words: `${say(language, 'unknown', { text: doubt.text })} ${say(language, 'whatElse')}`,
        choices: [],
      }
    case 'number':
      return { words: say(language, 'unknownNumber', { text: doubt.text }), choices: [] }
    case 'should':
      return {
        words: [
          ...(doubt.key === null ? [] : [readWords(situation, doubt.key, language)]),
          say(language, 'should'),
        ].join(' '),
        choices: [],
      }
    case 'whether': {
      const what = ruleOf(doubt.id)?.name[language] ?? ''
      return { words: say(language, 'whether', { what }), choices: [say(language, 'doFor', { what })] }
    }
    case 'which': {
      const value = valueOf(situation, doubt.key)
      const name = nameOf(language, doubt.key)
      const words =
        value === null
          ? say(language, 'whichUnknown', { name })
          : say(language, 'which', { name, value: shown(language, doubt.key, value) })
      return { words, choices: choicesOf(situation, doubt.key, language) }
    }
    case 'byOrTo':
      return byOrTo(situation, doubt, language)
  }
}

/** `Raise the bed 60` */
function byOrTo(situation: Situation, doubt: Extract<Doubt, { kind: 'byOrTo' }>, language: Language) {
  const value = (number: number) => shown(language, doubt.key, String(number))
  const now = numberIn(valueOf(situation, doubt.key)) ?? 0
  const [to, by] = [value(Math.abs(doubt.value)), value(now + doubt.value)]
  const name = nameOf(language, doubt.key)
  return {
    words: say(language, 'byOrTo', { name, value: value(now), to, by }),
    choices: [to, by].map((one) => say(language, 'setTo', { name, value: one })),
  }
}

/** Values to choose from: those of a list, or a step to both sides. */
function choicesOf(situation: Situation, key: string, language: Language): string[] {
  const setting = settingOf(key)
  const to = (value: string) =>
    say(language, 'setTo', { name: nameOf(language, key), value: shown(language, key, value) })
  if (setting?.values) return Object.keys(setting.values).slice(0, 6).map(to)
  const now = numberIn(valueOf(situation, key))
  if (now === null || setting?.step === undefined) return []
  return [now - setting.step, now + setting.step]
    .filter((one) => one >= (setting.range?.[0] ?? 0))
    .map((one) => to(String(Math.round(one * 1000) / 1000)))
}
