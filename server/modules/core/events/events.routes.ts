import { webAddress } from '@vigil/contract/core/event-text.ts'
import {
  countPrinterEvents,
  getPrinterEvent,
  listPrinterEvents,
  markEventsSeen,
  type PrinterEvent,
} from '@vigil/contract/core/events.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import type { Edge } from '../../../http/edge.ts'
import { notFound } from '../../../http/errors.ts'
import { onPage } from '../../../http/pages.ts'
import { languageOf, route } from '../../../http/route.ts'
import type { Language } from '../../../http/texts.ts'
import { typesOf } from '../event-log/events.rules.ts'
import { eventTexts } from '../event-log/events.texts.ts'
import { columnUrl } from '../media/index.ts'
import { countFeed, findFeed, findOneOfFeed, type FeedRow } from './feed.queries.ts'
import { markSeen } from './unseen.service.ts'

/** What happened to the caller's printers (docs/wire/rest.md 4). */
export function eventRoutes(app: FastifyInstance, ctx: Ctx): void {
  route(app, listPrinterEvents, async ({ principal, query, edge, request }) => {
    const { filter_by_classes: classes, filter_by_types: types, start, limit } = query
    const rows = await findFeed(ctx.db, principal, { classes, types: typesOf(types), start, limit })
    const reader = { language: languageOf(request), edge }
    return rows.map((row) => presentEvent(ctx, row, reader))
  })

  route(app, countPrinterEvents, async ({ principal }) => {
    const rows = await countFeed(ctx.db, principal)
    return rows.map(({ eventClass, eventType, count }) => ({
      event_class: eventClass,
      event_type: eventType,
      count: Number(count),
    }))
  })

  route(app, getPrinterEvent, async ({ principal, params, edge, request }) => {
    const row = await findOneOfFeed(ctx.db, principal, params.id)
    if (row === undefined) throw notFound()
    return presentEvent(ctx, row, { language: languageOf(request), edge })
  })

  route(app, markEventsSeen, async ({ principal }) => {
    await markSeen(ctx, principal.userId)
    return { unseen_printer_events: 0 }
  })

  // Old clients only open the page, and ask for nothing else.
  onPage(app, /^\/printer_events\/?$/, ({ userId }) => markSeen(ctx, userId))
}

interface Reader {
  readonly language: Language
  readonly edge: Pick<Edge, 'origin' | 'prefix'>
}

/** A PrinterEvent of the wire, in its reader's language (docs/wire/rest.md 5). */
function presentEvent(ctx: Ctx, row: FeedRow, { language, edge }: Reader): PrinterEvent {
  const { title, html } = eventTexts(row, language)
  return {
    id: row.id,
    print: row.printId,
    printer: row.printerId,
    event_type: row.eventType,
    event_class: row.eventClass as PrinterEvent['event_class'],
    event_title: title || null,
    event_text: html || null,
    image_url: columnUrl(ctx, row.image, edge),
    info_url: webAddress(row.infoUrl ?? '') ?? null,
    created_at: row.createdAt.toISOString(),
  }
}
