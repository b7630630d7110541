import type { PrinterId, UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { Authorized } from '../../core/access/index.ts'

/** A printer's settings as its agent sent them, and its owner's plan; undefined when it is no more. */
export async function findCameras(db: Db, printerId: PrinterId) {
  return await db
    .selectFrom('printers')
    .innerJoin('users', 'users.id', 'printers.userId')
    .select(['printers.agentSettings', 'users.isPro', 'users.brand'])
    .where('printers.id', '=', printerId)
    .where('deletedAt', 'is', null)
    .where('archivedAt', 'is', null)
    .executeTakeFirst()
}

/** The cycle that a user's video was last in at a printer. */
export async function findCycle(db: Db, printerId: PrinterId, userId: UserId) {
  return await db
    .selectFrom('videoCycles')
    .select(['playUntil', 'restUntil'])
    .where('printerId', '=', printerId)
    .where('userId', '=', userId)
    .executeTakeFirst()
}

/** Keeps the cycle that has begun, in the place of the one before. */
export async function keepCycle(
  db: Db,
  { id: printerId }: Authorized<'see'>,
  userId: UserId,
  cycle: { readonly playUntil: Date; readonly restUntil: Date },
): Promise<void> {
  await db
    .insertInto('videoCycles')
    .values({ printerId, userId, ...cycle })
    .onConflict((conflict) => conflict.columns(['printerId', 'userId']).doUpdateSet(cycle))
    .execute()
}
