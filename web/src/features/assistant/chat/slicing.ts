import { modelsOf } from '../bridge/index.ts'
import type { Chat } from './chat.ts'
import { refreshSituation } from './situation.ts'

const DONE = 1 - 1e-6
const LATE_MS = 120_000
const FADE_MS = 2_000

/** What went wrong while it was sliced, and the timer that says that it takes long; one for each chat. */
const running = new WeakMap<Chat, { late: ReturnType<typeof setTimeout>; errors: string[] }>()

/** Whether settings of this chat stand in the slicer: else it is asked whether those that stand there are meant. */
const hasSettings = (chat: Chat) =>
  chat
    .state()
    .entries.some(
      (entry) =>
        entry.kind === 'assistant' &&
        entry.message.slicing_profiles &&
        !entry.isTakenBack &&
        !entry.isRefused,
    )

/** Slices, if there is something to slice; asks first when no settings were chosen here. */
export async function slice(chat: Chat, isConfirmed = false): Promise<void> {
  const { era } = chat
  const situation = await refreshSituation(chat)
  if (!situation || chat.era !== era || chat.state().slicing) return
  if (modelsOf(situation.project).length === 0) {
    chat.add({ kind: 'own', word: 'noModels' })
    return
  }
  if (!isConfirmed && !hasSettings(chat)) {
    chat.add({
      kind: 'own',
      word: 'confirmSlice',
      choices: [
        { label: 'yes', act: { do: 'slice' } },
        { label: 'no', act: { do: 'dismiss' } },
      ],
    })
    return
  }
  const late = setTimeout(() => {
    const { slicing } = chat.state()
    if (slicing && !slicing.isOver) chat.set({ slicing: { ...slicing, isLate: true } })
  }, LATE_MS)
  running.set(chat, { late, errors: [] })
  chat.set({ slicing: { share: 0, text: '', isOver: false, isLate: false } })
  // The slicer takes no payload; one that links what is sliced to its chat may.
  chat.bridge.tell('start_slicer_all', chat.chatId === null ? undefined : { chat_id: chat.chatId })
}

/** The slicer says how far it is. */
export function onProgress(chat: Chat, share: number, text: string): void {
  const { slicing } = chat.state()
  if (!slicing || slicing.isOver) return
  if (share >= DONE) endSlicing(chat)
  else chat.set({ slicing: { ...slicing, share: Math.max(0, share), text } })
}

/** Something is wrong while it is sliced: an error ends it, a warning is told at its end. False: nothing is sliced. */
export function onSlicingTrouble(chat: Chat, text: string, isEnd: boolean): boolean {
  const run = running.get(chat)
  const { slicing } = chat.state()
  if (!run || !slicing) return false
  if (!run.errors.includes(text)) run.errors.push(text)
  if (isEnd && !slicing.isOver) endSlicing(chat)
  return true
}

function endSlicing(chat: Chat): void {
  const run = running.get(chat)
  const { slicing } = chat.state()
  if (!run || !slicing) return
  clearTimeout(run.late)
  chat.set({ slicing: { ...slicing, share: 1, isOver: true, isLate: false } })
  const { era } = chat
  setTimeout(() => {
    if (chat.era !== era) return
    running.delete(chat)
    chat.set({ slicing: null })
    tellEnd(chat, run.errors)
  }, FADE_MS)
}

/** Gives up waiting: the chat begins anew. */
export function forgetSlicing(chat: Chat): void {
  const run = running.get(chat)
  if (run) clearTimeout(run.late)
  running.delete(chat)
}

function tellEnd(chat: Chat, errors: readonly string[]): void {
  if (errors.length > 0) {
    chat.add({
      kind: 'own',
      word: 'sliceTrouble',
      tone: 'bad',
      params: { said: errors.join('\n') },
      choices: [{ label: 'explain', act: { do: 'explain', text: errors.join('\n') } }],
    })
    return
  }
  const preview = { label: 'preview', act: { do: 'preview' } } as const
  chat.add({
    kind: 'own',
    word: 'sliced',
    choices: [
      { label: 'export', act: { do: 'export' } },
      ...(chat.bridge.supports('switch_to_preview') ? [preview] : []),
    ],
  })
}
