import { type EventChannel, isNewsToBrowsers, toastClass } from '../events/index.ts'
import { tellPassthru } from '../presence/index.ts'

/** Shows events in the printer's open browsers, as agents do with theirs (docs/wire/agents.md 7.3). */
export const toasts: EventChannel = {
  name: 'toast',
  async tell(ctx, event) {
    if (!isNewsToBrowsers({ code: event.code, type: event.eventType })) return
    const printer_event = {
      event_title: event.title,
      event_text: event.html,
      event_class: toastClass(event),
      event_type: event.eventType,
      info_url: event.infoUrl,
    }
    tellPassthru(ctx, event.printerId, { printer_event })
  },
}
