import * as api from '@vigil/contract/watch/first-layer.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { inTransaction } from '../../../engines/db/transaction.ts'
import { isUpload } from '../../../http/bodies.ts'
import { invalid, notFound } from '../../../http/errors.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { route } from '../../../http/route.ts'
import { ofAgent, requirePrinter } from '../../core/access/index.ts'
import { credit } from '../../shop/hours/index.ts'
import {
  findImage,
  findImagePage,
  findLayers,
  countUnanswered,
  type ImageRow,
  lockInspection,
  updateImage,
  updateInspection,
} from '../nozzle-camera/layers.queries.ts'
import { endLayer, takeNozzlePicture } from '../nozzle-camera/nozzle.service.ts'
import { presentImage } from './first-layer.present.ts'
import { withImages } from './layers.service.ts'

/** What an inspection earns whose last picture is answered, once (docs/api.md). */
const EARNED_HOURS = 3

/** Keeps what the owner sees in a picture; `creditedDhs` is what this answer earned. Raises 404 for another's. */
async function answerImage(
  ctx: Ctx,
  principal: UserPrincipal,
  imageId: number,
  labels: readonly api.LayerLabel[],
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
    const creditedDhs = await credit(
      { ...ctx, db: tx },
      {
        userId: inspection.userId,
        kind: 'earned',
        bucket: 'earned',
        hours: EARNED_HOURS,
        reason: 'first_layer_survey',
        printId: inspection.printId,
        key: `fl:p:${inspection.printId}`,
      },
    )
    await updateInspection(tx, image.inspectionId, { creditedAt: new Date(ctx.clock.now()) })
    return await updateImage(tx, printer, imageId, { creditedDhs })
  })
}

/** The agent's nozzle camera in, judged first layers out (docs/wire/agents.md 3.5, docs/api.md). */
export function firstLayerRoutes(app: FastifyInstance, ctx: Ctx): void {
  route(app, api.postNozzlePicture, async ({ principal, body }) => {
    if (!isUpload(body.pic)) throw invalid({ pic: 'The submitted data was not a file.' })
    await takeNozzlePicture(ctx, ofAgent(principal), body.pic.bytes)
    return { result: 'ok' as const }
  })
  route(app, api.postFirstLayerDone, async ({ principal }) => {
    await endLayer(ctx, ofAgent(principal))
    return { result: 'ok' as const }
  })

  for (const list of [api.listFirstLayers, api.listFirstLayersV1]) {
    route(app, list, async ({ principal, query, edge }) => {
      return await withImages(ctx, await findLayers(ctx.db, { principal, action: 'see' }, query), edge)
    })
  }
  imageRoutes(app, ctx)
}

function imageRoutes(app: FastifyInstance, ctx: Ctx): void {
  route(app, api.listFirstLayerImages, async ({ principal, query, edge }) =>
    (await findImagePage(ctx.db, { principal, action: 'see' }, query)).map((image) =>
      presentImage(ctx, image, edge),
    ),
  )
  route(app, api.getFirstLayerImage, async ({ principal, params, edge }) => {
    const image = await findImage(ctx.db, { principal, action: 'see' }, params.id)
    if (image === undefined) throw notFound()
    return presentImage(ctx, image, edge)
  })
  for (const survey of [api.putFirstLayerImage, api.patchFirstLayerImage, api.patchFirstLayerImageEnt]) {
    route(app, survey, async ({ principal, params, body, edge }) =>
      presentImage(ctx, await answerImage(ctx, principal, params.id, body.labels), edge),
    )
  }
}
