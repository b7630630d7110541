import sharp from 'sharp'
import type { TestApp } from '../../../test/app.ts'
import { writeEvent } from '../../core/events/index.ts'

type Event = Parameters<typeof writeEvent>[1]

/** Writes an event as the rest of the server does: in a transaction. */
export const happens = (app: TestApp, event: Event) =>
  app.ctx.db.transaction().execute((tx) => writeEvent({ ...app.ctx, db: tx }, event))

/** What goes on with a print of `benchy.gcode` on a Voron. */
export const ofBenchy = (
  of: Pick<Event, 'userId' | 'printerId' | 'printId'>,
  code: string,
  type: string,
) => ({
  ...of,
  type: type as Event['type'],
  class: 'INFO' as const,
  code,
  params: { printer: 'Voron', file: 'benchy.gcode' },
})

/** A stored picture of a failure. */
export async function aTaggedPicture(app: TestApp, printerId: number, printId: number) {
  const image = { container: 'tsd-pics', path: `tagged/${printerId}/${printId}/1.jpg` } as const
  const jpeg = await sharp({ create: { width: 64, height: 48, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer()
  await app.ctx.files.put(image, jpeg)
  return image
}

/** What is kept of a print, for who has to be told while the database is away. */
export const NAMED = {
  name: 'Voron',
  actionOnFailure: 'NONE',
  watchingEnabled: true,
  agentSettings: null,
  filename: 'benchy.gcode',
  startedAt: null,
  finishedAt: null,
  cancelledAt: null,
  alertedAt: null,
  alertOverwrite: null,
}
