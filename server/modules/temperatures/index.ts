import { getTemperatures } from '@vigil/contract/printers.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../ctx.ts'
import { notFound } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import { findViews } from '../printers/index.ts'
import { temperaturesOf } from './history.service.ts'

export { noteTemperatures } from './history.service.ts'

/** The last half hour's temperatures for the plot; agents' statuses bring them. */
export function registerTemperatures(app: FastifyInstance, ctx: Ctx): void {
  route(app, getTemperatures, async ({ principal, params }) => {
    const [view] = await findViews(ctx.db, { principal, action: 'see', withArchived: true }, params.id)
    if (view === undefined) throw notFound()
    return { heaters: await temperaturesOf(ctx, params.id) }
  })
}
