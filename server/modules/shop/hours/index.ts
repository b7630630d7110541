import * as api from '@vigil/contract/shop/hours.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { notFound } from '../../../http/errors.ts'
import { languageOf, route } from '../../../http/route.ts'
import { text } from '../../../http/texts.ts'
import { findTransactions } from './hours.queries.ts'
import { hoursOf } from './hours.service.ts'

export { credit, type Credit, hoursOfPrint, isUnlimited, LOW_HOURS } from './hours.service.ts'

/** Hours of AI detection: what an account has, and how it came to it. Only the enterprise edition counts them. */
export function registerHours(app: FastifyInstance, ctx: Ctx): void {
  const needEnterprise = () => {
    if (!ctx.config.IS_ENT) throw notFound()
  }
  route(app, api.getDetectionHours, async ({ principal }) => {
    needEnterprise()
    return await hoursOf(ctx, principal.userId)
  })
  route(app, api.listHourTransactions, async ({ principal, query, request }) => {
    needEnterprise()
    const language = languageOf(request)
    const rows = await findTransactions(ctx.db, principal.userId, query)
    return rows.map(({ id, createdAt, hours, kind, bucket, reason, printId, balanceAfter }) => ({
      id,
      created_at: createdAt.toISOString(),
      hours,
      kind: kind as api.HourKind,
      bucket: bucket as api.HourBucket,
      description: text('hours-server', reason).in(language),
      print: printId,
      balance_after: balanceAfter,
    }))
  })
}
