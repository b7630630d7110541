import type { LayerLabel } from '@vigil/contract/watch/first-layer.ts'
import type { Ctx } from '../../../ctx.ts'
import { inTransaction } from '../../../engines/db/transaction.ts'
import { notFound } from '../../../http/errors.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { requirePrinter } from '../../core/access/index.ts'
import { credit } from '../../shop/hours/index.ts'
import {
  countUnanswered,
  findImage,
  type ImageRow,
  lockInspection,
  updateImage,
  updateInspection,
} from '../nozzle-camera/layers.queries.ts'

/** What an inspection earns whose last picture is answered, once (docs/api.md). */
const EARNED_HOURS = 3

/** Keeps what the owner sees in a picture; `creditedDhs` is what this answer earned. Raises 404 for another's. */
export async function answerImage(
  ctx: Ctx,
  principal: UserPrincipal,
  imageId: number,
  labels: readonly LayerLabel[],
): Promise<ImageRow> {
  const scope = { principal, action: 'see' } as const
  return await inTransaction(ctx.db, async (tx) => {
    const image = await findImage(tx, scope, imageId)
    const inspection = image && (await lockInspection(tx, image.inspectionId))
    if (image === undefined || inspection === undefined || inspection.printerId === null) throw notFound()
    const beside = { withArchived: true, withDeleted: true }
    const printer = await requirePrinter({ db: tx }, principal, inspection.printerId, 'edit', beside)
    const answered = { answer: labels.join('|'), answeredAt: new Date(ctx.clock.now()) }
    const row = await updateImage(tx, printer, imageId, answered)
    const isLast = inspection.creditedAt === null && (await countUnanswered(tx, image.inspectionId)) === 0
    if (!isLast) return { ...row, creditedDhs: 0 }
    const creditedDhs = await credit(tx, {
      userId: inspection.userId,
      kind: 'earned',
      bucket: 'earned',
      hours: EARNED_HOURS,
      reason: 'first_layer_survey',
      printId: inspection.printId,
      key: `fl:p:${inspection.printId}`,
    })
    await updateInspection(tx, image.inspectionId, { creditedAt: new Date(ctx.clock.now()) })
    return await updateImage(tx, printer, imageId, { creditedDhs })
  })
}
