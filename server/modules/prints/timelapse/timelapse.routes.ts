import { createHash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import * as api from '@vigil/contract/prints/timelapse.ts'
import type { PrintFrames, Timelapse } from '@vigil/contract/prints/timelapse.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import type { Edge } from '../../../http/edge.ts'
import { Json, route } from '../../../http/route.ts'
import { columnUrl, mediaUrl } from '../../core/media/index.ts'
import { entitlementsOf } from '../../shop/entitlements/index.ts'
import { unseenOf } from '../../watch/detection/index.ts'
import { picturesPerSecond } from '../films/choose.rules.ts'
import { findFrames, findLooks } from '../films/frames.queries.ts'
import { chosenOf, scenesOf } from '../films/scenes.rules.ts'
import { findStorage, findShown } from '../films/timelapse.queries.ts'
import { requirePrint, type PrintRow } from '../prints/index.ts'
import { monthsAfter } from '../retention/retention.rules.ts'
import { STRAIGHT, turnOf } from './turn.rules.ts'

const DAY_MS = 86_400_000

/** How far a print's time-lapse is. */
async function presentTimelapse(ctx: Ctx, print: PrintRow): Promise<Timelapse> {
  const { row, isPro, brand } = await findShown(ctx.db, print.id)
  const endedAt = print.cancelledAt ?? print.finishedAt ?? print.uploadedAt
  if (row === null || endedAt === null) return { ...NONE, state: endedAt === null ? 'none' : 'waiting' }
  const months = entitlementsOf(ctx, { isPro, brand }).timelapseMonths
  const isLeaving = row.state === 'ready' && !row.kept && months !== Infinity
  const framesUntil = endedAt.getTime() + ctx.config.FRAME_RETENTION_DAYS * DAY_MS
  return {
    state: row.state as Timelapse['state'],
    progress: row.state === 'ready' ? 1 : row.progress,
    frames: row.frames,
    pictures_per_second: row.picturesPerSecond,
    num_bytes: row.fileBytes,
    frames_until: row.framesGoneAt === null ? new Date(framesUntil).toISOString() : null,
    videos_until: isLeaving ? monthsAfter(endedAt, months).toISOString() : null,
    kept: row.kept,
    unseen: await unseenOf(ctx.db, print.id),
    issues: row.issues,
    refusal: row.refusal as Timelapse['refusal'],
  }
}

const NONE: Omit<Timelapse, 'state'> = {
  progress: 0,
  frames: 0,
  pictures_per_second: picturesPerSecond(0),
  num_bytes: 0,
  frames_until: null,
  videos_until: null,
  kept: false,
  unseen: [],
  issues: 0,
  refusal: null,
}

/** The frames of a print that a film of it shows. */
async function presentFrames(ctx: Ctx, print: PrintRow, edge: Edge): Promise<PrintFrames> {
  const [frames, looks] = [await findFrames(ctx.db, print.id), await findLooks(ctx.db, print.id)]
  const chosen = chosenOf(scenesOf(frames, looks))
  const { row, agentSettings } = await findShown(ctx.db, print.id)
  const turn = row?.turn ?? (print.printerId === null ? STRAIGHT : turnOf(agentSettings))
  return {
    pictures_per_second: picturesPerSecond(chosen.length),
    turn: { flip_h: turn.flipH, flip_v: turn.flipV, rotation: turn.rotation },
    frames: chosen.map(({ frame, look, known }) => ({
      at: frame.at.toISOString(),
      image_url: mediaUrl(ctx, frame.picture, edge),
      tagged_url: columnUrl(ctx, frame.tagged, edge),
      p: look?.state.currentP ?? null,
      normalized_p: known?.state.normalizedP ?? null,
      decision: look?.decision ?? null,
    })),
  }
}

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
