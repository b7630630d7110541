import { speakAs } from '../../../lib/call.ts'
import type { Bridge, HostEvent } from '../bridge/index.ts'
import { onOriented } from './acts.ts'
import { Chat } from './chat.ts'
import { onNotification, onVisible, preferredView, show } from './panel.ts'
import { refreshMe } from './query.ts'
import { look } from './situation.ts'
import { onProgress } from './slicing.ts'

/** A model may think for a while. */
const PATIENCE_MS = 120_000

/** What happens in the slicer, as it concerns the chat. */
function onEvent(chat: Chat, event: HostEvent): void {
  if (event.type === 'modelObjectsChanged') chat.set({ project: event.project })
  else if (event.type === 'autoOrient') {
    if (event.project) chat.set({ project: event.project })
    onOriented(chat, event.isDone)
  } else if (event.type === 'slicingProgress') onProgress(chat, event.share, event.text)
  else if (event.type === 'notificationPushed') {
    if (event.level) onNotification(chat, event.level, event.text)
  } else if (event.type === 'nativeErrorOccurred') onNotification(chat, 'error', event.text)
  else if (event.isInFocus) onVisible(chat, true)
}

/** Begins to listen; a chat for as long as the page stands. */
export function startChat(bridge: Bridge, isOpened: boolean): Chat {
  const chat = new Chat(bridge)
  let token: string | null = null
  const signIn = () => {
    const now = bridge.state().token
    if (now === token) return
    token = now
    speakAs(now ?? '', PATIENCE_MS)
    if (now === null) chat.set({ me: null })
    else void refreshMe(chat).then(() => look(chat))
  }
  bridge.watch(signIn)
  bridge.onEvent((event) => onEvent(chat, event))
  signIn()
  // In development the panel is to be seen at once.
  if (isOpened && bridge.isThere) void show(chat, { visible: true, view_mode: preferredView() })
  return chat
}
