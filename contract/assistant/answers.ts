import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, text, timestamp } from '../values.ts'
import { chosenProfiles, plates, slicingProfiles } from './presets.ts'

/** The desktop slicer's page signs in with a token of its own. */
const callers = ['session', 'oauth', 'assistant'] as const
const params = z.object({ id })
/** Presets with hundreds of settings each; pictures of a plate. */
const LARGE = 20 * 1_048_576

/** What somebody asks for in words, and the server says as an action. */
export const ASKED_ACTIONS = [
  'slice_model',
  'start_chat_over',
  'add_printers',
  'add_filaments',
  'change_printer',
  'change_filament',
  'contact_support',
  'auto_orient_all_models',
  'auto_arrange_all_models',
] as const
/** In the order in which a page does them. The server itself says those asked for and the last; the others belong to older ones. */
export const AGENT_ACTIONS = [
  ...ASKED_ACTIONS,
  'set_print_troubleshooting_flow',
  'confirm_print_troubleshooting_flow',
  'confirm_end_troubleshooting',
  'ask_user_to_choose_from_options',
] as const
/** What older servers said for some of them: a page takes both. */
export const ACTION_ALIASES: Readonly<Record<string, AgentAction['name']>> = { add_printer: 'add_printers' }

export const agentAction = z.object({
  name: z.enum(AGENT_ACTIONS),
  arguments: z.object({ user_options_to_choose_from: z.array(z.string()).optional() }),
})
export type AgentAction = z.infer<typeof agentAction>

/** One setting as it was and as it is to be; `null`: it was not known. */
export const settingChange = z
  .object({
    of: z.enum(['filament', 'print']),
    parameter: z.string(),
    /** Its name, in the reader's language. */
    label: z.string(),
    before: z.string().nullable(),
    after: z.string(),
    reason: z.string(),
    /** Where the reason comes from; null: a model's own words, or the person's wish. */
    source: z.string().nullable(),
    /** Why it is not what was asked for: beyond what the filament or the machine can; null where it is. */
    limited: z.string().nullable(),
  })
  .meta({ id: 'SettingChange' })
export type SettingChange = z.infer<typeof settingChange>

const box = z.object({
  /** The middle and the size, as shares of the picture. */
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
  confidence: z.number(),
})

/** A moment of a stored print, as it was looked at. */
export const lookedAt = z
  .object({
    print_id: z.int(),
    filename: z.string(),
    at: timestamp,
    image_url: z.string(),
    boxes: z.array(box),
    temperatures: z.array(
      z.object({ heater: z.string(), actual: z.number(), target: z.number().nullable() }),
    ),
  })
  .meta({ id: 'LookedAt' })
export type LookedAt = z.infer<typeof lookedAt>

/** What the assistant says. */
export const assistantMessage = z
  .object({
    role: z.literal('assistant'),
    content: z.string(),
    agent_actions: z.array(agentAction).optional(),
    per_override_explanations: z
      .array(z.object({ parameter: z.string(), explanation: z.string() }))
      .optional(),
    slicing_profiles: chosenProfiles.optional(),
    /** The same changes, whole: for people to see before anything is applied. */
    changes: z.array(settingChange).optional(),
    /** What stood before `slicing_profiles`: to take this answer back. Send it again with the message. */
    before: chosenProfiles.optional(),
    /** It took the last change back. Send it again with the message. */
    undo: z.literal(true).optional(),
    suggested_printing_method: z.string().optional(),
    /** Who has answered. */
    mind: z.enum(['advisor', 'model']),
    /** What the reader must know of how it was answered, in their language: the model was away, no picture was examined. */
    notes: z.array(z.string()).optional(),
    looked_at: lookedAt.optional(),
  })
  .meta({ id: 'AssistantMessage' })
export type AssistantMessage = z.infer<typeof assistantMessage>

/** A message of a chat as its page sends it again: what else it holds is the page's own. */
export const chatMessage = z.looseObject({
  role: z.enum(['user', 'assistant', 'system', 'tool']),
  content: text(20_000).nullish(),
  slicing_profiles: chosenProfiles.nullish().catch(null),
  before: chosenProfiles.nullish().catch(null),
  undo: z.boolean().nullish().catch(null),
})
export type ChatMessage = z.infer<typeof chatMessage>

const refused = z.object({ error: z.string() })
const answered = z.object({ message: assistantMessage })

const dataUrl = z
  .string()
  .max(8 * 1_048_576)
  .regex(/^data:image\/(?:jpeg|png|webp);base64,/, { error: 'This is no picture.' })

/** `advisor`: no model is asked, and no credit taken. */
const mind = z.enum(['advisor', 'model']).nullish()

export const sendMessage = endpoint({
  method: 'POST',
  path: '/jusprin/api/chats/messages/',
  callers,
  summary: 'What the assistant says to this; 402 when the month’s credits are used up',
  bodyLimit: LARGE,
  largeJson: true,
  body: z.object({
    messages: z.array(chatMessage).min(1).max(500),
    current_workflow: text(100).nullish(),
    slicing_profiles: slicingProfiles.prefault({}),
    plates,
    chat_id: z.union([text(64), z.number()]).nullish(),
    mind,
    /** A photo of what went wrong; or a moment of a stored print: one of its `moments`. */
    picture: z.union([z.object({ image: dataUrl }), z.object({ print_id: id, at: text(40) })]).nullish(),
  }),
  answers: { 402: refused },
  response: answered,
})

export const analysePlate = endpoint({
  method: 'POST',
  path: '/jusprin/api/plate_analysis/',
  callers,
  summary: 'What to look out for on this plate, and how to print it',
  status: 201,
  bodyLimit: LARGE,
  largeJson: true,
  body: z.object({
    images: z.array(dataUrl).max(8).default([]),
    plates,
    chat_id: z.union([text(64), z.number()]).nullish(),
    mind,
    /** For advice that hangs on the filament. */
    slicing_profiles: slicingProfiles.nullish(),
  }),
  answers: { 402: refused },
  response: answered,
})

export const printMoments = z
  .object({
    moments: z.array(
      z.object({
        /** What `picture.at` names. */
        at: timestamp,
        image_url: z.string(),
        /** What the detector made of it, 0 to 1; null: it was not looked at. */
        score: z.number().nullable(),
      }),
    ),
  })
  .meta({ id: 'PrintMoments' })

export const listMoments = endpoint({
  method: 'GET',
  path: '/jusprin/api/prints/:id/moments/',
  callers: ['session', 'oauth', 'assistant'],
  summary:
    'Up to 60 moments of a stored print that can be shown to the assistant, those that looked worst among them',
  params,
  response: printMoments,
})
