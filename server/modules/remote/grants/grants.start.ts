import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { everyTick } from '../../../lib/ticks.ts'
import { endVanished, hearEnds } from './ends.ts'
import { printerGone } from './grants.service.ts'
import { deleteRevoked } from './tunnels.queries.ts'
import { deleteBefore } from './usage.queries.ts'
import { WRITE_EVERY_MS, writeUsage } from './usage.service.ts'

const VANISHED_MS = 30_000
/** How long what was used is kept, and what was revoked. */
const KEPT_MS = 400 * 24 * 3_600_000

/** Counts what tunnels carry, and ends what may not stay open. */
export async function registerGrants(app: FastifyInstance, ctx: Ctx): Promise<void> {
  const stopHearing = await hearEnds(ctx)
  everyTick(ctx, VANISHED_MS, () => endVanished(ctx))
  everyTick(ctx, WRITE_EVERY_MS, () => writeUsage(ctx))
  ctx.events.on('printer.deleted', ({ printerId, why }) => {
    if (why === 'relinked') return
    printerGone(ctx, printerId, why === 'deleted').catch((error: unknown) =>
      ctx.log.warn(
        { err: error, printerId },
        'the tunnels of a printer that is gone keep their ports for now',
      ),
    )
  })
  ctx.jobs.schedule('forget-tunnels', '43 3 * * *', async () => {
    const before = new Date(ctx.clock.now() - KEPT_MS)
    await deleteBefore(ctx.db, before.toISOString().slice(0, 7))
    await deleteRevoked(ctx.db, before)
  })
  app.addHook('onClose', async () => {
    stopHearing()
    await writeUsage(ctx).catch((error: unknown) =>
      ctx.log.warn({ err: error }, 'the last bytes of tunnels were not counted'),
    )
  })
}
