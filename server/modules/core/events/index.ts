import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { handleEventJobs, registerChannel } from '../event-log/events.jobs.ts'
import { eventRoutes } from './events.routes.ts'
import { unseen } from './unseen.service.ts'

export {
  type EventChannel,
  registerChannel,
  registerCompanion,
  type ToldEvent,
  type WrittenEvent,
} from '../event-log/events.jobs.ts'
export {
  isNewsToBrowsers,
  toastClass,
  type EventClass,
  type EventType,
  type NewEvent,
} from '../event-log/events.rules.ts'
export { writeAudit, writeEvent, writeEvents, type AuditEntry } from '../event-log/events.service.ts'
export { eventTexts, whyLost } from '../event-log/events.texts.ts'
export { findFeedState } from './feed.queries.ts'
export { onUnseen } from './unseen.service.ts'

/** What happened: its list, partitions and retention. Ways to tell of it register themselves: `registerChannel`. */
export function registerEvents(app: FastifyInstance, ctx: Ctx): void {
  eventRoutes(app, ctx)
  registerChannel(ctx, unseen)
  handleEventJobs(ctx)
}
