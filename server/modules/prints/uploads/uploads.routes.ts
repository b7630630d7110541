import { uploadTimelapse, uploadTimelapseApi } from '@vigil/contract/prints/uploads.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { movedPage } from '../../../http/pages.ts'
import { resumable } from '../../../http/resumable.ts'
import { upload, type UploadHandler, type UploadRules } from '../../../http/upload.ts'
import { presentOwnPrint } from '../prints/index.ts'
import { placeOf, takeUpload } from './uploads.service.ts'

/** Films of prints that were made elsewhere: whole, or in parts that can be resumed. */
export function uploadRoutes(app: FastifyInstance, ctx: Ctx): void {
  for (const endpoint of [uploadTimelapse, uploadTimelapseApi]) {
    const rules: UploadRules<typeof endpoint> = { place: ({ principal }) => placeOf(ctx, principal.userId) }
    const take: UploadHandler<typeof endpoint> = async ({ principal, body, edge }, stored) => {
      const printId = await takeUpload(ctx, principal.userId, stored, body)
      return await presentOwnPrint(ctx, { principal, edge }, printId)
    }
    upload(app, ctx, endpoint, rules, take)
    resumable(app, ctx, endpoint, { ...rules, container: 'tsd-timelapses' }, take)
  }

  // Where the page stood once.
  movedPage(app, '/prints/upload/', '/ent/timelapse_upload/')
}
