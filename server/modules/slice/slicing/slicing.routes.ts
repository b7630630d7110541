import { setTimeout as sleep } from 'node:timers/promises'
import * as api from '@vigil/contract/slice/slicer.ts'
import type { SliceJob } from '@vigil/contract/slice/slicer.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { AppError, notFound } from '../../../http/errors.ts'
import { languageOf, route } from '../../../http/route.ts'
import { type Language, text } from '../../../http/texts.ts'
import { upload } from '../../../http/upload.ts'
import type { UserId } from '../../../lib/id.ts'
import { findOwnFile, presentStored } from '../../files/gcode-files/index.ts'
import { findJob, findJobs, type JobRow, positionsOf, usualSeconds } from './slicing.queries.ts'
import { AT_ONCE } from './run.service.ts'
import { paramsOf, secondsLeft, type Why } from './slicing.rules.ts'
import { askSlice, endJob, placeOfThumbnail } from './slicing.service.ts'

const MOST_SHOWN = 50
const LOOK_EVERY_MS = 300

const textOf = ({ file, key, params }: Why) => text(file, key, params)

/** Meshes are sliced, and how that gets on. */
export function slicingRoutes(app: FastifyInstance, ctx: Ctx): void {
  const place = ({ principal }: { principal: { userId: UserId } }) => placeOfThumbnail(principal.userId)
  upload(app, ctx, api.sliceMeshes, { place }, async (call, { ref: thumbnail }) => {
    const { principal, body, query, edge, reply } = call
    const asked = await askSlice(ctx, principal.userId, {
      params: body.params,
      origin: edge.origin + edge.prefix,
      thumbnail,
      chat: chatIn(body.jusprint_chat_id),
    })
    const row = await endOf(ctx, asked, query.wait * 1000)
    if (row.state === 'failed' && row.error !== null)
      throw new AppError(422, { reason: 'slicing_failed', error: textOf(row.error) })
    const file = row.gCodeFileId && (await findOwnFile(ctx.db, row.userId, row.gCodeFileId))
    if (file) return { gcode_file_id: file.id, gcode_file: presentStored(ctx, file, edge) }
    reply.status(202)
    return { job_id: String(row.id) }
  })
  const shown = async (rows: readonly JobRow[], language: Language) => {
    const waiting = rows.filter(({ state }) => state === 'queued').map(({ id }) => id)
    const isOpen = rows.some(({ state }) => state === 'queued' || state === 'running')
    const [positions, usual] = await Promise.all([
      positionsOf(ctx.db, waiting),
      isOpen ? usualSeconds(ctx.db) : null,
    ])
    const now = ctx.clock.now()
    return rows.map((row) => {
      const position = positions.get(row.id) ?? 0
      const ranSeconds = row.startedAt && Math.max(0, now - row.startedAt.getTime()) / 1000
      const { state, progress } = row
      const left = secondsLeft({ state, progress, ranSeconds }, { position, usual, atOnce: AT_ONCE })
      return present(row, { position, left }, language)
    })
  }
  route(app, api.listSliceJobs, async ({ principal, request }) =>
    shown(await findJobs(ctx.db, principal.userId, MOST_SHOWN), languageOf(request)),
  )
  route(app, api.getSliceJob, async ({ principal, params, request }) => {
    const row = await findJob(ctx.db, principal.userId, params.id)
    const [job] = row ? await shown([row], languageOf(request)) : []
    if (!job) throw notFound()
    return job
  })
  route(app, api.cancelSliceJob, async ({ principal, params }) => {
    if (!(await endJob(ctx, principal.userId, params.id))) throw notFound()
    return null
  })
}

/** A chat is named as its page has it; what is none is none. */
const chatIn = (named: string | undefined): number | null =>
  named !== undefined && /^[1-9]\d{0,8}$/.test(named) ? Number(named) : null

/** The job when it is over, or as it stands when the caller has waited long enough. */
async function endOf(ctx: Ctx, { id, userId }: JobRow, waitMs: number): Promise<JobRow> {
  const until = ctx.clock.monotonic() + waitMs
  for (;;) {
    const row = await findJob(ctx.db, userId, id)
    if (row === undefined) throw notFound()
    const isOpen = row.state === 'queued' || row.state === 'running'
    if (!isOpen || ctx.clock.monotonic() >= until || ctx.stopping.aborted) return row
    await sleep(LOOK_EVERY_MS)
  }
}

const present = (
  row: JobRow,
  { position, left }: { position: number; left: number | null },
  language: Language,
): SliceJob => ({
  job_id: String(row.id),
  status: row.state,
  progress: row.progress,
  position,
  seconds_left: left,
  target_gcode_name: row.asked.name,
  gcode_file_id: row.gCodeFileId,
  error: row.error && textOf(row.error).in(language),
  notes: row.notes,
  params: paramsOf(row.asked),
  created_at: row.createdAt.toISOString(),
})
