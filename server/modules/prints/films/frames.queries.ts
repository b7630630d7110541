import { z } from 'zod'
import type { Id, PrintId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { MediaRef } from '../../../engines/files/port.ts'

/** A stored picture of a print. */
export interface StoredFrame {
  readonly id: Id<'frames'>
  readonly at: Date
  /** As it came, not turned. */
  readonly picture: MediaRef
  /** With what was found drawn on it, where there was something. */
  readonly tagged: MediaRef | null
  readonly numBytes: number
  readonly width: number
  readonly height: number
}

/** The frames of a print, in the order in which they came; none when they have gone. */
export async function findFrames(db: Db, printId: PrintId): Promise<StoredFrame[]> {
  return await db
    .selectFrom('frames')
    .select(['id', 'createdAt as at', 'picture', 'tagged', 'numBytes', 'width', 'height'])
    .where('printId', '=', printId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

const box = z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number(), score: z.number() })
const looked = z.object({
  boxes: z.array(box).catch([]),
  decision: z.enum(['none', 'warn', 'pause']).catch('none'),
  state: z.object({
    currentFrameNum: z.number(),
    lifetimeFrameNum: z.number(),
    currentP: z.number(),
    ewmMean: z.number(),
    rollingMeanShort: z.number(),
    rollingMeanLong: z.number(),
    normalizedP: z.number(),
  }),
})

/** What the detector said of a frame. */
export interface Look extends z.infer<typeof looked> {
  readonly frameId: Id<'frames'> | null
  readonly at: Date
  /** Null: nothing could be said. */
  readonly score: number | null
  /** Why the picture could not be judged. */
  readonly blind: string | null
}

/** What the detector said of a print's frames, in the order of time. */
export async function findLooks(db: Db, printId: PrintId): Promise<Look[]> {
  const rows = await db
    .selectFrom('decisions')
    .select(['frameId', 'createdAt as at', 'score', 'blind', 'boxes', 'decision', 'state'])
    .where('printId', '=', printId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  return rows.flatMap(({ boxes, decision, state, ...row }) => {
    const read = looked.safeParse({ boxes, decision, state })
    return read.success ? [{ ...row, ...read.data }] : []
  })
}

/** A page of the records of decisions, with all that a replay needs. */
export async function findRecords(
  db: Db,
  printId: PrintId,
  after: { at: Date; id: number } | null,
  limit: number,
) {
  let query = db
    .selectFrom('decisions')
    .select([
      'id',
      'frameId',
      'createdAt as at',
      'model',
      'score',
      'blind',
      'boxes',
      'ignoreZones',
      'heat',
      'state',
      'decision',
    ])
    .where('printId', '=', printId)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(limit)
  if (after !== null)
    query = query.where((eb) =>
      eb.or([
        eb('createdAt', '>', after.at),
        eb.and([eb('createdAt', '=', after.at), eb('id', '>', after.id)]),
      ]),
    )
  return await query.execute()
}

/** Pictures that events of a print show: they outlive its frames. */
export async function findShownPictures(db: Db, printId: PrintId): Promise<MediaRef[]> {
  const rows = await db
    .selectFrom('printerEvents')
    .select('image')
    .where('printId', '=', printId)
    .where('image', 'is not', null)
    .execute()
  return rows.flatMap(({ image }) => image ?? [])
}

/** Forgets the frames of a print and what was decided on them. */
export async function deleteFrames(db: Db, printId: PrintId): Promise<void> {
  await db.deleteFrom('frames').where('printId', '=', printId).execute()
  await db.deleteFrom('decisions').where('printId', '=', printId).execute()
}
