import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { openBilling } from '../../../engines/billing/index.ts'
import { follow } from './follow.service.ts'
import { reconcile } from './news.service.ts'
import { FOLLOW } from './payments.jobs.ts'
import { paymentRoutes } from './payments.routes.ts'

export { leaveProvider } from './farewell.service.ts'
export { paymentsOf, refundPayment } from './refunds.service.ts'

/** Plans and hours at a price: bought on pages of who takes the money, which are followed. Only the enterprise edition sells anything. */
export function registerPayments(app: FastifyInstance, ctx: Ctx): void {
  const billing = openBilling(ctx)
  const shop = billing && { ...ctx, billing }
  paymentRoutes(app, ctx, shop)
  if (shop === null) return
  ctx.jobs.handle(FOLLOW, (subject) => follow(shop, subject))
  ctx.jobs.schedule('billing-reconciled', '17 * * * *', (signal) => reconcile(shop, signal))
}
