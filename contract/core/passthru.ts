import { z } from 'zod'

/**
 * Speaking with the printer (docs/wire/agents.md 7.2). On `/ws/web/{id}/` and `/ws/token/web/{auth_token}/`:
 *
 *     → {"passthru": {"ref": "k3…", "target": "_printer", "func": "jog", "args": [{"x": 10}]}}
 *     ← {"passthru": {"ref": "k3…", "ret": null}}          from the agent, to the socket that asked alone
 *     ← {"passthru": {"ref": "k3…", "error": "…"}}         from the agent
 *     ← {"passthru": {"ref": "k3…", "error": "…", "code": "offline"}}   from us: nothing was done
 *     ← {"passthru": {"terminal_feed": {"msg": "…", "_ts": 1.5}}}       unasked, to all sockets of the owner
 *     ← {"passthru": {"printer_event": {"event_title": "…", …}}}        unasked, to all sockets of the owner
 *
 * `ref` is the client's: random and long, never used twice, because agents ignore one that they have seen. What may
 * be called is listed in server/modules/core/passthru/passthru.rules.ts, one table for each agent. On `/ws/web/all/` the
 * same frames carry the printer's `id` beside `passthru`, both ways.
 */
export const passthruCall = z.object({
  ref: z.union([z.string().min(1).max(200), z.number()]),
  target: z.string().max(60),
  func: z.string().max(300),
  args: z.array(z.unknown()).max(10).optional(),
  /** For Klipper's `moonraker_api` also `verb`, `get` or `post`: the agent reads it here and nowhere else. */
  kwargs: z.record(z.string().max(100), z.unknown()).optional(),
  force: z.boolean().optional(),
})
export type PassthruCall = z.infer<typeof passthruCall>

/**
 * Why we, and not the agent, answered with an error. `offline`: nobody to pass it to; `timeout`: no answer in 60 s,
 * whether it was done is unknown; `not_supported`: not on the agent's list; `invalid`: an argument out of bounds;
 * `repeated`: the `ref` was used before; `throttled`: too many at once.
 */
export const passthruRefusal = z.enum([
  'offline',
  'timeout',
  'not_supported',
  'invalid',
  'repeated',
  'throttled',
  'not_allowed',
])
export type PassthruRefusal = z.infer<typeof passthruRefusal>

/** The words for each (docs/rules/pages.md); a client may say them in its own language by the code. */
export const PASSTHRU_ERRORS: Readonly<Record<PassthruRefusal, string>> = {
  offline: 'Message not passed through. No suitable WebSocket.',
  timeout: 'Failed to contact printer. Is it powered on and connected to Internet?',
  not_supported: 'This request is not supported.',
  invalid: 'This request has an argument that is not allowed.',
  repeated: 'This request was sent before.',
  throttled: 'Too many requests. Please wait a moment.',
  not_allowed: 'You may look at this printer, and not act on it.',
}

/** What arrives under `passthru`: an answer has a `ref`, anything else came unasked. */
export const passthruItem = z.union([
  z.object({
    ref: z.union([z.string(), z.number()]),
    ret: z.unknown().optional(),
    error: z.unknown().optional(),
    code: passthruRefusal.optional(),
  }),
  z.object({ terminal_feed: z.object({ msg: z.string(), _ts: z.number().optional() }) }),
  z.object({ printer_event: z.record(z.string(), z.unknown()) }),
])
export type PassthruItem = z.infer<typeof passthruItem>

/** Stands as `type` beside `passthru` in what browsers and apps are told: apps read it. */
export const WEB_MESSAGE = 'web.message'

/** How long an answer is waited for. */
export const PASSTHRU_TIMEOUT_MS = 60_000
