import { z } from 'zod'
import { isSdp } from './sdp.rules.ts'

/**
 * What a viewer may say to the Janus of a printer: these kinds, these keys, and nothing else. What comes out of the parser
 * is built anew from what it knows, so no other key of a viewer's reaches an agent (docs/wire/agents.md 4.4).
 */
export const PLUGIN = 'janus.plugin.streaming'

/** Longest message of a viewer, in bytes: an answer with all its candidates has some thousand. */
export const MAX_REQUEST = 65_536

/** Janus' ids have 53 bits at most. */
const janusId = z.int().min(1)
const transaction = z.string().regex(/^[\x21-\x7e]{1,128}$/)
const ofSession = { transaction, session_id: janusId }
const ofHandle = { ...ofSession, handle_id: janusId }
/** A camera's number at its agent; old clients write it as text. */
export const mountpoint = z.union([
  z.int().min(0).max(1_000_000_000),
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
])
const offered = z.boolean().optional()
const sdp = z.string().refine(isSdp)

const body = z.discriminatedUnion('request', [
  z.object({ request: z.literal('info'), id: mountpoint }),
  z.object({
    request: z.literal('watch'),
    id: mountpoint,
    offer_audio: offered,
    offer_video: offered,
    offer_data: offered,
  }),
  z.object({ request: z.enum(['start', 'pause', 'stop']) }),
])

const candidate = z.union([
  z.object({ completed: z.literal(true) }),
  // A browser says so that there are no more.
  z.object({ candidate: z.literal('') }).transform(() => ({ completed: true as const })),
  z.object({
    candidate: z.string().regex(/^(?:a=)?candidate:[\x20-\x7e]{1,500}$/),
    sdpMid: z
      .string()
      .regex(/^[\w-]{0,32}$/)
      .nullish(),
    sdpMLineIndex: z.int().min(0).max(63).nullish(),
  }),
])

const request = z.discriminatedUnion('janus', [
  z.object({ janus: z.literal('create'), transaction }),
  z.object({ janus: z.literal('attach'), ...ofSession, plugin: z.literal(PLUGIN) }),
  z.object({
    janus: z.literal('message'),
    ...ofHandle,
    body,
    jsep: z.object({ type: z.literal('answer'), sdp, trickle: z.boolean().optional() }).optional(),
  }),
  z.object({
    janus: z.literal('trickle'),
    ...ofHandle,
    candidate: candidate.optional(),
    candidates: z.array(candidate).max(20).optional(),
  }),
  z.object({ janus: z.literal(['keepalive', 'destroy']), ...ofSession }),
  z.object({ janus: z.literal(['hangup', 'detach']), ...ofHandle }),
])
export type Request = z.infer<typeof request>
export type WatchBody = Extract<z.infer<typeof body>, { request: 'watch' }>

/** A message that is allowed, as it may be passed on; or why it is not, and what of it an answer names. */
export type ReadRequest =
  | { readonly ok: true; readonly request: Request }
  | { readonly ok: false; readonly code: 403 | 454; readonly transaction: string | null }

/** Reads a viewer's message. Whatever it is, this answers and never throws. */
export function readRequest(text: string): ReadRequest {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return { ok: false, code: 454, transaction: null }
  }
  const parsed = request.safeParse(given)
  if (parsed.success && isAsItShould(parsed.data)) return { ok: true, request: parsed.data }
  const named = z.object({ transaction }).safeParse(given)
  return { ok: false, code: 403, transaction: named.success ? named.data.transaction : null }
}

/** An answer belongs to `start`, and `trickle` says something. */
function isAsItShould(asked: Request): boolean {
  if (asked.janus === 'message') return asked.jsep === undefined || asked.body.request === 'start'
  if (asked.janus === 'trickle') return (asked.candidate === undefined) !== (asked.candidates === undefined)
  return true
}
