import {
  type AgentAction,
  analysePlate,
  type AssistantMessage,
  sendMessage,
  type SettingChange,
} from '@vigil/contract/assistant/answers.ts'
import type { ChosenProfiles } from '@vigil/contract/assistant/presets.ts'
import { createChat, getAssistantUser, replaceChat } from '@vigil/contract/assistant/chats.ts'
import { call } from '../../../lib/call.ts'
import { CallError, problemOf } from '../../../lib/errors.ts'
import { modelsOf } from '../bridge/index.ts'
import { runActions, startOver } from './acts.ts'
import { applyProfiles, platesOf, profilesOf, type Situation } from './apply.ts'
import type { Chat, ChatState } from './chat.ts'
import { type Act, asMessages, type Choice, isOtherwise, type Picture } from './entries.ts'
import { tellDone } from './panel.ts'
import { picturesOf } from './plate.ts'
import { look, refreshSituation, tried } from './situation.ts'
import { leftIn, type Otherwise, otherwiseIn } from './standing.ts'

const MOST_MESSAGES = 200

/** How many questions to a model are left of the month. */
export function creditsLeft({ ai_credits: credits }: NonNullable<ChatState['me']>): number {
  if (!credits || credits.ai_credit_free_monthly_quota < 0) return Infinity
  return Math.max(0, credits.ai_credit_free_monthly_quota - credits.ai_credit_used_current_month)
}

/** Who chats, and what is left of the month's credits. What somebody else has said here before is put away. */
export async function refreshMe(chat: Chat): Promise<void> {
  const { token } = chat.bridge.state()
  if (token === null) return
  const isOld = () => chat.bridge.state().token !== token
  try {
    const me = await call(getAssistantUser)
    if (isOld()) return
    if (chat.ownerId !== null && chat.ownerId !== me.user.id) startOver(chat)
    chat.ownerId = me.user.id
    chat.set({ me, ...(creditsLeft(me) > 0 ? { isWithoutModel: false } : {}) })
  } catch (error) {
    if (problemOf(error).kind === 'forbidden' && !isOld()) chat.bridge.forgetToken({ forGood: true })
  }
}

/** Keeps the chat on the server as it is by now. What cannot be kept is no reason not to go on. */
async function keep(chat: Chat, { edited }: Pick<Situation, 'edited'>): Promise<void> {
  const { chatId, era } = chat
  const body = {
    messages: JSON.stringify(asMessages(chat.state().entries)),
    machine_name: edited.printer.name,
    filament_name: edited.filament.name,
    print_process_name: edited.process.name,
  }
  try {
    if (chatId !== null) await call(replaceChat, { params: { id: chatId }, body })
    else {
      const { id } = await call(createChat, { body })
      // One that was begun meanwhile is another.
      if (chat.era === era) chat.chatId = id
    }
  } catch (error) {
    if (!(error instanceof CallError)) throw error
  }
}

type GoOn = Extract<Act, { do: 'goOn' }>

/** Says why nothing came of it, with the way on. */
function fail(chat: Chat, error: unknown, act: GoOn): void {
  const problem = problemOf(error)
  if (problem.kind === 'server' && problem.status === 402) {
    chat.add({ kind: 'own', word: 'noCredits', choices: [{ label: 'goOn', act }] })
    chat.set({ isUpgradeWanted: true })
    void refreshMe(chat)
  } else if (problem.kind === 'forbidden') chat.bridge.forgetToken()
  else
    chat.add({
      kind: 'own',
      word: problem.kind === 'offline' ? 'offline' : problem.kind === 'throttled' ? 'throttled' : 'failed',
      tone: 'bad',
      choices: [{ label: 'startOver', act: { do: 'startOver' } }],
    })
}

/** What is done while it is thought about: nobody can ask meanwhile, and what comes too late is not heard. */
async function thinking(
  chat: Chat,
  act: GoOn,
  think: (isOld: () => boolean) => Promise<void>,
): Promise<void> {
  const { era } = chat
  const isOld = () => chat.era !== era
  chat.set({ isThinking: true })
  try {
    await think(isOld)
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    if (!isOld()) fail(chat, error, act)
  } finally {
    if (!isOld()) chat.set({ isThinking: false })
  }
}

/** Asks the assistant, has the slicer take what it says, and does what it decided. */
export async function send(chat: Chat, text: string, picture?: Picture): Promise<void> {
  const said = text.trim()
  // A picture speaks for itself.
  if ((said === '' && !picture) || chat.isBusy) return
  chat.add({ kind: 'user', text: said, ...(picture ? { picture: picture.shown } : {}) })
  chat.set({ draft: '' })
  await ask(chat, picture)
}

/** How the server is told who is to answer. */
const mindOf = (chat: Chat) => (chat.state().isWithoutModel ? { mind: 'advisor' as const } : {})

/** Has the last message answered. */
async function ask(chat: Chat, picture?: Picture): Promise<void> {
  let actions: readonly AgentAction[] = []
  const onward: GoOn = { do: 'goOn', about: 'message', ...(picture ? { picture } : {}) }
  await thinking(chat, onward, async (isOld) => {
    const situation = await refreshSituation(chat)
    if (!situation || isOld()) return
    if (chat.chatId === null) await keep(chat, situation)
    if (isOld()) return
    const { message } = await call(sendMessage, {
      body: {
        messages: asMessages(chat.state().entries).slice(-MOST_MESSAGES),
        current_workflow: chat.state().workflow,
        slicing_profiles: profilesOf(situation),
        plates: platesOf(situation.project),
        chat_id: chat.chatId,
        ...mindOf(chat),
        ...(picture ? { picture: picture.sent } : {}),
      },
    })
    if (isOld()) return
    const id = chat.add({ kind: 'assistant', message })
    tellDone(chat)
    await keep(chat, situation)
    if (isOld()) return
    const isTaken = await taken(chat, id, message)
    if (isOld()) return
    if (isTaken) actions = message.agent_actions ?? []
    else await keep(chat, situation)
  })
  void refreshMe(chat)
  await runActions(chat, actions)
}

