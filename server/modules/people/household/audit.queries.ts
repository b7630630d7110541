import { sql } from 'kysely'
import type { Db } from '../../../engines/db/port.ts'
import { sought, type UserId } from '../../../lib/id.ts'

/** Which rows of an account's log are asked for. */
export interface AuditPage {
  readonly user_id?: number | undefined
  readonly printer_id?: number | undefined
  readonly kind?: 'print' | 'printer' | 'household' | 'admin' | undefined
  readonly before?: number | undefined
  readonly limit: number
}

/** What acts on a print; anything else at a printer changes it. */
const OF_PRINT = ['command.%', 'passthru.%', 'cloud_print.%', 'queue.%', 'alert.%']

/** What was done to an account's printers, deleted ones included, to its household, and by administrators to it; newest first. */
export async function findAudit(db: Db, ownerId: UserId, page: AuditPage) {
  const printers = sql`array(select id from printers where user_id = ${ownerId})`
  const ofHousehold = sql<boolean>`(audit.action like 'household.%' and audit.detail ->> 'account' = ${`${ownerId}`})`
  const byAdmin = sql<boolean>`(audit.action like 'admin.%' and audit.detail ->> 'account' = ${`${ownerId}`})`
  const ofPrinters = sql<boolean>`audit.printer_id = any(${printers})`
  const ofPrint = sql<boolean>`audit.action like any(${OF_PRINT}::text[])`
  let query = db
    .selectFrom('audit')
    .leftJoin('users as u', 'u.id', 'audit.userId')
    .leftJoin('printers as p', 'p.id', 'audit.printerId')
    .select([
      'audit.id',
      'audit.createdAt',
      'audit.actor',
      'audit.action',
      'audit.outcome',
      'audit.detail',
      'u.id as userId',
      'u.firstName',
      'u.lastName',
      'u.email',
      'p.id as printerId',
      'p.name as printerName',
    ])
  if (page.kind === 'household') query = query.where(ofHousehold)
  else if (page.kind === 'admin') query = query.where(byAdmin)
  else if (page.kind !== undefined)
    query = query.where(ofPrinters).where(page.kind === 'print' ? ofPrint : sql<boolean>`not ${ofPrint}`)
  else query = query.where(sql<boolean>`(${ofPrinters} or ${ofHousehold} or ${byAdmin})`)
  if (page.user_id !== undefined) query = query.where('audit.userId', '=', sought<'users'>(page.user_id))
  if (page.printer_id !== undefined)
    query = query.where('audit.printerId', '=', sought<'printers'>(page.printer_id))
  if (page.before !== undefined) query = query.where('audit.id', '<', page.before)
  return await query.orderBy('audit.id', 'desc').limit(page.limit).execute()
}
export type AuditRow = Awaited<ReturnType<typeof findAudit>>[number]
