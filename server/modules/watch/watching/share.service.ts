import type { Unseen, WatchedShare } from '@vigil/contract/watch/watch-code.ts'
import type { PrintId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import { shareOf } from './share.rules.ts'
import { findUnwatched, sumUnwatched } from './unwatched.queries.ts'

/** So many times are told of one print. */
const MOST = 200

/** A print, as far as this is concerned. */
interface Print {
  readonly id: PrintId
  readonly printTime: number | null
  readonly watchedSeconds: number
  readonly uploadedAt: Date | null
  readonly finishedAt: Date | null
  readonly cancelledAt: Date | null
}

/** How much of these prints was watched, by id; none of those that run or were uploaded. */
export async function sharesOf(db: Db, prints: readonly Print[]): Promise<ReadonlyMap<number, WatchedShare>> {
  const over = prints.filter((print) => print.uploadedAt === null && (print.finishedAt ?? print.cancelledAt))
  const rows = await sumUnwatched(
    db,
    over.map(({ id }) => id),
  )
  const shares = over.map((print) => {
    const share = shareOf(
      print,
      rows.filter(({ printId }) => printId === print.id),
    )
    return share === null ? null : ([print.id, share] as const)
  })
  return new Map(shares.filter((share) => share !== null))
}

/** When nobody watched a print, and why. */
export async function unseenOf(db: Db, printId: PrintId): Promise<Unseen[]> {
  const rows = await findUnwatched(db, printId, MOST)
  return rows.map(({ since, until, code }) => ({ from: since.toISOString(), to: until.toISOString(), code }))
}
