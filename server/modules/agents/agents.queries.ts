import type { Db } from '../../engines/db/port.ts'

/** When the agent was last heard, written as it leaves. */
export async function setSeen(db: Db, printerId: number, at: Date): Promise<void> {
  await db.updateTable('printers').set({ agentSeenAt: at }).where('id', '=', printerId).execute()
}

/** Whose printer it is and what it is called; undefined when deleted or archived. */
export async function findOwned(db: Db, printerId: number) {
  return await db
    .selectFrom('printers')
    .select(['userId', 'name'])
    .where('id', '=', printerId)
    .where('deletedAt', 'is', null)
    .where('archivedAt', 'is', null)
    .executeTakeFirst()
}
