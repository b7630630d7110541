import * as api from '@vigil/contract/watch/feedback.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { notFound } from '../../../http/errors.ts'
import { route } from '../../../http/route.ts'
import { findShot, findShots } from './shots.queries.ts'
import { answerShot, presentShot } from './shots.service.ts'

export { findAsked as printsAskedAbout } from './shots.queries.ts'
export { type Example, type Gathered, gatherExamples } from './dataset.service.ts'
export { shotsOfPrints } from './shots.service.ts'

/** Focused feedback: pictures of a print, one by one, and what their owner sees in them. */
export function registerFeedback(app: FastifyInstance, ctx: Ctx): void {
  route(app, api.listShots, async ({ principal, query, edge }) =>
    (await findShots(ctx.db, { principal, action: 'see', print_id: query.print_id }, query)).map((shot) =>
      presentShot(ctx, shot, edge),
    ),
  )
  route(app, api.getShot, async ({ principal, params, query, edge }) => {
    const shot = await findShot(ctx.db, { principal, action: 'see', ...query }, params.id)
    if (shot === undefined) throw notFound()
    return presentShot(ctx, shot, edge)
  })
  for (const endpoint of [api.putShot, api.patchShot]) {
    route(app, endpoint, async ({ principal, params, query, body, edge }) => {
      const asked = { shotId: params.id, answer: body.answer, ...query }
      const { shot, credited } = await answerShot(ctx, principal, asked)
      return { instance: presentShot(ctx, shot, edge), credited_dhs: credited }
    })
  }
}
