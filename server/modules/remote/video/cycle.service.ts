import type { PrinterId, UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { byServer } from '../../core/access/index.ts'
import { findCycle, keepCycle } from './video.queries.ts'

/** From the word that a connection stands to its first picture. */
const SLACK_MS = 1_000

/** A plan's video plays until the one and rests until the other, in milliseconds since 1970 (docs/wire/browsers.md 6). */
export interface Cycle {
  readonly playUntil: number
  readonly restUntil: number
}

/** The cycle of a user at a printer, over all of their sockets, nodes and restarts; null when none runs. */
export async function readCycle(
  { db, clock }: Pick<Ctx, 'db' | 'clock'>,
  printerId: PrinterId,
  userId: UserId,
): Promise<Cycle | null> {
  const kept = await findCycle(db, printerId, userId)
  if (kept === undefined) return null
  const [playUntil, restUntil] = [kept.playUntil.getTime(), kept.restUntil.getTime()]
  return restUntil > clock.now() ? { playUntil, restUntil } : null
}

/** The first picture comes: from now on it plays for so long. */
export function beginCycle(
  { db, clock, log }: Pick<Ctx, 'db' | 'clock' | 'log'>,
  { printerId, userId, ms }: { printerId: PrinterId; userId: UserId; ms: number },
): Cycle {
  const playUntil = clock.now() + SLACK_MS + ms
  const begun = { playUntil, restUntil: playUntil + ms }
  keepCycle(db, byServer(printerId), userId, {
    playUntil: new Date(begun.playUntil),
    restUntil: new Date(begun.restUntil),
  }).catch((error: unknown) => log.warn({ err: error, printerId }, 'a cycle of video was not kept'))
  return begun
}
