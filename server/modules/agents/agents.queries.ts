import type { Db } from '../../engines/db/port.ts'

/** When the agent was last heard, written as it leaves. */
export async function setSeen(db: Db, printerId: number, at: Date): Promise<void> {
  await db.updateTable('printers').set({ agentSeenAt: at }).where('id', '=', printerId).execute()
}
