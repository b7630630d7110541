import { webAddress } from '@vigil/contract/core/event-text.ts'
import type { PrinterEvent } from '@vigil/contract/core/events.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Edge } from '../../../http/edge.ts'
import type { Language } from '../../../http/texts.ts'
import { columnUrl } from '../media/index.ts'
import { eventTexts } from '../event-log/events.texts.ts'
import type { FeedRow } from './feed.queries.ts'

interface Reader {
  readonly language: Language
  readonly edge: Pick<Edge, 'origin' | 'prefix'>
}

/** A PrinterEvent of the wire, in its reader's language (docs/wire/rest.md 5). */
export function presentEvent(ctx: Ctx, row: FeedRow, { language, edge }: Reader): PrinterEvent {
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
