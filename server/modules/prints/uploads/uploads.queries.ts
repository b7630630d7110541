import type { Id, PrintId, UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'

/** Whose plan counts, and when the uploads since then came, oldest first; deleted ones count. */
export async function findUploads(db: Db, userId: UserId, since: Date) {
  const user = await db
    .selectFrom('users')
    .select(['isPro', 'brand'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const rows = await db
    .selectFrom('prints')
    .select('uploadedAt')
    .where('userId', '=', userId)
    .where('uploadedAt', '>', since)
    .orderBy('uploadedAt')
    .execute()
  return { ...user, times: rows.flatMap(({ uploadedAt }) => uploadedAt ?? []) }
}

interface NewUpload {
  readonly userId: UserId
  readonly filename: string
  readonly uploadedAt: Date
  readonly source: string
  readonly sourceSeconds: number | null
  readonly fileBytes: number
}

/** A print without a printer, and the film that its time-lapse is made of. */
export async function insertUpload(
  db: Db,
  { userId, filename, uploadedAt, ...source }: NewUpload,
): Promise<PrintId> {
  const { id: printId } = await db
    .insertInto('prints')
    .values({ userId, filename, uploadedAt })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('timelapses')
    .values({ printId, endedAt: uploadedAt, ...source })
    .execute()
  return printId
}

/** Remembers a picture that was taken out of a film. */
export async function insertFrame(
  db: Db,
  frame: {
    printId: PrintId
    picture: string
    numBytes: number
    width: number
    height: number
    createdAt: Date
  },
): Promise<Id<'frames'>> {
  const { id } = await db
    .insertInto('frames')
    .values({ printerId: null, ...frame })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** The detector warned at that time of an uploaded print: what it says can be judged as of any other. */
export async function setAlerted(db: Db, printId: PrintId, at: Date | null): Promise<void> {
  await db.updateTable('prints').set({ alertedAt: at }).where('id', '=', printId).execute()
}
