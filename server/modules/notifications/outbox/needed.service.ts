import type { Db } from '../../../engines/db/port.ts'
import { KINDS } from '../messages/index.ts'
import type { DeliveryRow } from './deliveries.queries.ts'
import { isAnswered, isSeen } from './escalation.queries.ts'
import { isStillFailing } from './reach.queries.ts'

/**
 * Whether somebody still has to be told. Of an alert that was answered nobody is told again, whatever it waited for; who is told
 * only if nobody answers is not told either when anything was done about it. A channel that takes messages again is no news.
 */
export async function isNeeded(db: Db, row: DeliveryRow): Promise<boolean> {
  const { kind, notice, userId } = row
  if (kind === 'ChannelFailing') return await isStillFailing(db, userId, notice.channel?.name ?? '')
  if (KINDS[kind].urgency !== 'alert') return true
  const asked = { ...row, since: row.createdAt }
  if (row.waitsFor === 'escalation' && (await isAnswered(db, asked))) return false
  return !(await isSeen(db, asked))
}
