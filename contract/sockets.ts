import { z } from 'zod'
import { passthruItem } from './core/passthru.ts'
import { printer } from './printers/printers.ts'
import { id } from './values.ts'

/**
 * Browser → server on /ws/web/{id}/ and /ws/token/web/{auth_token}/: `{}` is the heartbeat (docs/wire/browsers.md 1), and
 * `{"ping": n}` is one that has an answer, `{"pong": n}`, on every socket for browsers: a page can't see the pings of
 * websockets, and takes back what it says within 8 s when nobody is at the other end. What stands under `passthru` is described in ./passthru.ts.
 */
export const webFrameIn = z.looseObject({
  passthru: z.looseObject({ ref: z.union([z.string(), z.number()]) }).optional(),
  /** No moving picture is shown: a new still is wanted now. */
  still: z.boolean().optional(),
})

/** Server → browser on both: the whole printer, or a passthru item. */
export const webFrameOut = z.union([printer.partial(), z.object({ passthru: passthruItem })])

/**
 * `/ws/web/all/`: one socket for a whole account. Callers: the browser's session.
 *
 *     → {"watch": [1, 2, 3]}        these printers, and no others, from now on
 *     → {"viewing": [2]}            of them, those whose card is on screen: their agents alone are told of a viewer
 *     → {"still": [2]}              of these, that show no moving picture, a new still is wanted now; each 5 s at most
 *     → {"id": 2, "passthru": {…}}  as on /ws/web/2/, for a printer that is watched
 *     → {} or {"ping": 1}           the heartbeat, every 30 s at least; the second one is answered with {"pong": 1}
 *     ← {"printers": [Printer, …]}  each watched printer once in full, some dozens a frame
 *     ← {"patches": [{"id": 2, "patch": {…}}, …], "gone": [3]}
 *     ← {"feed": {"unseen": 2, "newest": 7}}  the account's events: at once, and whenever that changes
 *     ← {"again": true}          other printers are shared with the account now: the list is to be read again
 *     ← {"id": 2, "passthru": {…}}  answers to this socket and `printer_event`s; no terminal lines
 *
 * A frame may have `printers`, `patches`, `gone` and `feed` at once, in whatever mixture; one goes out every 250 ms at most,
 * and a printer is in it once a second at most. In a patch each key replaces that key of the Printer, but for
 * `status`: `null` replaces it (offline), an object is merged into the held one, key by key, not deeper; there a
 * `null` means null or gone. Where no status is held, the object is the status. `gone`: deleted, or not one's own.
 */
export const accountFrameIn = z.looseObject({
  watch: z.array(id).max(1000).optional(),
  viewing: z.array(id).max(1000).optional(),
  still: z.array(id).max(1000).optional(),
  id: id.optional(),
  passthru: z.unknown().optional(),
})

const patch = printer.partial().extend({ status: z.record(z.string(), z.unknown()).nullable().optional() })

export const accountFrameOut = z.object({
  printers: z.array(printer).optional(),
  patches: z.array(z.object({ id: z.int(), patch })).optional(),
  gone: z.array(z.int()).optional(),
  /** How many events are unseen, and the id of the one that came last. */
  feed: z.object({ unseen: z.int(), newest: z.int().nullable() }).optional(),
  /** Which printers the account sees has changed. */
  again: z.literal(true).optional(),
  id: z.int().optional(),
  passthru: passthruItem.optional(),
})
export type AccountFrameOut = z.infer<typeof accountFrameOut>
export type PrinterPatch = z.infer<typeof patch>

/**
 * Closing codes of ours. 4321 silences one of two agents with one token, and nothing else (docs/wire/agents.md 8.2). `agentAway`: of a
 * socket for video, whose other end is the printer's agent. `full`: as many as there is room for are in.
 */
export const CLOSE = {
  going: 1001,
  full: 1013,
  slow: 4000,
  sharedToken: 4321,
  revoked: 4401,
  agentAway: 4404,
} as const
