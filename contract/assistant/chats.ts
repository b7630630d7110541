import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, number, text, timestamp } from '../values.ts'

const callers = ['session', 'oauth', 'assistant'] as const
const params = z.object({ id })
/** A chat is kept as the text that its page sends. */
const MOST_TEXT = 500_000
const refused = z.object({ error: z.string() })

const messages = text(MOST_TEXT)
const name = text(500).nullish()

/** A chat as it is kept. */
export const chat = z
  .object({
    id: z.int(),
    /** JSON: a list of messages. */
    messages: z.string(),
    machine_name: z.string().nullable(),
    filament_name: z.string().nullable(),
    print_process_name: z.string().nullable(),
    slicing_settings_json: z.string().nullable(),
    /** The file that came of it; null while there is none, or it is gone. */
    g_code_file_id: z.int().nullable(),
    user_feedback: z.enum(['positive', 'negative']).nullable(),
    user_feedback_text: z.string().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Chat' })
export type Chat = z.infer<typeof chat>

export const FEEDBACK_LENGTH = 1_000
const feedback = {
  g_code_file_id: id.nullish(),
  user_feedback: z.enum(['positive', 'negative']).nullish(),
  user_feedback_text: text(FEEDBACK_LENGTH).nullish(),
}
const names = {
  machine_name: name,
  filament_name: name,
  print_process_name: name,
  slicing_settings_json: text(MOST_TEXT).nullish(),
}

export const listChats = endpoint({
  method: 'GET',
  path: '/jusprin/api/chats/',
  callers,
  summary:
    "The caller's last 200 chats, of 20 MB together at most, the newest first; those that a file came of",
  query: z.object({ g_code_file_id: id.optional() }),
  response: z.array(chat),
})

export const createChat = endpoint({
  method: 'POST',
  path: '/jusprin/api/chats/',
  callers,
  summary: 'Keeps a chat',
  status: 201,
  body: z.object({ messages, ...names }),
  response: chat,
})

export const getChat = endpoint({
  method: 'GET',
  path: '/jusprin/api/chats/:id/',
  callers,
  summary: 'A chat',
  params,
  response: chat,
})

export const replaceChat = endpoint({
  method: 'PUT',
  path: '/jusprin/api/chats/:id/',
  callers,
  summary: 'Keeps a chat as it is by now',
  params,
  body: z.object({ messages, ...names, ...feedback }),
  response: chat,
})

export const updateChat = endpoint({
  method: 'PATCH',
  path: '/jusprin/api/chats/:id/',
  callers,
  summary: 'Changes what is given of a chat: feedback, the file that came of it',
  params,
  body: z.object({ messages: messages.optional(), ...names, ...feedback }),
  response: chat,
})

export const deleteChat = endpoint({
  method: 'DELETE',
  path: '/jusprin/api/chats/:id/',
  callers,
  summary: 'Deletes a chat',
  params,
  response: null,
  status: 204,
})

/** What is left of a month's questions to a model. The advisor's answers cost none. */
export const aiCredits = z
  .object({
    user: z.int(),
    /** -1: without end. */
    ai_credit_free_monthly_quota: z.int(),
    ai_credit_used_current_month: z.int(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'AiCredits' })
export type AiCredits = z.infer<typeof aiCredits>

export const getAssistantUser = endpoint({
  method: 'GET',
  path: '/jusprin/api/me/',
  callers,
  summary: 'Who is chatting, and with whom',
  response: z.object({
    user: z.object({
      id: z.int(),
      username: z.string(),
      email: z.string(),
      first_name: z.string(),
      last_name: z.string(),
    }),
    ai_credits: aiCredits.nullable(),
    /** Who answers: the rules that come with the server, or a model; `vision`: it sees pictures. */
    assistant: z.object({ mind: z.enum(['advisor', 'model']), vision: z.boolean() }),
    /** Paid plans have a form; others the community. Everybody has the form where there are no plans. */
    support: z.object({
      by: z.enum(['form', 'community']),
      email: z.string().nullable(),
      community_url: z.string().nullable(),
    }),
  }),
})

export const contactSupport = endpoint({
  method: 'POST',
  path: '/jusprin/api/contact_support/',
  callers: ['anyone'],
  summary: 'Writes to whoever supports this server, with or without a credential; a few times an hour',
  body: z.object({
    message: text(5_000).optional(),
    /** Where to answer, of who is not signed in. */
    email: z.email().max(254).optional(),
    chat_id: z.union([text(64), number(1, 2_147_483_647)]).nullish(),
  }),
  answers: { 400: refused, 503: refused },
  response: z.object({ message: z.string() }),
})
