import { getPrintTemperatures } from '@vigil/contract/printers/temperatures.ts'
import { getTemperatures } from '@vigil/contract/printers/printers.ts'
import type { FastifyInstance } from 'fastify'
import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { route } from '../../../http/route.ts'
import { requirePrinter } from '../../core/access/index.ts'
import { requirePrint } from '../../prints/prints/index.ts'
import { noteSample, temperaturesOf } from './history.service.ts'
import { keepTemperatures, notePoint, temperaturesOfPrint } from './kept.service.ts'

export { temperaturesOfPrint } from './kept.service.ts'

/** Keeps a status's temperatures: for the last half hour, and for the print. Runs no SQL. */
export function noteTemperatures(ctx: Ctx, printerId: PrinterId, status: Record<string, unknown>): void {
  const sample = noteSample(ctx, printerId, status)
  if (sample !== null) notePoint(ctx, printerId, sample)
}

/** Temperatures of the last half hour and of whole prints; agents' statuses bring them. */
export function registerTemperatures(app: FastifyInstance, ctx: Ctx): void {
  route(app, getTemperatures, async ({ principal, params }) => {
    const { id } = await requirePrinter(ctx, principal, params.id, 'see', { withArchived: true })
    return { heaters: await temperaturesOf(ctx, id) }
  })
  route(app, getPrintTemperatures, async ({ principal, params }) => ({
    heaters: await temperaturesOfPrint(ctx, await requirePrint(ctx, principal, params.id, 'see')),
  }))
  const kept = keepTemperatures(ctx)
  app.addHook('onClose', () => kept.close())
}
