import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { everyTick } from '../../../lib/ticks.ts'
import { registerCompanion } from '../../core/events/index.ts'
import { watchBeds } from './beds.service.ts'
import { deleteDone } from '../queue-plan/entries.queries.ts'
import { followStarts } from '../queue-start/follow.service.ts'
import { allSent, QUEUE_NEXT, startNext } from '../queue-start/next.service.ts'
import { queueRoutes } from './queue.routes.ts'
import { hearEvents } from '../queue-start/told.service.ts'

/** A server that stops waits so long for what is on its way. */
const LAST_MS = 5_000
const LOOK_EVERY_MS = 2_000
const KEPT_MS = 90 * 24 * 3_600_000
const BATCH = 5_000

/** What is to be printed next, on one printer or on any that fits, each time somebody has cleared the bed (docs/rules/files.md). */
export function registerQueue(app: FastifyInstance, ctx: Ctx): void {
  queueRoutes(app, ctx)
  registerCompanion(ctx, hearEvents)
  ctx.jobs.handle(QUEUE_NEXT, async ({ userId }) => await startNext(ctx, userId))
  ctx.jobs.schedule('forget-queue', '29 3 * * *', async (signal) => {
    const before = new Date(ctx.clock.now() - KEPT_MS)
    while (!signal.aborted && (await deleteDone(ctx.db, before, BATCH)) > 0);
  })
  app.addHook('onClose', async () => {
    await Promise.race([allSent(), sleep(LAST_MS, undefined, { ref: false })])
  })
  if (ctx.config.ROLE === 'web') return
  const look = async () => {
    await followStarts(ctx)
    await watchBeds(ctx)
  }
  // Not before the jobs run: what begins commits with what has it told.
  app.addHook('onReady', async () => void everyTick(ctx, LOOK_EVERY_MS, look))
}
