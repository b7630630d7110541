import { createHash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import * as api from '@vigil/contract/prints/timelapse.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { Json, route } from '../../../http/route.ts'
import { requirePrint } from '../prints/index.ts'
import { presentFrames, presentTimelapse } from './timelapse.present.ts'
import { findStorage } from '../films/timelapse.queries.ts'

const NOTHING = '[]'

/** What becomes of a print's pictures (docs/api.md). */
export function timelapseRoutes(app: FastifyInstance, ctx: Ctx): void {
  route(app, api.getPredictionJson, async ({ principal, params, request, reply }) => {
    const { predictionJson: ref } = await requirePrint(ctx, principal, params.id, 'see')
    const stat = ref && (await ctx.files.stat(ref))
    const content = stat && (await ctx.files.get(ref))
    const body = content ? await text(content) : NOTHING
    const etag = `"${createHash('sha1').update(body).digest('base64url')}"`
    // Kept by browsers, and asked for again each time.
    reply.headers({ etag, 'cache-control': 'private, no-cache' })
    if (stat) reply.header('last-modified', stat.modifiedAt.toUTCString())
    if (isKnown(request, etag, stat?.modifiedAt ?? null)) await sendNotModified(reply)
    return new Json(body)
  })

  route(app, api.getTimelapse, async ({ principal, params }) => {
    const print = await requirePrint(ctx, principal, params.id, 'see')
    return await presentTimelapse(ctx, print)
  })

  route(app, api.listPrintFrames, async ({ principal, params, edge }) => {
    const print = await requirePrint(ctx, principal, params.id, 'see')
    return await presentFrames(ctx, print, edge)
  })

  route(app, api.getTimelapseStorage, async ({ principal }) => {
    const { prints, frameBytes, fileBytes } = await findStorage(ctx.db, principal.userId)
    return { prints, frame_bytes: frameBytes, file_bytes: fileBytes }
  })
}

/** Whether the asker has this state of it already. `If-None-Match` counts alone where it is given. */
function isKnown({ headers }: FastifyRequest, etag: string, modifiedAt: Date | null): boolean {
  const { 'if-none-match': known, 'if-modified-since': since } = headers
  if (known !== undefined)
    return known.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, '')))
  if (since === undefined || modifiedAt === null) return false
  // HTTP dates know no milliseconds.
  return Math.floor(modifiedAt.getTime() / 1000) * 1000 <= Date.parse(since)
}

async function sendNotModified(reply: FastifyReply): Promise<void> {
  await reply.status(304).send()
}
