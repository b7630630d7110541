import type { Selectable } from 'kysely'
import { sought } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { Printers } from '../../../engines/db/types.gen.ts'
import type { Principal } from '../../../http/principal.ts'
import { printersVisibleTo } from '../../core/access/index.ts'
import { watchHours } from '../../shop/hours/index.ts'

export type PrinterRow = Selectable<Printers>

/** Printers that the caller may see, archived and deleted ones included, with what their state hangs on. */
export async function findStateRows(db: Db, principal: Principal, ids: readonly number[]) {
  const scope = { principal, action: 'see', withArchived: true, withDeleted: true } as const
  const rows = await printersVisibleTo(db, scope)
    .innerJoin('users', 'users.id', 'printers.userId')
    .leftJoin('prints', 'prints.id', 'printers.currentPrintId')
    .selectAll('printers')
    .select([watchHours, 'users.isPro', 'users.brand', 'prints.startedAt', 'prints.alertMutedAt'])
    .select(['prints.watchedSeconds', 'prints.watchedOf'])
    .where('printers.id', 'in', ids.map(sought<'printers'>))
    .execute()
  return rows.map(({ watchHours: detectionHours, isPro, brand, startedAt, alertMutedAt, ...row }) => {
    const { watchedSeconds, watchedOf, ...printer } = row
    return {
      printer,
      print: watchedSeconds === null ? null : { startedAt, alertMutedAt, watchedSeconds, watchedOf },
      detectionHours,
      isPro,
      brand,
    }
  })
}
