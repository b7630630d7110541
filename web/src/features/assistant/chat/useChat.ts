import { createContext, useContext, useRef, useSyncExternalStore } from 'react'
import type { Chat, ChatState } from './chat.ts'

/** The chat that the parts of its page are about. */
export const ChatContext = createContext<Chat | null>(null)

/** The chat, and how it stands in what is named: of other changes the part hears nothing, so that a key typed shows one field anew and not the conversation. */
export function useChat<K extends keyof ChatState>(...of: readonly K[]): readonly [Chat, Pick<ChatState, K>] {
  const chat = useContext(ChatContext)
  if (!chat) throw new Error('A part of the chat was shown without one')
  const seen = useRef(chat.state())
  const look = () => {
    const now = chat.state()
    if (of.some((name) => now[name] !== seen.current[name])) seen.current = now
    return seen.current
  }
  return [chat, useSyncExternalStore(chat.watch, look)]
}
