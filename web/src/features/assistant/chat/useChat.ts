import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Chat, ChatState } from './chat.ts'

/** The chat that the parts of its page are about. */
export const ChatContext = createContext<Chat | null>(null)

/** The chat, and how it stands. */
export function useChat(): readonly [Chat, ChatState] {
  const chat = useContext(ChatContext)
  if (!chat) throw new Error('A part of the chat was shown without one')
  return [chat, useSyncExternalStore(chat.watch, chat.state)]
}
