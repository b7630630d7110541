import type { AssistantMessage, ChatMessage } from '@vigil/contract/assistant/answers.ts'
import type assistant from '../../../../../locales/en/assistant/assistant.json'
import type { Level } from '../bridge/index.ts'
import type { Otherwise } from './standing.ts'

/** What the page itself says: a text of `assistant:own`, and what fills it. */
export type OwnWord = keyof typeof assistant.own

/** A picture that goes with a message: how it is shown here, and what the server is told. */
export interface Picture {
  readonly shown: string
  readonly sent: { image: string } | { print_id: number; at: string }
}

/** What a button below a message does. */
export type Act =
  | { do: 'say'; text: string }
  | { do: 'pick'; type: 'printer' | 'filament'; name: string }
  | { do: 'explain'; text: string }
  /** Without the model, which has no credits left: the last message, or a look at the plate. */
  | { do: 'goOn'; about: 'plate' | 'message'; picture?: Picture }
  | {
      do:
        | 'slice'
        | 'startOver'
        | 'undo'
        | 'export'
        | 'preview'
        | 'addPrinters'
        | 'addFilaments'
        | 'troubleshoot'
        | 'endTroubleshooting'
        | 'analyse'
        | 'accept'
        | 'edit'
        | 'reject'
        | 'dismiss'
    }

/** A button: a text of `assistant:button`, or what the server or the slicer calls it. */
export interface Choice {
  readonly label: keyof typeof assistant.button | { readonly said: string }
  readonly act: Act
}

interface Buttons {
  /** Gone once one was pressed. */
  readonly choices?: readonly Choice[]
}

/** One thing in the list of messages. */
export type Entry = { readonly id: number } & Buttons &
  (
    | { readonly kind: 'user'; readonly text: string; readonly picture?: string }
    | {
        readonly kind: 'assistant'
        readonly message: AssistantMessage
        readonly isTakenBack?: boolean
        /** The slicer has not taken its settings. */
        readonly isRefused?: boolean
        /** Or these of them: it has another value, or says none. */
        readonly otherwise?: readonly Otherwise[]
      }
    | {
        readonly kind: 'own'
        readonly word: OwnWord
        readonly params?: Record<string, string | number>
        readonly tone?: 'bad'
        /** The server is told so: what stood before stands again. */
        readonly isUndo?: boolean
      }
    | { readonly kind: 'notification'; readonly level: Level; readonly text: string }
  )

/** What comes into the list: it gets its number there. */
type Numbered<T> = T extends unknown ? Omit<T, 'id'> : never
export type News = Numbered<Entry>

/** Whether the slicer has something else for a setting of an answer. */
export const isOtherwise = (
  { otherwise = [] }: Pick<Extract<Entry, { kind: 'assistant' }>, 'otherwise'>,
  parameter: string,
): boolean => otherwise.some((one) => one.parameter === parameter)

/** What the server is told of what was said: what the page itself says is no part of it. */
export function asMessages(entries: readonly Entry[]): ChatMessage[] {
  return entries.flatMap((entry): ChatMessage[] => {
    if (entry.kind === 'user') return [{ role: 'user', content: entry.text }]
    if (entry.kind === 'own') return entry.isUndo ? [{ role: 'assistant', content: '', undo: true }] : []
    if (entry.kind !== 'assistant') return []
    const { content, slicing_profiles, before, undo, changes } = entry.message
    if (entry.isRefused) return [{ role: 'assistant', content }]
    return [
      {
        role: 'assistant',
        content,
        ...(slicing_profiles ? { slicing_profiles } : {}),
        ...(before ? { before } : {}),
        ...(undo ? { undo } : {}),
        // For who reads it later, on the page of the file that came of it: what stands there alone.
        ...(changes ? { changes: changes.filter(({ parameter }) => !isOtherwise(entry, parameter)) } : {}),
      },
    ]
  })
}
