import type { ShotAnswer } from '@vigil/contract/watch/feedback.ts'
import type { Print } from '@vigil/contract/prints/prints.ts'
import type { PrintId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { inTransaction } from '../../../engines/db/transaction.ts'
import type { Edge } from '../../../http/edge.ts'
import { notFound } from '../../../http/errors.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { credit } from '../../shop/hours/index.ts'
import { mediaUrl } from '../../core/media/index.ts'
import * as queries from './shots.queries.ts'
import type { ShotRow } from './shots.queries.ts'

type Shot = Print['printshotfeedback_set'][number]

type Where = Pick<Edge, 'origin' | 'prefix'>

/** What a print earns whose last picture is answered, once. */
const EARNED_HOURS = 2

/** A picture that an owner is asked about, as the wire knows it. */
export function presentShot(ctx: Ctx, shot: ShotRow, edge: Where): Shot {
  return {
    id: shot.id,
    print_id: shot.printId,
    image_url: mediaUrl(ctx, shot.image, edge),
    answer: shot.answer as ShotAnswer | null,
    answered_at: shot.answeredAt?.toISOString() ?? null,
  }
}

/** The pictures of prints that the caller may see, by print; one statement however many. */
export async function shotsOfPrints(
  ctx: Ctx,
  printIds: readonly PrintId[],
  edge: Where,
): Promise<Map<number, Shot[]>> {
  const shots = await queries.findShotsOfPrints(ctx.db, printIds)
  return new Map(
    [...Map.groupBy(shots, ({ printId }) => printId)].map(([printId, rows]) => [
      printId,
      rows.map((row) => presentShot(ctx, row, edge)),
    ]),
  )
}

interface Answer {
  readonly shotId: number
  readonly answer: ShotAnswer
  readonly print_id?: number | undefined
}

/**
 * Keeps what the owner sees in a picture, and credits the print's hours when it is the last one. Raises 404 for
 * another's picture, and for one of another print than `print_id`.
 */
export async function answerShot(
  ctx: Ctx,
  principal: UserPrincipal,
  { shotId, answer, print_id }: Answer,
): Promise<{ shot: ShotRow; credited: number }> {
  return await inTransaction(ctx.db, async (tx) => {
    const found = await queries.findShot(tx, { principal, action: 'edit', print_id }, shotId)
    if (found === undefined) throw notFound()
    const { printId, userId } = found
    const before = await queries.lockShots(tx, printId)
    const shot = await queries.writeAnswer(tx, found.id, answer, new Date(ctx.clock.now()))
    const open = before.filter(({ answeredAt }) => answeredAt === null)
    if (open.length !== 1 || open[0]?.id !== shotId) return { shot, credited: 0 }
    const credited = await credit(
      { ...ctx, db: tx },
      {
        userId,
        kind: 'earned',
        bucket: 'earned',
        hours: EARNED_HOURS,
        reason: 'focused_feedback',
        printId,
        key: `ff:p:${printId}`,
      },
    )
    return { shot, credited }
  })
}
