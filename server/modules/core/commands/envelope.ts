import { z } from 'zod'

/**
 * What travels to the node that holds an agent's socket: who may still want it, when, and for which print
 * (docs/rules/prints.md 4). `command` is checked hardest, `message` carries what the agent should know,
 * `probe` asks whether the agent is alive, `viewers` that browsers came or went.
 */
export const envelope = z.object({
  /** However often it arrives, it is opened once. */
  id: z.string(),
  kind: z.enum(['command', 'message', 'probe', 'viewers']),
  epoch: z.int(),
  expiresAt: z.number(),
  /** The print that it is for; `none`: only while nothing is printed; null: whatever is. */
  printId: z.union([z.int(), z.literal('none')]).nullable(),
  frame: z.record(z.string(), z.unknown()),
})
export type Envelope = z.infer<typeof envelope>

/**
 * Why an envelope was not obeyed. `unanswered` alone leaves open whether it was: it was on its way, or in the socket's
 * buffer, and nobody told how that ended. All others are certain.
 */
const refusal = z.enum([
  'offline',
  'not_responding',
  'busy',
  'expired',
  'other_print',
  'stale_holder',
  'unanswered',
])
export type Refusal = z.infer<typeof refusal>

/** What came of an envelope. `at`, in milliseconds since 1970: when it was written to the live socket. */
export const envelopeAnswer = z.union([
  z.object({ sent: z.literal(true), at: z.number() }),
  z.object({
    sent: z.literal(false),
    reason: refusal,
  }),
])
export type EnvelopeAnswer = z.infer<typeof envelopeAnswer>
