import type { Ctx } from '../../ctx.ts'
import { isNewsToBrowsers, type ToldEvent } from '../events/index.ts'
import { topics } from './keys.ts'

/** An event channel: shows the event in the printer's open browsers, as agents do with theirs (agent-protocol 3.7). */
export async function toastEvent(ctx: Ctx, event: ToldEvent): Promise<void> {
  if (!isNewsToBrowsers({ code: event.code, type: event.eventType })) return
  const printer_event = {
    event_title: event.title,
    event_text: event.text,
    event_class: event.eventClass,
    event_type: event.eventType,
    info_url: event.infoUrl,
  }
  ctx.live.publish(topics.passthru(event.printerId), JSON.stringify({ passthru: { printer_event } }))
}
