import type { Answer } from '../janus/answers.rules.ts'
import type { Request } from '../janus/janus.rules.ts'

/** What the server says to the process of the fan-out. A `line` is one agent's socket, counted by the server. */
export type ToFanout =
  | {
      readonly kind: 'begin'
      readonly port: number
      readonly host: string
      readonly addresses: readonly string[]
    }
  | { readonly kind: 'ask'; readonly line: number; readonly request: Request }
  | { readonly kind: 'heard'; readonly line: number; readonly answer: Answer }
  | { readonly kind: 'over'; readonly line: number }

/** What it says to the server. */
export type FromFanout =
  | { readonly kind: 'ready' }
  | { readonly kind: 'impossible'; readonly why: string }
  | { readonly kind: 'say'; readonly line: number; readonly request: Request }
  | { readonly kind: 'answer'; readonly line: number; readonly answer: Answer }
