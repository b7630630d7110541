import type { Db } from '../../../engines/db/port.ts'
import { KINDS, type NamedPrint, type Notice } from '../messages/index.ts'
import type { DeliveryRow } from '../deliveries/deliveries.queries.ts'
import { isAnswered, isSeen } from '../deliveries/escalation.queries.ts'
import { stillHears } from '../deliveries/hearing.queries.ts'
import { findUnwatched } from '../deliveries/gathered.queries.ts'
import { isStillFailing } from '../deliveries/reach.queries.ts'

/**
 * Whether somebody still has to be told. Of an alert that was answered nobody is told again, whatever it waited for; who is told
 * only if nobody answers is not told either when anything was done about it. A channel that takes messages again is no news.
 */
export async function isNeeded(db: Db, row: DeliveryRow): Promise<boolean> {
  const { kind, notice, userId } = row
  if (kind === 'ChannelFailing') return await isStillFailing(db, userId, notice.channel?.name ?? '')
  const { id: printerId } = notice.printer
  if (printerId > 0 && !(await stillHears(db, userId, printerId))) return false
  if (kind === 'WatchingAgain') return (await watchedOf(db, notice)) !== null
  if (KINDS[kind].urgency !== 'alert') return true
  const asked = { ...row, since: row.createdAt }
  if (row.waitsFor === 'escalation' && (await isAnswered(db, asked))) return false
  return !(await isSeen(db, asked))
}

/** What is told of prints that are watched again, without those that are not, once more; null where none is left. */
export async function watchedOf(db: Db, notice: Notice): Promise<Notice | null> {
  const all = [notice, ...(notice.others ?? [])]
  const unwatched = await findUnwatched(
    db,
    all.map(({ print }) => print.id),
  )
  const [first, ...rest] = all.filter(({ print }) => !unwatched.has(print.id))
  if (first === undefined) return null
  const { others: _, ...plain } = notice
  const named = {
    printer: { ...notice.printer, ...first.printer },
    print: { ...notice.print, ...first.print },
  }
  return { ...plain, ...named, ...(rest.length > 0 && { others: rest.map(namedOf) }) }
}

const namedOf = ({ printer, print }: NamedPrint): NamedPrint => ({
  printer: { id: printer.id, name: printer.name },
  print: { id: print.id, filename: print.filename },
})
