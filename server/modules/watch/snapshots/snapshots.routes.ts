import { postPicture } from '@vigil/contract/watch/detection.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { isUpload } from '../../../http/bodies.ts'
import { snapshots } from '../../../engines/metrics/index.ts'
import { AppError, invalid } from '../../../http/errors.ts'
import { route } from '../../../http/route.ts'
import { takePicture } from './snapshots.service.ts'

/** The agent's snapshots (docs/wire/agents.md 3.2). */
export function snapshotRoutes(app: FastifyInstance, ctx: Ctx): void {
  route(app, postPicture, async ({ principal, body }) => {
    if (!isUpload(body.pic)) throw invalid({ pic: 'The submitted data was not a file.' })
    const { printerId } = principal
    const { bytes } = body.pic
    if (body.is_nozzle_camera) ctx.events.emit('picture.nozzle', { printerId, bytes })
    else if (body.is_primary_camera) {
      const taking = takePicture(ctx, { printerId, bytes, isBoost: body.viewing_boost })
      const outcome = await taking.catch((error: unknown) => {
        snapshots.inc({ outcome: error instanceof AppError ? 'refused' : 'failed' })
        throw error
      })
      snapshots.inc({ outcome })
    }
    return { result: 'ok' as const }
  })
}
