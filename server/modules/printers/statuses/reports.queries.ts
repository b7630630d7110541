import type { PrinterId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { Authorized } from '../../core/access/index.ts'

/** Printer, owner and settings as an agent's session needs them; undefined when deleted or archived. */
export async function findAgentPrinter(db: Db, printerId: PrinterId) {
  return await db
    .selectFrom('printers')
    .innerJoin('users', 'users.id', 'printers.userId')
    .select([
      'printers.id',
      'printers.userId',
      'printers.name',
      'printers.retractOnPause',
      'printers.watchingEnabled',
      'printers.agentSettings',
      'printers.agentName',
      'printers.agentVersion',
      'users.isPro',
      'users.dhBalance',
    ])
    .where('printers.id', '=', printerId)
    .where('printers.deletedAt', 'is', null)
    .where('printers.archivedAt', 'is', null)
    .executeTakeFirst()
}
export type AgentPrinter = NonNullable<Awaited<ReturnType<typeof findAgentPrinter>>>

export async function updateAgent(
  db: Db,
  { id }: Authorized<'edit'>,
  {
    settings,
    agentName,
    agentVersion,
  }: { settings: object; agentName: string | null; agentVersion: string | null },
): Promise<void> {
  await db
    .updateTable('printers')
    .set({ agentSettings: JSON.stringify(settings), agentName, agentVersion })
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .execute()
}

export async function renamePrinter(db: Db, { id }: Authorized<'edit'>, name: string): Promise<void> {
  await db.updateTable('printers').set({ name, updatedAt: new Date() }).where('id', '=', id).execute()
}
