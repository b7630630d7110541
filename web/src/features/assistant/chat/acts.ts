import { ACTION_ALIASES, AGENT_ACTIONS, type AgentAction } from '@vigil/contract/assistant/answers.ts'
import { readPresets } from '../bridge/index.ts'
import type { Chat } from './chat.ts'
import type { Choice } from './entries.ts'
import { forgetNotifications } from './panel.ts'
import { look, tried } from './situation.ts'
import { forgetSlicing, slice } from './slicing.ts'

/** Chats that wait for the slicer to say that it has turned the models. */
const turning = new WeakSet<Chat>()

const UNDO: readonly Choice[] = [{ label: 'undo', act: { do: 'undo' } }]
const yesOrNo = (act: 'troubleshoot' | 'endTroubleshooting'): readonly Choice[] => [
  { label: 'yes', act: { do: act } },
  { label: 'no', act: { do: 'dismiss' } },
]

/** Everything that was said is put away, also what the slicer has told. */
export function startOver(chat: Chat): void {
  forgetSlicing(chat)
  forgetNotifications(chat)
  chat.startOver()
}

/** The slicer's own wizard, for as long as the person is in it. */
export async function openWizard(chat: Chat, wizard: 'add_printers' | 'add_filaments'): Promise<void> {
  const { era } = chat
  const isDone = await tried(chat, (bridge) => bridge.ask(wizard))
  if (!isDone || chat.era !== era) return
  chat.add({ kind: 'own', word: wizard === 'add_printers' ? 'printersAdded' : 'filamentsAdded' })
  await look(chat)
}

/** Offers the presets of the person's own. */
async function offer(chat: Chat, type: 'printer' | 'filament'): Promise<void> {
  await tried(chat, async (bridge) => {
    const presets = readPresets(await bridge.ask('get_presets'))
    const all = type === 'printer' ? presets.printers : presets.filaments
    const own = all.filter(({ is_default, is_selected }) => !is_default && !is_selected)
    const add = type === 'printer' ? 'addPrinters' : 'addFilaments'
    chat.add({
      kind: 'own',
      word: own.length === 0 ? 'noOther' : type === 'printer' ? 'whichPrinter' : 'whichFilament',
      choices: [
        ...own.map(({ name }): Choice => ({ label: { said: name }, act: { do: 'pick', type, name } })),
        { label: add, act: { do: add } },
      ],
    })
  })
}

/** Turns all models so that they print best, by the name that this slicer has for it. */
function orient(chat: Chat): void {
  turning.add(chat)
  chat.bridge.tell(
    chat.bridge.supports('auto_orient_all_objects') ? 'auto_orient_all_objects' : 'auto_orient_object',
  )
  chat.add({ kind: 'own', word: 'orienting' })
}

/** The slicer says that the models are turned, or that it was called off. */
export function onOriented(chat: Chat, isDone: boolean): void {
  if (!turning.delete(chat)) return
  chat.add(
    isDone ? { kind: 'own', word: 'oriented', choices: UNDO } : { kind: 'own', word: 'orientCanceled' },
  )
}

const DO: Readonly<Record<AgentAction['name'], (chat: Chat, action: AgentAction) => unknown>> = {
  slice_model: (chat) => slice(chat),
  start_chat_over: (chat) => startOver(chat),
  add_printers: (chat) => openWizard(chat, 'add_printers'),
  add_filaments: (chat) => openWizard(chat, 'add_filaments'),
  change_printer: (chat) => offer(chat, 'printer'),
  change_filament: (chat) => offer(chat, 'filament'),
  contact_support: (chat) => chat.set({ isAskingSupport: true }),
  auto_orient_all_models: (chat) => orient(chat),
  auto_arrange_all_models: (chat) => {
    chat.bridge.tell('arrange_all_objects')
    chat.add({ kind: 'own', word: 'arranged', choices: UNDO })
  },
  set_print_troubleshooting_flow: (chat) => chat.set({ workflow: 'print_troubleshooting' }),
  confirm_print_troubleshooting_flow: (chat) =>
    chat.add({ kind: 'own', word: 'confirmTroubleshooting', choices: yesOrNo('troubleshoot') }),
  confirm_end_troubleshooting: (chat) =>
    chat.add({ kind: 'own', word: 'confirmSolved', choices: yesOrNo('endTroubleshooting') }),
  ask_user_to_choose_from_options: (chat, { arguments: { user_options_to_choose_from: options = [] } }) =>
    chat.add({
      kind: 'own',
      word: 'choose',
      choices: options.map((text): Choice => ({ label: { said: text }, act: { do: 'say', text } })),
    }),
}

/** Does what the assistant has decided, in the order of the list, whatever order it was said in. */
export async function runActions(chat: Chat, actions: readonly AgentAction[]): Promise<void> {
  const { era } = chat
  const named = actions.map((action) => ({ ...action, name: ACTION_ALIASES[action.name] ?? action.name }))
  for (const name of AGENT_ACTIONS)
    for (const action of named.filter((one) => one.name === name)) {
      // One of them may have begun the chat anew: what follows belonged to the old one.
      if (chat.era !== era) return
      await DO[name](chat, action)
    }
}
