import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { grantDue } from './grants.service.ts'
import { hoursRoutes } from './hours.routes.ts'

export { expireIncluded, grant, grantDue, type Monthly, setExpiry, setMonthly } from './grants.service.ts'
export { HOURS_LOW } from './hours.jobs.ts'
export { watchHours } from './hours.queries.ts'
export {
  bookPrint,
  credit,
  type Credit,
  hoursOfPrint,
  hoursToWatch,
  isUnlimited,
  LOW_HOURS,
  takeBack,
  undo,
} from './hours.service.ts'

/** Hours of AI detection: what an account has, and how it came to it. Only the enterprise edition counts them. */
export function registerHours(app: FastifyInstance, ctx: Ctx): void {
  hoursRoutes(app, ctx)
  if (ctx.config.IS_ENT) ctx.jobs.schedule('hours-granted', '*/5 * * * *', (signal) => grantDue(ctx, signal))
}
