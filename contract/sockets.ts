import { z } from 'zod'
import { printer } from './printers.ts'

/** Browser → server on /ws/web/{id}/: `{}` is the heartbeat (api-contract 1.15). */
export const webFrameIn = z.looseObject({
  passthru: z.looseObject({ ref: z.union([z.string(), z.number()]) }).optional(),
})

/** Server → browser on /ws/web/{id}/: the whole printer, or a passthru item. */
export const webFrameOut = z.union([
  printer.partial(),
  z.object({ passthru: z.record(z.string(), z.unknown()) }),
])

/** Closing codes of ours. 4321 silences one of two agents with one token, and nothing else (agent-protocol 3.8). */
export const CLOSE = { going: 1001, slow: 4000, revoked: 4401, sharedToken: 4321 } as const
