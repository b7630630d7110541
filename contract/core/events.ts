import { z } from 'zod'
import { readers } from '../callers.ts'
import { endpoint } from '../endpoint.ts'
import { page, timestamp } from '../values.ts'

export const eventClasses = ['ERROR', 'WARNING', 'SUCCESS', 'INFO'] as const
export type EventClass = (typeof eventClasses)[number]

/** docs/wire/rest.md 5, PrinterEvent. `event_text` is HTML: b, i, u, br, links of the web, and no more. */
export const printerEvent = z
  .object({
    id: z.int(),
    print: z.int().nullable(),
    printer: z.int(),
    event_type: z.string(),
    event_class: z.enum(eventClasses),
    event_title: z.string().nullable(),
    event_text: z.string().nullable(),
    image_url: z.string().nullable(),
    info_url: z.string().nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'PrinterEvent' })
export type PrinterEvent = z.infer<typeof printerEvent>

/** Words of a filter: all when it is not given, and nothing when it is given empty. */
const words = z
  .preprocess(
    (value) => (value === undefined || Array.isArray(value) ? value : [value]),
    z.array(z.string().max(64)).max(100).optional(),
  )
  .optional()

/** An event's id is a larger number than those of other things. */
const eventId = z.preprocess(
  (value) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value),
  z.int().positive(),
)

/** What the words of the filter of types stand for; others stand for themselves. */
export const eventTypesOf: Readonly<Partial<Record<string, readonly string[]>>> = {
  ALERT: ['FAILURE_ALERTED', 'ALERT_MUTED', 'ALERT_UNMUTED'],
  PAUSE_RESUME: ['PAUSED', 'RESUMED'],
}

export const listPrinterEvents = endpoint({
  method: 'GET',
  path: '/api/v1/printer_events/',
  callers: readers,
  summary:
    "What happened to the caller's printers, newest first; `ALERT` and `PAUSE_RESUME` stand for several types",
  query: z.object({ filter_by_classes: words, filter_by_types: words, ...page(12, 200) }),
  response: z.array(printerEvent),
})

export const countPrinterEvents = endpoint({
  method: 'GET',
  path: '/api/v1/printer_events/counts/',
  callers: ['session', 'oauth'],
  summary: "How many events of each class and type there are of the caller's printers",
  response: z.array(
    z
      .object({ event_class: z.string(), event_type: z.string(), count: z.int() })
      .meta({ id: 'PrinterEventCount' }),
  ),
})

export const getPrinterEvent = endpoint({
  method: 'GET',
  path: '/api/v1/printer_events/:id/',
  callers: readers,
  summary: 'One event',
  params: z.object({ id: eventId }),
  response: printerEvent,
})

export const markEventsSeen = endpoint({
  method: 'POST',
  path: '/api/v1/printer_events/mark_seen/',
  callers: ['session', 'oauth'],
  summary: 'Nothing is unseen any more',
  response: z.object({ unseen_printer_events: z.int() }),
})
