import { listPictured } from '@vigil/contract/assistant/pictured.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { route } from '../../../http/route.ts'
import { findPictured } from './pictured.queries.ts'

const MOST = 20

/** Prints whose moments can be shown to the assistant: slicers see names, and no more of them. */
export function registerPictured(app: FastifyInstance, ctx: Ctx): void {
  route(app, listPictured, async ({ principal: { userId } }) =>
    (await findPictured(ctx.db, userId, MOST)).map(({ id, filename, printerName, startedAt }) => ({
      id,
      filename,
      printer_name: printerName,
      started_at: startedAt?.toISOString() ?? null,
    })),
  )
}
