import {
  type AgentAction,
  ASKED_ACTIONS,
  type AssistantMessage,
  type ChatMessage,
} from '@vigil/contract/assistant/answers.ts'
import type { Language } from '../../../http/texts.ts'
import { answerOf, sentencesOf } from './answer.ts'
import { carryOut } from './carry-out.ts'
import { undoOf, whyOf } from './earlier.ts'
import { planOf } from './plan.ts'
import { plateAdvice } from './plate.ts'
import { doubtWords, readWords } from './ask-back.ts'
import { readMessage, type Reading } from './reading.ts'
import { commonPrompts, options, say, shown, tongueOf } from './say.ts'
import { limitsOf } from './limits.ts'
import { numberIn, type Situation, valueOf } from './situation.ts'
import { materialOf, table } from './table.ts'

/** A chat, and how things stand in the slicer beside it. */
export interface Asked {
  readonly messages: readonly ChatMessage[]
  readonly situation: Situation
  /** Of the reader, where the message has none. */
  readonly language: Language
}

/** The last thing that the person has said. */
export const lastSaid = (messages: readonly ChatMessage[]): string =>
  messages.findLast(({ role }) => role === 'user')?.content?.trim() ?? ''

/** What the rules say to a message: computed from the table, never guessed; what is not understood is asked back. */
export function advise({ messages, situation, language: usual }: Asked): AssistantMessage {
  const said = lastSaid(messages)
  const language = tongueOf(said, usual)
  const reading = settled(situation, readMessage(said))
  const notification = reading.said === null ? undefined : table().notifications[reading.said]
  if (notification) return plain(notification.say[language])
  if (reading.isUndo) return undoOf(messages, situation, language)
  if (reading.why) return whyOf(messages, reading.why.key, language)
  if (reading.isPlate) return { ...plain(''), ...plateAdvice(situation, language), mind: 'advisor' }
  if (reading.wishes.length > 0) return withIntents(wished(situation, reading, language), reading, language)
  const spoken = [
    ...intentWords(reading, language),
    ...[...new Set(reading.reads)].map((key) => readWords(situation, key, language)),
    ...materialWords(situation, reading, language),
  ]
  const doubt = doubtWords(situation, reading.doubts, language)
  const actions = [...actionsOf(reading), ...materialActions(situation, reading), ...doubt.actions]
  const content = [...spoken, ...doubt.words].join('\n')
  if (content === '') return { ...plain(say(language, 'whatElse')), agent_actions: [commonPrompts(language)] }
  return { ...plain(content), ...(actions.length > 0 ? { agent_actions: actions } : {}) }
}

/** `Raise the bed 5`: where only one reading makes sense here, that is meant; else it stays a doubt. */
function settled(situation: Situation, reading: Reading): Reading {
  const wishes = [...reading.wishes]
  const doubts = reading.doubts.filter((doubt) => {
    if (doubt.kind !== 'byOrTo') return true
    const limits = limitsOf(situation, doubt.key)
    const now = numberIn(valueOf(situation, doubt.key)) ?? 0
    const to = Math.abs(doubt.value)
    const isPossible =
      limits !== null && to >= limits.least && to <= limits.most && to > now === doubt.value > 0
    // A bed of 5 °C is none that anybody asks for.
    if (isPossible && to >= now / 4) return true
    wishes.push({ kind: 'set', key: doubt.key, op: '+', value: String(doubt.value) })
    return false
  })
  return { ...reading, wishes, doubts }
}

const plain = (content: string): AssistantMessage => ({ role: 'assistant', content, mind: 'advisor' })

const actionsOf = ({ intents }: Reading): AgentAction[] =>
  [...new Set(intents)].flatMap((name) => {
    const action = ASKED_ACTIONS.find((one) => one === name)
    return action ? [{ name: action, arguments: {} }] : []
  })

const intentWords = ({ intents }: Reading, language: Language): string[] =>
  [...new Set(intents)].flatMap((name) => table().intents[name]?.say[language] ?? [])

/** `Make it strong and slice it`: the settings first. */
function withIntents(message: AssistantMessage, reading: Reading, language: Language): AssistantMessage {
  const actions = message.slicing_profiles === undefined ? [] : actionsOf(reading)
  if (actions.length === 0) return message
  return {
    ...message,
    content: [message.content, ...intentWords(reading, language)].join('\n'),
    agent_actions: [...(message.agent_actions ?? []), ...actions],
  }
}

/** What must be there before a setting can be changed; null when all is. */
export function obstacleOf(situation: Situation, filaments: number, language: Language): string | null {
  if (filaments !== 1) return say(language, 'needFilament', { count: filaments })
  if (situation.print === null) return say(language, 'needPreset')
  const models = situation.plates.flatMap((plate) => plate.model_objects)
  if (models.length === 0) return say(language, 'needModel')
  const extruders = new Set(models.map((model) => String(model.extruder_id ?? model.extruderId ?? '1')))
  return extruders.size > 1 ? say(language, 'needOneExtruder') : null
}

function wished(situation: Situation, reading: Reading, language: Language): AssistantMessage {
  const obstacle = obstacleOf(situation, situation.filaments, language)
  if (obstacle !== null) return plain(obstacle)
  const other = materialWords(situation, reading, language)
  if (materialActions(situation, reading).length > 0)
    return { ...plain(other.join('\n')), agent_actions: materialActions(situation, reading) }
  const { plan, conflicts, rules } = planOf(situation, reading.wishes, language)
  const [conflict] = conflicts
  if (conflict)
    return {
      ...plain(say(language, 'conflict', { ...conflict })),
      agent_actions: [options([conflict.one, conflict.other])],
    }
  const done = carryOut(situation, plan)
  const message = answerOf(situation, done, plan, language)
  const { words, actions } = doubtWords(situation, reading.doubts, language)
  const isUnknown = other.length > 0 && situation.material === null
  const unknown = isUnknown ? [say(language, 'materialUnknown')] : []
  // One question at a time: what was refused first.
  return {
    ...message,
    content: [...sentencesOf(done, rules, language), ...unknown, ...other, ...words].join('\n'),
    ...(message.agent_actions === undefined && actions.length > 0 ? { agent_actions: actions } : {}),
  }
}

/** Of another material than the selected one nothing is said but to choose it. */
const others = ({ material }: Situation, { materials }: Reading) =>
  material === null ? [] : materials.filter((name) => name !== material.name)

const materialActions = (situation: Situation, reading: Reading): AgentAction[] =>
  others(situation, reading).length > 0 ? [{ name: 'change_filament', arguments: {} }] : []

function materialWords(situation: Situation, reading: Reading, language: Language): string[] {
  const { material } = situation
  const [other] = others(situation, reading)
  if (other !== undefined && material)
    return [say(language, 'otherMaterial', { has: material.name, said: other })]
  return [...new Set(reading.materials)].flatMap((name) => {
    const about = materialOf(name)
    if (about === undefined) return []
    const [nozzle, bed] = [about.limits.nozzle, about.limits.bed].map((span) =>
      span.map((one) => shown(language, 'hot_plate_temp', String(one))),
    )
    const spans = {
      least: nozzle?.[0] ?? '',
      most: nozzle?.[1] ?? '',
      bedLeast: bed?.[0] ?? '',
      bedMost: bed?.[1] ?? '',
    }
    return [about[language], say(language, 'material', { name, ...spans })]
  })
}
