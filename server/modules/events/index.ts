import type { Ctx } from '../../ctx.ts'
import { type EventChannel, handleEventJobs } from './events.jobs.ts'

export type { EventChannel, ToldEvent } from './events.jobs.ts'
export { isNewsToBrowsers, type EventClass, type EventType } from './events.rules.ts'
export { writeAudit, writeEvent, type AuditEntry, type NewEvent } from './events.service.ts'
export { eventTexts } from './events.texts.ts'

/** Jobs of printer events. `channels` tell each event: the list grows with the ways to tell. */
export function registerEvents(ctx: Ctx, channels: readonly EventChannel[]): void {
  handleEventJobs(ctx, channels)
}
