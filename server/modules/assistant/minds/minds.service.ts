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

/** What a question to a model costs: taken before it is asked, given back where it comes to nothing. */
export interface Purse {
  /** Raises 402 where there is nothing left. */
  take(): Promise<void>
  giveBack(): Promise<void>
}

/** A picture that comes along: what a looker sees, what is said of it anyway. */
export interface Shown {
  readonly picture: string | null
  readonly words: readonly string[]
}

/**
 * One answer, from whichever mind: the model where one is set up, else the rules. A model that fails costs nothing: the rules take over,
 * and say so. What takes something back or explains it is the rules' own, as they alone know what stood before.
 */
export async function answerTo(
  ctx: Ctx,
  asked: Asked & { readonly shown: Shown | null },
  purse: Purse,
): Promise<AssistantMessage> {
  const { llm, vlm } = mindsOf(ctx.config)
  const said = lastSaid(asked.messages)
  const reading = readMessage(said)
  const language = tongueOf(said, asked.language)
  const isOurs = reading.isUndo || (reading.why !== null && reading.wishes.length === 0)
  const needs = !isOurs && (asked.shown ? vlm !== null && asked.shown.picture !== null : llm !== null)
  if (!needs) return asked.shown ? withPicture(asked, { found: null, language }) : advise(asked)
  await purse.take()
  try {
    const signal = AbortSignal.any([AbortSignal.timeout(ctx.config.LLM_TIMEOUT_SECONDS * 1000), ctx.stopping])
    if (asked.shown?.picture && vlm) {
      const found = await symptomsIn(vlm, asked.shown.picture, signal)
      return { ...withPicture(asked, { found, language }), mind: 'model' }
    }
    if (llm) return await askModel(llm, asked, signal)
  } catch (error) {
    await purse.giveBack()
    if (!(error instanceof LlmFailed)) throw error
    ctx.log.warn({ why: error.message }, 'a model did not answer: the rules do')
  }
  const answer = asked.shown ? withPicture(asked, { found: null, language }) : advise(asked)
  return { ...answer, notes: [say(language, 'modelAway'), ...(answer.notes ?? [])] }
}

/** Advice from the table for what is said and for what is seen. `found` null: nobody has looked. */
function withPicture(
  asked: Asked & { readonly shown: Shown | null },
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
  }: { pictures: readonly string[]; situation: Situation; language: Language },
  purse: Purse,
): Promise<AssistantMessage> {
  const { vlm } = mindsOf(ctx.config)
  const bare = { role: 'assistant', mind: 'advisor', ...plateAdvice(situation, language) } as const
  const notes = pictures.length > 0 ? { notes: [say(language, 'notExamined')] } : {}
  if (vlm === null || pictures.length === 0) return { ...bare, ...notes }
  await purse.take()
  try {
    const signal = AbortSignal.any([AbortSignal.timeout(ctx.config.LLM_TIMEOUT_SECONDS * 1000), ctx.stopping])
    const { analysis, strategy } = await plateSeen(vlm, { pictures, situation, language }, signal)
    return {
      role: 'assistant',
      content: analysis,
      mind: 'model',
      ...(strategy.trim() === '' ? {} : { suggested_printing_method: strategy }),
    }
  } catch (error) {
    await purse.giveBack()
    if (!(error instanceof LlmFailed)) throw error
    ctx.log.warn({ why: error.message }, 'a model saw nothing: the measures speak')
    return { ...bare, notes: [say(language, 'modelAway'), say(language, 'notExamined')] }
  }
}
