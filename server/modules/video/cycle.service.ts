import { z } from 'zod'
import type { Ctx } from '../../ctx.ts'

/** From the word that a connection stands to its first picture. */
const SLACK_MS = 1_000

/** A plan's video plays until the one and rests until the other, in milliseconds since 1970 (docs/wire/browsers.md 6). */
const cycle = z.object({ playUntil: z.number(), restUntil: z.number() }).readonly()
export type Cycle = z.infer<typeof cycle>

const keyOf = (printerId: number, userId: number) => `video:cycle:${printerId}:${userId}`

/** The cycle of a user at a printer, over all of their sockets; null when none runs. */
export async function readCycle(
  { live, clock }: Pick<Ctx, 'live' | 'clock'>,
  printerId: number,
  userId: number,
): Promise<Cycle | null> {
  const kept = await live.get(keyOf(printerId, userId))
  if (kept === null) return null
  const known = cycle.parse(JSON.parse(kept.toString()))
  return known.restUntil > clock.now() ? known : null
}

/** The first picture comes: from now on it plays for so long. */
export function beginCycle(
  { live, clock, log }: Pick<Ctx, 'live' | 'clock' | 'log'>,
  { printerId, userId, ms }: { printerId: number; userId: number; ms: number },
): Cycle {
  const playUntil = clock.now() + SLACK_MS + ms
  const begun = { playUntil, restUntil: playUntil + ms }
  live
    .put(keyOf(printerId, userId), JSON.stringify(begun), 2 * ms + SLACK_MS)
    .catch((error: unknown) => log.warn({ err: error, printerId }, 'a cycle of video was not kept'))
  return begun
}
