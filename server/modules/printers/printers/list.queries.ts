import { sql } from 'kysely'
import type { UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { statement } from '../../../engines/db/statement.ts'
import { printersVisibleTo, type PrinterScope } from '../../core/access/index.ts'
import { BESIDE, ownOf } from '../rows/printers.queries.ts'

/**
 * `xmin` is the transaction that wrote a row: as long as a version is the same, so is every row that a view of this
 * printer is made of. An open alert stands on more than these (`isAlertOpen`).
 */
const versionRows = (db: Db, scope: PrinterScope) =>
  printersVisibleTo(db, scope)
    .innerJoin('users', 'users.id', 'printers.userId')
    .leftJoin('printerPredictions', 'printerPredictions.printerId', 'printers.id')
    .leftJoin('prints', 'prints.id', 'printers.currentPrintId')
    .leftJoin('gCodeFiles', 'gCodeFiles.id', 'prints.gCodeFileId')
    .select(['printers.id', 'printers.userId'])
    .select(
      sql<string>`row(printers.xmin, prints.xmin, g_code_files.xmin, ${sql.join(BESIDE.map((name) => sql.ref(name)))})::text`.as(
        'version',
      ),
    )
    .orderBy('printers.id')

const inUse = statement((db, userId: UserId) => versionRows(db, ownOf(userId)))
const withArchived = statement((db, userId: UserId) =>
  versionRows(db, { ...ownOf(userId), withArchived: true }),
)

/** Which printers somebody's list has, by id, each with the version of its rows. */
export async function findVersions(db: Db, principal: UserPrincipal, isWithArchived: boolean) {
  if (principal.via === 'key')
    return await versionRows(db, { principal, action: 'see', withArchived: isWithArchived }).execute()
  return await (isWithArchived ? withArchived : inUse)(db, principal.userId)
}
