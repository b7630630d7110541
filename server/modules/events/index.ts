import type { Ctx } from '../../ctx.ts'
import { handleEventJobs } from './events.jobs.ts'

export { type EventChannel, registerChannel, type ToldEvent } from './events.jobs.ts'
export { isNewsToBrowsers, toastClass, type EventClass, type EventType } from './events.rules.ts'
export { writeAudit, writeEvent, type AuditEntry, type NewEvent } from './events.service.ts'
export { eventTexts } from './events.texts.ts'

/** Partitions and retention of what happened. Ways to tell of it register themselves: `registerChannel`. */
export function registerEvents(_app: unknown, ctx: Ctx): void {
  handleEventJobs(ctx)
}
