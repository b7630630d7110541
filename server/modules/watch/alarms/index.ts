import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { everyTick } from '../../../lib/ticks.ts'
import { Rounds } from './rounds.ts'

const ROUND_MS = 5_000

/**
 * Owners are told when a print that runs is no longer watched, and when it is again (docs/rules/watch.md 8). Every few seconds
 * each print is looked at, by one node, with the eyes of its page; a node that dies is followed by another, and a server that was
 * away, or whose database was, finds out by itself for how long nobody looked.
 */
export function registerAlarms(app: FastifyInstance, ctx: Ctx): void {
  if (ctx.config.ROLE === 'web') return
  const rounds = new Rounds(ctx)
  const ms = Math.max(50, ROUND_MS / ctx.config.DETECTION_TIME_SCALE)
  // Not before the jobs run: an alarm commits with what has it sent.
  app.addHook('onReady', async () => void everyTick(ctx, ms, () => rounds.next()))
  app.addHook('onClose', () => rounds.end())
}
