import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../ctx.ts'
import { handleEventJobs, registerChannel } from './events.jobs.ts'
import { eventRoutes } from './events.routes.ts'
import { unseen } from './unseen.service.ts'

export {
  type EventChannel,
  registerChannel,
  registerCompanion,
  type ToldEvent,
  type WrittenEvent,
} from './events.jobs.ts'
export {
  isNewsToBrowsers,
  toastClass,
  type EventClass,
  type EventType,
  type NewEvent,
} from './events.rules.ts'
export { writeAudit, writeEvent, type AuditEntry } from './events.service.ts'
export { eventTexts, whyLost } from './events.texts.ts'
export { findFeedState } from './feed.queries.ts'
export { onUnseen } from './unseen.service.ts'

/** What happened: its list, partitions and retention. Ways to tell of it register themselves: `registerChannel`. */
export function registerEvents(app: FastifyInstance, ctx: Ctx): void {
  eventRoutes(app, ctx)
  registerChannel(ctx, unseen)
  handleEventJobs(ctx)
}
