import type { PrinterId } from '../../lib/id.ts'
import type { Db } from '../../engines/db/port.ts'
import type { Authorized } from '../access/index.ts'

/** When the agent was last heard, written as it leaves. */
export async function setSeen(db: Db, { id }: Authorized<'edit'>, at: Date): Promise<void> {
  await db.updateTable('printers').set({ agentSeenAt: at }).where('id', '=', id).execute()
}

/** Whose printer it is and what it is called; undefined when deleted or archived. */
export async function findOwned(db: Db, printerId: PrinterId) {
  return await db
    .selectFrom('printers')
    .select(['userId', 'name'])
    .where('id', '=', printerId)
    .where('deletedAt', 'is', null)
    .where('archivedAt', 'is', null)
    .executeTakeFirst()
}
