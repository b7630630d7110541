import { z } from 'zod'

/**
 * Video (docs/wire/browsers.md 6): `/ws/janus/{id}/`, `/ws/token/janus/{auth_token}/`, `/ws/share_token/janus/{token}/`, subprotocol
 * `janus-protocol`. Both ways go messages of Janus' own protocol as JSON text; Janus runs beside the printer's agent. What
 * may be said to it, and what of its answers is passed on: server/modules/remote/janus/janus.rules.ts.
 *
 * What we add to Janus' messages:
 *
 *     success of create           "ice_servers": what `RTCPeerConnection` gets; good for an hour
 *     webrtcup                    "play": {"left_ms": 30000}, where the plan's video plays for so long only
 *     event, status "stopped"     "rest": {"left_ms": 30000}: the time is up; "timeout" of the session follows
 *     event, error_code 4290      "rest": as above; `watch` or `start` came while the video rests
 *     error                       from us: code 403 not allowed, 429 too much at once, 454 no JSON, 458 or 459 not one's own session or
 *                                 handle, 503 not now
 *
 * Closing codes: contract/sockets.ts.
 */
export const iceServer = z.object({
  urls: z.array(z.string()),
  username: z.string().optional(),
  credential: z.string().optional(),
})
export type IceServer = z.infer<typeof iceServer>

const left = z.object({ left_ms: z.number() }).optional().catch(undefined)

/** What stands beside Janus' own keys in a message to a browser. */
export const videoExtras = z.looseObject({
  ice_servers: z.array(iceServer).optional().catch(undefined),
  play: left,
  rest: left,
})
export type VideoExtras = Pick<z.infer<typeof videoExtras>, 'ice_servers' | 'play' | 'rest'>

/** `error_code` of an event that says that the plan's video rests. */
export const RESTING = 4290
