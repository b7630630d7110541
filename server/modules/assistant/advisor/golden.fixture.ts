import { readFileSync } from 'node:fs'
import type { AssistantMessage, ChatMessage } from '@vigil/contract/assistant/answers.ts'
import { advise } from './advise.ts'
import { limitsOf } from './limits.ts'
import { numberIn, situationOf, valueOf, wordOf } from './situation.ts'
import { onePlate, slicer } from './slicer.fixture.ts'
import { settingOf } from './table.ts'

/** One of the conversations of `golden.txt`. */
export interface Golden {
  readonly line: number
  readonly language: 'en' | 'zh'
  readonly turns: readonly string[]
  readonly expected: readonly string[]
}

export const goldens: Golden[] = readFileSync(new URL('golden.txt', import.meta.url), 'utf8')
  .split('\n')
  .flatMap((text, at) => {
    const [who, said = '', expected = ''] = text.split(' | ')
    if (who !== 'en' && who !== 'zh') return []
    return [{ line: at + 1, language: who, turns: said.split(' / '), expected: expected.split(' ') } as const]
  })

/** Says a conversation to the advisor, as a page does that applies each answer; gives the last answer and what is wrong with it. */
export function tried({ turns, expected, language }: Golden): {
  answer: AssistantMessage
  wrong: string[]
  harmful: string[]
  ms: number
} {
  const messages: ChatMessage[] = []
  let profiles = slicer()
  let answer: AssistantMessage = { role: 'assistant', content: '', mind: 'advisor' }
  let before = situationOf(profiles, onePlate())
  let ms = 0
  for (const content of turns) {
    messages.push({ role: 'user', content })
    before = situationOf(profiles, onePlate())
    const began = performance.now()
    answer = advise({ messages, situation: situationOf(profiles, onePlate()), language })
    ms = Math.max(ms, performance.now() - began)
    messages.push({ ...answer })
    profiles = { ...profiles, ...answer.slicing_profiles }
  }
  const after = situationOf(profiles, onePlate())
  const keys = [
    ...new Set(
      [
        ...before.printOverrides,
        ...before.filamentOverrides,
        ...after.printOverrides,
        ...after.filamentOverrides,
      ].map(([key]) => key),
    ),
  ]
  const changed = keys.flatMap((key) => {
    const value = valueOf(after, key)
    return value === valueOf(before, key) ? [] : [`${key}=${value}`]
  })
  if (after.print?.name !== before.print?.name) changed.push(`preset=${after.print?.name.split(' ')[0]}`)
  return { answer, wrong: wrongIn(answer, changed, expected), harmful: harmIn(after), ms }
}

function wrongIn(
  answer: AssistantMessage,
  changed: readonly string[],
  expected: readonly string[],
): string[] {
  const wanted = expected.filter((one) => one.includes('='))
  const actions = answer.agent_actions?.map(({ name }) => name) ?? []
  const wantedActions = expected.flatMap((one) => (one.startsWith('do:') ? [one.slice(3)] : []))
  if (expected.includes('ask')) wantedActions.push('ask_user_to_choose_from_options')
  const said = expected.flatMap((one) => (one.startsWith('says:') ? [one.slice(5)] : []))
  return [
    ...wanted.filter((one) => !changed.includes(one)).map((one) => `lacks ${one}`),
    ...changed.filter((one) => !wanted.includes(one)).map((one) => `has ${one}`),
    ...wantedActions.filter((one) => !actions.some((name) => name === one)).map((one) => `lacks ${one}`),
    ...actions.filter((one) => !wantedActions.includes(one)).map((one) => `does ${one}`),
    ...said.filter((one) => !answer.content.includes(one)).map((one) => `does not say ${one}`),
  ]
}

/** Settings that stand over the presets beyond what the filament, the machine and the nozzle take. */
export function harmIn(situation: ReturnType<typeof situationOf>): string[] {
  const own = [...situation.filamentOverrides, ...situation.printOverrides]
  return own.flatMap(([key, value]) => {
    const limits = limitsOf(situation, key)
    const number = numberIn(wordOf(value))
    if (settingOf(key) === undefined) return [`${key} is not ours to change`]
    if (limits === null || number === null) return []
    return number < limits.least || number > limits.most ? [`${key}=${value}`] : []
  })
}
