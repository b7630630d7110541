import type { UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { hoursOfPrint } from '../../shop/hours/index.ts'
import type { Notice } from '../messages/index.ts'
import { findOutcome } from '../deliveries/deliveries.queries.ts'
import { watchedOf } from './needed.service.ts'

const UPRIGHT = { flipH: false, flipV: false, rotation: 0 } as const

type Outcome = NonNullable<Awaited<ReturnType<typeof findOutcome>>>

/** What there is to answer: pictures one by one, else whether the detector was right. */
function asksOf({ hasOpenShots, alertOverwrite, alertedAt, taggedVideo }: Outcome): Pick<Notice, 'asks'> {
  if (hasOpenShots) return { asks: 'pictures' }
  const wasJudged = alertedAt !== null || taggedVideo !== null
  return wasJudged && alertOverwrite === null ? { asks: 'verdict' } : {}
}

/**
 * A print that is over, or watched again, as it stands by now: what can be said of it and its hours; of one that is done its poster, and whether
 * there is a time-lapse. Others as they were.
 */
export async function withOutcome(ctx: Ctx, userId: UserId, notice: Notice): Promise<Notice> {
  const { kind, print } = notice
  if (kind === 'WatchingAgain') return (await watchedOf(ctx.db, notice)) ?? notice
  if (kind !== 'PrintDone' && kind !== 'PrintCancelled') return notice
  const [found, hours] = await Promise.all([
    findOutcome(ctx.db, print.id),
    hoursOfPrint(ctx, { userId, printId: print.id }),
  ])
  if (found === undefined) return notice
  const over = { ...notice, ...asksOf(found), ...(hours && { hours }) }
  if (kind === 'PrintCancelled') return over
  const { poster, video } = found
  return {
    ...over,
    hasFilm: video !== null,
    ...(poster !== null && { picture: poster, orientation: UPRIGHT }),
  }
}
