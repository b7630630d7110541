import { getTemperatures } from '@vigil/contract/printers.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../ctx.ts'
import { route } from '../../http/route.ts'
import { requirePrinter } from '../access/index.ts'
import { temperaturesOf } from './history.service.ts'

export { noteTemperatures } from './history.service.ts'

/** The last half hour's temperatures for the plot; agents' statuses bring them. */
export function registerTemperatures(app: FastifyInstance, ctx: Ctx): void {
  route(app, getTemperatures, async ({ principal, params }) => {
    await requirePrinter(ctx, principal, params.id, 'see', { withArchived: true })
    return { heaters: await temperaturesOf(ctx, params.id) }
  })
}
