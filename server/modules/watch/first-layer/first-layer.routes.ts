import * as api from '@vigil/contract/watch/first-layer.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import type { Upload } from '../../../http/bodies.ts'
import { invalid, notFound } from '../../../http/errors.ts'
import { route } from '../../../http/route.ts'
import { ofAgent } from '../../core/access/index.ts'
import { presentImage } from './first-layer.present.ts'
import { findImage, findImagePage, findLayers } from '../nozzle-camera/layers.queries.ts'
import { endLayer, takeNozzlePicture } from '../nozzle-camera/nozzle.service.ts'
import { withImages } from './layers.service.ts'
import { answerImage } from './survey.service.ts'

const isUpload = (value: unknown): value is Upload =>
  typeof value === 'object' && value !== null && Buffer.isBuffer((value as Upload).bytes)

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
