import type { AssistantMessage } from '@vigil/contract/assistant/answers.ts'
import type { Ctx } from '../../../ctx.ts'
import { type Llm, LlmFailed, openLlm, openVlm } from '../../../engines/llm/index.ts'
import type { Language } from '../../../http/texts.ts'
import { keptBy } from '../../../lib/of-server.ts'
import { advise, type Asked, lastSaid } from '../advisor/advise.ts'
import { plateAdvice } from '../advisor/plate.ts'
import { readMessage } from '../advisor/reading.ts'
import { say, tongueOf } from '../advisor/say.ts'
import type { Situation } from '../advisor/situation.ts'
import { ruleOf } from '../advisor/table.ts'
import { askModel } from './chain.service.ts'
import { plateSeen, symptomsIn } from './sight.service.ts'

const mindsOf = keptBy<Ctx['config'], { llm: Llm | null; vlm: Llm | null }>((config) => ({
  llm: openLlm(config),
  vlm: openVlm(config),
}))

/** Who answers on this server. */
export function mindsHere({ config }: Pick<Ctx, 'config'>): { mind: 'advisor' | 'model'; vision: boolean } {
  const { llm, vlm } = mindsOf(config)
  return { mind: llm === null ? 'advisor' : 'model', vision: vlm !== null }
}

/** What questions to a model cost. */
export interface Purse {
  /** Takes the credit of one question. Raises 402 where there is none left. */
  take(): Promise<{ spend(): Promise<void>; giveBack(): Promise<void> }>
}

/** Asks a model, for a credit that is taken before and given back where nothing comes of it; null where the model fails. */
async function paid<T>(
  { config, stopping, log }: Ctx,
  purse: Purse,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T | null> {
  const credit = await purse.take()
  try {
    const answer = await ask(
      AbortSignal.any([AbortSignal.timeout(config.LLM_TIMEOUT_SECONDS * 1000), stopping]),
    )
    await credit.spend()
    return answer
  } catch (error) {
    await credit.giveBack()
    if (!(error instanceof LlmFailed)) throw error
    log.warn({ why: error.message }, 'a model did not answer: the rules do')
    return null
  }
}

/** A picture that comes along: what a looker sees, what is said of it anyway. */
export interface Shown {
  readonly picture: string | null
  readonly words: readonly string[]
}

/** What is asked, and how. */
export interface Question extends Asked {
  readonly shown: Shown | null
  /** The person goes on with the rules alone: their credits are used up. */
  readonly isWithoutModel: boolean
}

/**
 * One answer, from whichever mind: the model where one is set up, else the rules. A model that fails costs nothing: the rules take over,
 * and say so. What takes something back or explains it is the rules' own, as they alone know what stood before.
 */
export async function answerTo(ctx: Ctx, asked: Question, purse: Purse): Promise<AssistantMessage> {
  const last = lastSaid(asked.messages)
  const reading = readMessage(last)
  const language = tongueOf(last, asked.language)
  const byRules = () => (asked.shown ? withPicture(asked, { found: null, language }) : advise(asked))
  const isOurs = reading.isUndo || (reading.why !== null && reading.wishes.length === 0)
  const ask = isOurs || asked.isWithoutModel ? null : askerOf(ctx, asked, language)
  if (ask === null) return byRules()
  const said = await paid(ctx, purse, ask)
  if (said) return said
  const answer = byRules()
  return { ...answer, notes: [say(language, 'modelAway'), ...(answer.notes ?? [])] }
}

/** How a model is asked; null: there is none for it. */
function askerOf(
  { config }: Ctx,
  asked: Question,
  language: Language,
): ((signal: AbortSignal) => Promise<AssistantMessage>) | null {
  const { llm, vlm } = mindsOf(config)
  if (!asked.shown) return llm && ((signal) => askModel(llm, asked, signal))
  const { picture } = asked.shown
  if (vlm === null || picture === null) return null
  return async (signal) => ({
    ...withPicture(asked, { found: await symptomsIn(vlm, picture, signal), language }),
    mind: 'model',
  })
}

/** Advice from the table for what is said and for what is seen. `found` null: nobody has looked. */
function withPicture(
  asked: Question,
  { found, language }: { found: readonly string[] | null; language: Language },
): AssistantMessage {
  const said = lastSaid(asked.messages)
  const names = (found ?? []).flatMap((id) => ruleOf(id)?.name[language] ?? [])
  // What is seen is said as the person would have: one way to advice.
  const content = [said, ...names].filter((one) => one !== '').join(language === 'zh' ? '，' : ', ')
  const isMute = readMessage(content).wishes.length === 0
  const about = found === null ? 'pictureNotExamined' : names.length > 0 ? 'pictureSaw' : 'pictureNothing'
  const sight = [say(language, about, { what: names.join(', ') }), ...(asked.shown?.words ?? [])]
  const answer = advise({
    ...asked,
    messages: [...asked.messages.slice(0, -1), { role: 'user', content }],
    language,
  })
  const isSaid = content !== '' && !(isMute && said === '')
  return { ...answer, content: [...sight, ...(isSaid ? [answer.content] : [])].join('\n') }
}

/** What to look out for on a plate: by a model that sees, else by its measures alone, and that is said. */
export async function lookAtPlate(
  ctx: Ctx,
  {
    pictures,
    situation,
    language,
    isWithoutModel,
  }: {
    pictures: readonly string[]
    situation: Situation
    language: Language
    isWithoutModel: boolean
  },
  purse: Purse,
): Promise<AssistantMessage> {
  const { vlm } = mindsOf(ctx.config)
  const bare = { role: 'assistant', mind: 'advisor', ...plateAdvice(situation, language) } as const
  const notes = pictures.length > 0 ? { notes: [say(language, 'notExamined')] } : {}
  if (vlm === null || pictures.length === 0 || isWithoutModel) return { ...bare, ...notes }
  const seen = await paid(ctx, purse, (signal) => plateSeen(vlm, { pictures, situation, language }, signal))
  if (seen === null) return { ...bare, notes: [say(language, 'modelAway'), say(language, 'notExamined')] }
  const { analysis, strategy } = seen
  return {
    role: 'assistant',
    content: analysis,
    mind: 'model',
    ...(strategy.trim() === '' ? {} : { suggested_printing_method: strategy }),
  }
}
