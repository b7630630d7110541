import { contactSupport } from '@vigil/contract/assistant/chats.ts'
import { call } from '../../../lib/call.ts'
import { openWizard, startOver } from './acts.ts'
import type { Chat } from './chat.ts'
import type { Act, Entry } from './entries.ts'
import { analyse, goOn, send } from './query.ts'
import { look, tried } from './situation.ts'
import { slice } from './slicing.ts'

/** Buttons that stay: what they do can be done again. */
const STAYS: readonly Act['do'][] = ['export', 'preview', 'explain']

/** How the page asks to have something explained, in its language. */
type Explain = (text: string) => string

/** A button below a message was pressed; those beside it are gone then. */
export async function press(chat: Chat, entry: Entry, act: Act, explain: Explain): Promise<void> {
  if (chat.isBusy && act.do !== 'startOver') return
  if (!STAYS.includes(act.do)) chat.change(entry.id, (one) => ({ ...one, choices: [] }))
  await DO[act.do]({ chat, entry, act, explain })
}

interface Pressed {
  readonly chat: Chat
  readonly entry: Entry
  readonly act: Act
  readonly explain: Explain
}

const methodOf = (entry: Entry) =>
  entry.kind === 'assistant' ? (entry.message.suggested_printing_method ?? '') : ''

const DO: Readonly<Record<Act['do'], (pressed: Pressed) => unknown>> = {
  say: ({ chat, act }) => (act.do === 'say' ? send(chat, act.text) : undefined),
  pick: ({ chat, act }) => (act.do === 'pick' ? pick(chat, act.type, act.name) : undefined),
  explain: ({ chat, act, explain }) =>
    act.do === 'explain' ? send(chat, explain(act.text.slice(0, 2_000))) : undefined,
  goOn: ({ chat, act }) => (act.do === 'goOn' ? goOn(chat, act) : undefined),
  slice: ({ chat }) => slice(chat, true),
  startOver: ({ chat }) => startOver(chat),
  undo: ({ chat }) => {
    chat.bridge.tell('plater_undo')
    chat.add({ kind: 'own', word: 'undone' })
  },
  export: ({ chat }) => chat.bridge.tell('export_gcode'),
  preview: ({ chat }) => chat.bridge.tell('switch_to_preview'),
  addPrinters: ({ chat }) => openWizard(chat, 'add_printers'),
  addFilaments: ({ chat }) => openWizard(chat, 'add_filaments'),
  troubleshoot: ({ chat }) => chat.set({ workflow: 'print_troubleshooting' }),
  endTroubleshooting: ({ chat }) => chat.set({ workflow: 'none' }),
  analyse: ({ chat }) => analyse(chat),
  accept: ({ chat, entry }) => send(chat, methodOf(entry)),
  edit: ({ chat, entry }) => chat.set({ draft: methodOf(entry) }),
  reject: ({ chat, entry }) => chat.change(entry.id, () => null),
  dismiss: () => undefined,
}

async function pick(chat: Chat, type: 'printer' | 'filament', name: string): Promise<void> {
  if (!(await tried(chat, (bridge) => bridge.ask('select_preset', { type, name })))) return
  chat.add({ kind: 'own', word: 'picked', params: { name } })
  await look(chat)
}

/** Writes to who supports this; `email`: where to answer whoever is not signed in. */
export async function askSupport(chat: Chat, message: string, email?: string): Promise<void> {
  await call(contactSupport, { body: { message, chat_id: chat.chatId, ...(email ? { email } : {}) } })
  chat.set({ isAskingSupport: false })
  chat.add({ kind: 'own', word: 'supportSent' })
}
