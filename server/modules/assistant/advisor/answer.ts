import type { AssistantMessage, SettingChange } from '@vigil/contract/assistant/answers.ts'
import type { Language } from '../../../http/texts.ts'
import { type CarriedOut, type Plan, profilesOf } from './carry-out.ts'
import { limitedText, limitWords, nameOf, options, say, shown } from './say.ts'
import { numberIn, type Situation } from './situation.ts'
import { type Rule, settingOf } from './table.ts'

/** What was carried out as an answer: each change whole, all settings as they are to be, and as they were. */
export function answerOf(
  situation: Situation,
  done: CarriedOut,
  plan: Plan,
  language: Language,
): AssistantMessage {
  const changes = changesOf(situation, done, plan, language)
  const near = refusedOf(done).map(({ key, value, limited }) =>
    say(language, 'setTo', { name: nameOf(language, key), value: nearest(language, key, value, limited) }),
  )
  const asks = near.length > 0 ? { agent_actions: [options([...new Set(near)])] } : {}
  if (changes.length === 0) return { role: 'assistant', content: '', mind: 'advisor', ...asks }
  return {
    role: 'assistant',
    content: '',
    mind: 'advisor',
    changes,
    per_override_explanations: changes.map(({ parameter, reason, limited }) => ({
      parameter,
      explanation: limited === null ? reason : `${reason} ${limited}`,
    })),
    slicing_profiles: profilesOf(done.state),
    before: profilesOf(situation),
    ...asks,
  }
}

function changesOf(
  situation: Situation,
  { state, changes, dropped }: CarriedOut,
  { preset }: Plan,
  language: Language,
): SettingChange[] {
  const isOther = preset !== null && state.print?.name !== situation.print?.name
  const first: SettingChange[] = isOther
    ? [
        {
          of: 'print',
          parameter: 'print_process_preset',
          label: say(language, 'preset'),
          before: situation.print?.name ?? null,
          after: preset.to.name,
          reason: preset.reason,
          source: preset.source,
          limited: null,
        },
      ]
    : []
  const made = changes.map((change): SettingChange => ({
    ...frame(language, change.key),
    before: change.before === null ? null : shown(language, change.key, change.before),
    after: shown(language, change.key, change.after),
    reason: change.reason ?? say(language, 'slowedWhy'),
    source: change.source,
    limited: change.limited === null ? null : limitedText(language, change.key, change.limited),
  }))
  const gone = dropped.map(({ key, before, after }): SettingChange => ({
    ...frame(language, key),
    before: shown(language, key, before),
    after: after === null ? '' : shown(language, key, after),
    reason: say(language, 'droppedWhy'),
    source: null,
    limited: null,
  }))
  return [...first, ...made, ...gone]
}

const frame = (language: Language, key: string) => ({
  of: settingOf(key)?.of ?? ('print' as const),
  parameter: key,
  label: nameOf(language, key),
})

/** What goes along with something that is refused is not said twice. */
const refusedOf = ({ refused }: CarriedOut) =>
  refused.filter(({ key }) => !refused.some((one) => key === `${one.key}_initial_layer`))

type Limits = CarriedOut['refused'][number]['limited']

/** The end of the limits that lies next to what was asked for. */
function nearest(language: Language, key: string, value: string, { least, most }: Limits): string {
  const number = numberIn(value) ?? least
  return shown(language, key, String(number < least ? least : most))
}

/** What is said beside the list of changes. */
export function sentencesOf(done: CarriedOut, rules: readonly Rule[], language: Language): string[] {
  const what = rules.map(({ name }) => name[language]).join(language === 'zh' ? '、' : ', ')
  const hasChanged = done.changes.length > 0 || done.dropped.length > 0
  const isAdvice = rules.length > 0 && rules.every(({ set }) => set.length === 0)
  const names = done.same.map((key) => nameOf(language, key)).join(language === 'zh' ? '、' : ', ')
  const first = hasChanged
    ? say(language, what === '' ? 'changedAsAsked' : 'changed', { what })
    : isAdvice
      ? say(language, 'advice', { what })
      : done.refused.length > 0
        ? null
        : say(language, 'nothing', { what: what === '' ? names : what })
  return [
    ...(first === null ? [] : [first]),
    ...(hasChanged && names !== '' ? [say(language, 'same', { what: names })] : []),
    ...(done.dropped.length > 0 ? [say(language, 'dropped')] : []),
    ...refusedOf(done).map(({ key, value, limited }) =>
      say(language, 'refused', {
        name: nameOf(language, key),
        value: shown(language, key, value),
        ...limitWords(language, key, limited),
        near: nearest(language, key, value, limited),
      }),
    ),
    ...rules.flatMap(({ also }) => (also ? [also[language]] : [])),
  ].map(capital)
}

/** As a sentence begins, whatever it begins with. */
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
