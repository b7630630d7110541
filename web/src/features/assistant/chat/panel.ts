import { fieldsOf } from '@vigil/contract/fields.ts'
import { readStored, writeStored } from '../../../lib/stored.ts'
import type { Level } from '../bridge/index.ts'
import { type Chat, VIEW_KEY } from './chat.ts'
import { onSlicingTrouble } from './slicing.ts'

export type View = 'large' | 'small'

/** What came while nobody looked, for the badges of the slicer's button. */
interface Unseen {
  readonly seen: Set<string>
  red: number
  orange: number
  green: number
}
const kept = new WeakMap<Chat, Unseen>()

function unseenOf(chat: Chat): Unseen {
  const found = kept.get(chat) ?? { seen: new Set(), red: 0, orange: 0, green: 0 }
  kept.set(chat, found)
  return found
}

const showBadges = (chat: Chat, { red, orange, green }: Omit<Unseen, 'seen'>) =>
  chat.bridge.tell('set_btn_notification_badges', {
    red_badge: red,
    orange_badge: orange,
    green_badge: green,
  })

/** The person chose how large the page is, or that it goes. */
export async function display(chat: Chat, wish: { view_mode?: View; visible?: boolean }): Promise<void> {
  if (wish.view_mode) writeStored(VIEW_KEY, wish.view_mode)
  await show(chat, wish)
}

/** As large as it was chosen last. */
export const preferredView = (): View => (readStored(VIEW_KEY) === 'large' ? 'large' : 'small')

/** Asks the slicer to show the page so. */
export async function show(chat: Chat, wish: { view_mode?: View; visible?: boolean }): Promise<void> {
  const { visible } = fieldsOf(await chat.bridge.ask('change_chatpanel_display', wish).catch(() => null))
  onVisible(chat, typeof visible === 'boolean' ? visible : (wish.visible ?? chat.state().isVisible))
}

/** The page is seen, or not any more: what came meanwhile is then seen. */
export function onVisible(chat: Chat, isVisible: boolean): void {
  const wasVisible = chat.state().isVisible
  if (isVisible !== wasVisible) chat.set({ isVisible })
  if (!isVisible) return
  const unseen = unseenOf(chat)
  if (unseen.red + unseen.orange + unseen.green === 0) return
  Object.assign(unseen, { red: 0, orange: 0, green: 0 })
  showBadges(chat, unseen)
}

/** Where nobody looks, the page comes up small, or the slicer's button counts: as the person wants it. */
async function call(chat: Chat, badge: 'red' | 'orange' | 'green'): Promise<void> {
  // The slicer knows whether it shows the page, and says so at no other time.
  await show(chat, {})
  const { isVisible, popsUp } = chat.state()
  if (isVisible) return
  if (popsUp && badge !== 'green') {
    await show(chat, { visible: true, view_mode: 'small' })
    return
  }
  const unseen = unseenOf(chat)
  unseen[badge]++
  showBadges(chat, unseen)
}

/** A warning or an error of the slicer's: each is told once. */
export function onNotification(chat: Chat, level: Level, text: string): void {
  if (text === '') return
  if (onSlicingTrouble(chat, text, level === 'error')) return
  const unseen = unseenOf(chat)
  const key = `${level} ${text}`
  if (unseen.seen.has(key)) return
  unseen.seen.add(key)
  chat.add({
    kind: 'notification',
    level,
    text,
    choices: [{ label: 'explain', act: { do: 'explain', text } }],
  })
  void call(chat, level === 'error' ? 'red' : 'orange')
}

/** Something is done that somebody waits for. */
export const tellDone = (chat: Chat): void => void call(chat, 'green')

/** A new chat has been told nothing. */
export const forgetNotifications = (chat: Chat): void => unseenOf(chat).seen.clear()
