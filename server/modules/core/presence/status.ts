import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { keys, topics } from './names.ts'
import { parseKept } from './parse.ts'

const STATUS_TTL_MS = 150_000
/** OctoPrint's file analysis is the largest part of a status; more than this is no status. */
const MAX_STATUS_TEXT = 262_144

/** A status as its agent gave it: hostile input, but for `_ts` (docs/wire/agents.md 5). */
export type RawStatus = Readonly<Record<string, unknown>>

/** The printer's status; null when it is offline. */
export async function readStatus(
  { live }: Pick<Ctx, 'live'>,
  printerId: PrinterId,
): Promise<RawStatus | null> {
  return parseKept<RawStatus>(await live.get(keys.status(printerId)))
}

/**
 * Replaces the status and tells it as news, at once; null: the printer is offline. False when it is too large to be
 * a status: then nothing changes. A store that is away hears the next one.
 */
export function putStatus(ctx: Pick<Ctx, 'live'>, printerId: PrinterId, status: RawStatus | null): boolean {
  const text = status && JSON.stringify(status)
  if (text !== null && text.length > MAX_STATUS_TEXT) return false
  ctx.live.put(keys.status(printerId), text, STATUS_TTL_MS).catch(() => undefined)
  ctx.live.publish(topics.news(printerId), `{"kind":"status","status":${text}}`)
  return true
}