/** Goes on with the rules alone, until there are credits again. */
export async function goOn(chat: Chat, { about, picture }: GoOn): Promise<void> {
  chat.set({ isWithoutModel: true, isUpgradeWanted: false })
  await (about === 'plate' ? analyse(chat) : ask(chat, picture))
}

/**
 * Has the slicer take the settings of an answer, and asks it what stands there then. False where it refuses, or has something else: what does
 * not stand is claimed nowhere, and nothing is done with it.
 */
async function taken(
  chat: Chat,
  id: number,
  { slicing_profiles: profiles, changes = [] }: AssistantMessage,
): Promise<boolean> {
  if (!profiles) return true
  const refuse = (isRefused: boolean, otherwise: readonly Otherwise[]) =>
    chat.change(id, (one) => (one.kind === 'assistant' ? { ...one, isRefused, otherwise } : one))
  if (!(await tried(chat, (bridge) => applyProfiles(bridge, profiles)))) {
    refuse(true, [])
    return false
  }
  const claimed = new Set(changes.map(({ parameter }) => parameter))
  const situation = await look(chat)
  if (situation === null) {
    // It may have them: they can be taken back.
    refuse(
      false,
      [...claimed].map((parameter) => ({ parameter, now: null })),
    )
    return false
  }
  const otherwise = otherwiseIn(profiles, situation.edited, claimed)
  if (otherwise.length === 0) return true
  const isRefused = [...claimed].every((parameter) => isOtherwise({ otherwise }, parameter))
  refuse(isRefused, otherwise)
  tellOtherwise(chat, otherwise, changes)
  return false
}

/** Says which settings stand otherwise in the slicer than they were to. */
function tellOtherwise(
  chat: Chat,
  otherwise: readonly Otherwise[],
  changes: readonly SettingChange[] = [],
): void {
  const names = otherwise.map(
    ({ parameter }) => changes.find((one) => one.parameter === parameter)?.label ?? parameter,
  )
  chat.add({ kind: 'own', word: 'otherwise', tone: 'bad', params: { names: names.join(', ') } })
}

const METHOD: readonly Choice[] = [
  { label: 'accept', act: { do: 'accept' } },
  { label: 'edit', act: { do: 'edit' } },
  { label: 'reject', act: { do: 'reject' } },
]

/** Has the plate looked at from four sides, and says what to look out for. */
export async function analyse(chat: Chat): Promise<void> {
  if (chat.isBusy) return
  await thinking(chat, { do: 'goOn', about: 'plate' }, async (isOld) => {
    const situation = await refreshSituation(chat)
    if (!situation || isOld()) return
    if (modelsOf(situation.project).length === 0) {
      chat.add({ kind: 'own', word: 'noModels' })
      return
    }
    const images = await picturesOf(chat.bridge, situation.project)
    const { message } = await call(analysePlate, {
      body: {
        images,
        plates: platesOf(situation.project),
        chat_id: chat.chatId,
        slicing_profiles: profilesOf(situation),
        ...mindOf(chat),
      },
    })
    if (isOld()) return
    chat.add({
      kind: 'assistant',
      message,
      ...(message.suggested_printing_method ? { choices: METHOD } : {}),
    })
    tellDone(chat)
  })
  void refreshMe(chat)
}

/** Says what of answers the slicer has kept although they were taken back. */
function tellLeft(
  chat: Chat,
  gone: readonly AssistantMessage[],
  before: ChosenProfiles,
  { edited }: Situation,
): void {
  const left = gone.flatMap(({ slicing_profiles: applied }) =>
    applied ? leftIn(applied, before, edited) : [],
  )
  const otherwise = new Map([...otherwiseIn(before, edited), ...left].map((one) => [one.parameter, one]))
  if (otherwise.size === 0) return
  tellOtherwise(
    chat,
    [...otherwise.values()],
    gone.flatMap(({ changes = [] }) => changes),
  )
}

/** What this answer changed, and all that was changed since, is taken back: what stood before it stands again. */
export async function takeBack(chat: Chat, id: number): Promise<void> {
  const { entries } = chat.state()
  const from = entries.findIndex((entry) => entry.id === id)
  const entry = entries[from]
  if (entry?.kind !== 'assistant' || chat.isBusy) return
  const { before } = entry.message
  if (!before || !(await tried(chat, (bridge) => applyProfiles(bridge, before)))) return
  const gone = entries
    .slice(from)
    .flatMap((later) => (later.kind === 'assistant' && later.message.slicing_profiles ? [later] : []))
  for (const later of gone)
    chat.change(later.id, (one) => (one.kind === 'assistant' ? { ...one, isTakenBack: true } : one))
  chat.add({ kind: 'own', word: 'takenBack', isUndo: true })
  const situation = await look(chat)
  if (situation)
    tellLeft(
      chat,
      gone.map(({ message }) => message),
      before,
      situation,
    )
  if (situation && chat.chatId !== null) await keep(chat, situation)
}
