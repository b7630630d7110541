import type { Id } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'

/** Remembers the picture with boxes beside the raw one. */
export async function setTagged(db: Db, frameId: Id<'frames'>, tagged: string): Promise<void> {
  await db.updateTable('frames').set({ tagged }).where('id', '=', frameId).execute()
}
