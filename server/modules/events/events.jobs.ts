import { z } from 'zod'
import type { Ctx } from '../../ctx.ts'
import type { JobKind } from '../../engines/jobs/port.ts'
import { type EventRow, findEvent } from './events.queries.ts'
import { eventTexts } from './events.texts.ts'
import { expireFrames } from './partitions.service.ts'

const printerEvent = z.object({ id: z.int(), createdAt: z.iso.datetime() })

/** Spreads one printer event; enqueued in the transaction that writes it. */
export const PRINTER_EVENT: JobKind<z.infer<typeof printerEvent>> = {
  name: 'printer-event',
  schema: printerEvent,
}

/** An event with its words in the owner's language. */
export type ToldEvent = EventRow & { readonly title: string; readonly text: string }

/** A way to tell an event: browsers now, phones and mail in their issues. It decides itself what to tell. */
export type EventChannel = (ctx: Ctx, event: ToldEvent) => Promise<void>

/** Handles the jobs of this module; `channels` are asked in order for every event. */
export function handleEventJobs(ctx: Ctx, channels: readonly EventChannel[]): void {
  ctx.jobs.handle(PRINTER_EVENT, async ({ id, createdAt }) => {
    const event = await findEvent(ctx.db, id, new Date(createdAt))
    if (event === undefined) return
    const told = { ...event, ...eventTexts(event, event.language) }
    for (const tell of channels) await tell(ctx, told)
  })
  ctx.jobs.schedule('partitions', '17 3 * * *', (signal) => expireFrames(ctx, signal))
}
