import type { Db } from '../../../engines/db/port.ts'
import type { AlertLinkRow } from '../../tell/notifications/index.ts'

/**
 * How an alert stands: `open`, `answered`, `newer` (there is a later one about the same print), `over` (the printer
 * has another print, or none).
 */
export type Standing = 'open' | 'answered' | 'newer' | 'over'

export async function findStanding(
  db: Db,
  { printerId, notice, answeredAt }: Pick<AlertLinkRow, 'printerId' | 'notice' | 'answeredAt'>,
): Promise<Standing> {
  // Of several prints the message itself is answered.
  if (notice.others !== undefined) return answeredAt === null ? 'open' : 'answered'
  const print = await db
    .selectFrom('printers')
    .innerJoin('prints', 'prints.id', 'printers.currentPrintId')
    .select(['prints.id', 'prints.alertedAt', 'prints.alertAcknowledgedAt'])
    .where('printers.id', '=', printerId)
    .executeTakeFirst()
  if (print === undefined || print.id !== notice.print.id) return 'over'
  // Others than failures are answered by their link alone.
  if (notice.kind !== 'PrintFailure') return answeredAt === null ? 'open' : 'answered'
  const of = notice.print.alertedAt ?? 0
  if ((print.alertedAt?.getTime() ?? 0) > of) return 'newer'
  const isAnswered = answeredAt !== null || (of > 0 && (print.alertAcknowledgedAt?.getTime() ?? 0) >= of)
  return isAnswered ? 'answered' : 'open'
}
