import type { ShotAnswer } from '@vigil/contract/watch/feedback.ts'
import type { Selectable } from 'kysely'
import { type Id, type PrintId, sought } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { PrintShotFeedbacks } from '../../../engines/db/types.gen.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { type PrinterAction, printersVisibleTo } from '../../core/access/index.ts'

export type ShotRow = Selectable<PrintShotFeedbacks>

export interface ShotScope {
  readonly principal: UserPrincipal
  readonly action: PrinterAction
  readonly print_id?: number | undefined
}

/** Pictures of the prints that the caller may see, of archived and deleted printers and of uploaded videos, too. */
function shotsOf(db: Db, { principal, action, print_id: printId }: ShotScope) {
  const scope = { principal, action, withArchived: true, withDeleted: true } as const
  const visible = printersVisibleTo(db, scope).select('printers.id')
  const query = db
    .selectFrom('printShotFeedbacks as shot')
    .innerJoin('prints', 'prints.id', 'shot.printId')
    .where('prints.userId', '=', principal.userId)
    .where('prints.deletedAt', 'is', null)
    .where((eb) => eb.or([eb('prints.printerId', 'is', null), eb('prints.printerId', 'in', visible)]))
  return printId === undefined ? query : query.where('shot.printId', '=', sought<'prints'>(printId))
}

export async function findShots(
  db: Db,
  scope: ShotScope,
  page: { start: number; limit: number },
): Promise<ShotRow[]> {
  return await shotsOf(db, scope)
    .selectAll('shot')
    .orderBy('shot.printId')
    .orderBy('shot.takenAt')
    .orderBy('shot.id')
    .offset(page.start)
    .limit(page.limit)
    .execute()
}

/** A picture, with whose print it is of. */
export async function findShot(db: Db, scope: ShotScope, shotId: number) {
  return await shotsOf(db, scope)
    .selectAll('shot')
    .select('prints.userId')
    .where('shot.id', '=', sought<'printShotFeedbacks'>(shotId))
    .executeTakeFirst()
}

/** Pictures of these prints, in the order they were taken. */
export async function findShotsOfPrints(db: Db, printIds: readonly PrintId[]): Promise<ShotRow[]> {
  if (printIds.length === 0) return []
  return await db
    .selectFrom('printShotFeedbacks')
    .selectAll()
    .where('printId', 'in', printIds)
    .orderBy('takenAt')
    .orderBy('id')
    .execute()
}

/** The pictures of a print, locked until the transaction ends: which of them are answered is decided by one at a time. */
export async function lockShots(db: Db, printId: PrintId): Promise<ShotRow[]> {
  return await db
    .selectFrom('printShotFeedbacks')
    .selectAll()
    .where('printId', '=', printId)
    .orderBy('id')
    .forUpdate()
    .execute()
}

export async function writeAnswer(
  db: Db,
  shotId: Id<'printShotFeedbacks'>,
  answer: ShotAnswer,
  answeredAt: Date,
): Promise<ShotRow> {
  return await db
    .updateTable('printShotFeedbacks')
    .set({ answer, answeredAt, updatedAt: answeredAt })
    .where('id', '=', shotId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Which of these prints have a picture that nobody has answered. */
export async function findAsked(db: Db, printIds: readonly PrintId[]): Promise<Set<number>> {
  if (printIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('printShotFeedbacks')
    .select('printId')
    .distinct()
    .where('printId', 'in', printIds)
    .where('answeredAt', 'is', null)
    .execute()
  return new Set(rows.map(({ printId }) => printId))
}
