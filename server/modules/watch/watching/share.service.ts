import type { Unseen, WatchedShare, WatchCode } from '@vigil/contract/watch/watch-code.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { PrintId } from '../../../lib/id.ts'
import { findUnwatched, sumUnwatched } from './unwatched.queries.ts'

/** A reason is named from so many seconds on, or from this share of what was not watched. */
const NAMED_FROM_S = 20
const NAMED_FROM_SHARE = 0.2
/** So many are named. */
const SHARE_MOST = 3

interface Over {
  readonly printTime: number | null
  readonly watchedSeconds: number
}

/** For how long a print was not watched for a reason. */
interface Unwatched {
  readonly code: WatchCode
  readonly seconds: number
}

/** The share that was watched, and why the rest was not; null where nobody knows how long it took. */
export function shareOf(
  { printTime, watchedSeconds }: Over,
  unwatched: readonly Unwatched[],
): WatchedShare | null {
  if (printTime === null) return null
  const of = Math.max(0, Math.round(printTime))
  const seconds = Math.min(of, Math.max(0, Math.round(watchedSeconds)))
  const all = unwatched.reduce((sum, one) => sum + one.seconds, 0)
  const isNamed = (one: Unwatched) =>
    one.seconds >= NAMED_FROM_S || (of - seconds > 0 && one.seconds > all * NAMED_FROM_SHARE)
  const named = seconds === of ? [] : unwatched.filter(isNamed).toSorted((a, b) => b.seconds - a.seconds)
  return { seconds, of, unseen: named.slice(0, SHARE_MOST).map(({ code }) => code) }
}

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
