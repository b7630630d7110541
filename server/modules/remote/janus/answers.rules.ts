import { z } from 'zod'
import { PLUGIN } from './janus.rules.ts'
import { isSdp, withoutAddresses, withoutRelated } from './sdp.rules.ts'

/**
 * What of a Janus' messages viewers are told: built anew, too, since an agent is a stranger's program. Ports, addresses and secrets
 * of its cameras stay behind (docs/wire/agents.md 4.4).
 */
const MAX_ANSWER = 262_144

const janusId = z.int().min(1)
const words = (most: number) => z.string().transform((text) => text.slice(0, most))
/** What is odd is left out, and the rest stays. */
const lenient = <T extends z.ZodType>(type: T) => type.optional().catch(undefined)
const flag = lenient(z.boolean())

const media = z.object({
  mid: lenient(words(32)),
  mindex: lenient(z.int()),
  type: lenient(words(16)),
  label: lenient(words(64)),
  codec: lenient(words(32)),
})

const info = z.object({
  id: z.union([z.int(), words(64)]),
  type: lenient(words(32)),
  description: lenient(words(200)),
  enabled: flag,
  media: lenient(z.array(media).max(20)),
  // Janus before 1.0
  audio: flag,
  video: flag,
  data: flag,
})

const data = z.object({
  streaming: lenient(words(32)),
  info: lenient(info),
  result: lenient(z.object({ status: words(64) })),
  error_code: lenient(z.int()),
  error: lenient(words(300)),
})

const jsep = z.object({
  type: z.literal('offer'),
  sdp: z.string().refine(isSdp).transform(withoutAddresses),
  restart: flag,
})
const candidate = z.union([
  z.object({ completed: z.literal(true) }),
  z.object({
    candidate: z
      .string()
      .regex(/^(?:a=)?candidate:[\x20-\x7e]{1,500}$/)
      .transform(withoutRelated),
    sdpMid: lenient(words(32)),
    sdpMLineIndex: lenient(z.int().min(0).max(63)),
  }),
])

const common = {
  transaction: z.string().max(200).optional(),
  session_id: janusId.optional(),
  sender: janusId.optional(),
}
const plugindata = z.object({ plugin: z.literal(PLUGIN), data })

const answer = z.discriminatedUnion('janus', [
  z.object({
    janus: z.literal('success'),
    ...common,
    data: lenient(z.object({ id: janusId })),
    plugindata: lenient(plugindata),
  }),
  z.object({
    janus: z.literal('error'),
    ...common,
    error: z.object({ code: z.int(), reason: words(300) }),
  }),
  z.object({
    janus: z.literal('event'),
    ...common,
    plugindata: lenient(plugindata),
    jsep: jsep.optional(),
  }),
  z.object({ janus: z.literal('trickle'), ...common, candidate }),
  z.object({
    janus: z.literal('media'),
    ...common,
    type: lenient(words(16)),
    mid: lenient(words(32)),
    receiving: flag,
    seconds: lenient(z.number()),
  }),
  z.object({
    janus: z.literal('slowlink'),
    ...common,
    media: lenient(words(16)),
    mid: lenient(words(32)),
    uplink: flag,
    lost: lenient(z.number()),
    nacks: lenient(z.number()),
  }),
  z.object({ janus: z.literal('hangup'), ...common, reason: lenient(words(300)) }),
  z.object({ janus: z.literal(['ack', 'webrtcup', 'timeout', 'detached']), ...common }),
])
export type Answer = z.infer<typeof answer>

/** Reads what an agent's Janus said; null for what no viewer is told. */
export function readAnswer(text: string): Answer | null {
  if (text.length > MAX_ANSWER) return null
  try {
    const parsed = answer.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
