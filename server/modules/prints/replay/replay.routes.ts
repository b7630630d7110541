import * as api from '@vigil/contract/prints/replay.ts'
import type { Replay, ReplayRun } from '@vigil/contract/prints/replay.ts'
import type { FastifyInstance } from 'fastify'
import type { PrintId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { inTransaction, lockList } from '../../../engines/db/transaction.ts'
import { AppError } from '../../../http/errors.ts'
import { spend } from '../../../http/limits.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { route } from '../../../http/route.ts'
import { text } from '../../../http/texts.ts'
import { learntUnder, rememberedOf } from '../../watch/detection/index.ts'
import { mediaUrl } from '../../core/media/index.ts'
import { requirePrint } from '../prints/index.ts'
import { judgeAgain, readThen, startOf } from './looks.service.ts'
import {
  beginReplay,
  countFrames,
  findReplay,
  findSettings,
  isUnderWay,
  nearestFrame,
  type ReplayRow,
} from './replay.queries.ts'
import { forgetReplay, RUN } from './run.service.ts'

/** A slider that is moved asks a few times a second. */
const LIMIT = { name: 'replay', tries: 240, windowMs: 60_000 }

/** A print is judged again, by its owner (docs/detector.md). */
export function replayRoutes(app: FastifyInstance, ctx: Ctx): void {
  const bounded = (principal: UserPrincipal) => spend(ctx, { limit: LIMIT, who: String(principal.userId) })

  route(app, api.getReplay, async ({ principal, params }) => {
    await bounded(principal)
    return await readReplay(ctx, principal, params.id)
  })
  route(app, api.decideAgain, async ({ principal, params, body }) => {
    await bounded(principal)
    return await judgeAgain(ctx, await requirePrint(ctx, principal, params.id, 'see'), body)
  })
  route(app, api.getReplayFrame, async ({ principal, params, query, edge }) => {
    const { id } = await requirePrint(ctx, principal, params.id, 'see')
    return await frameAt(ctx, id, query.t, (ref) => mediaUrl(ctx, ref, edge, 1))
  })
  route(app, api.startReplay, async ({ principal, params }) => {
    const { id: printId, userId } = await requirePrint(ctx, principal, params.id, 'edit')
    const { count: frames } = await countFrames(ctx.db, printId)
    if (frames === 0) throw new AppError(409, { detail: text('replay-server', 'noFrames') })
    const row = await inTransaction(ctx.db, async (tx) => {
      await lockList(tx, 'replaysOfUser', userId)
      if (await isUnderWay(tx, userId)) return null
      const begun = await beginReplay(tx, { printId, userId, frames })
      await ctx.jobs.enqueue(tx, RUN, { printId }, { singletonKey: String(printId), owner: userId })
      return begun
    })
    if (row === null) throw new AppError(409, { detail: text('replay-server', 'another') })
    return presentRun(row)
  })
  route(app, api.getReplayRun, async ({ principal, params }) => {
    const { id } = await requirePrint(ctx, principal, params.id, 'see')
    const run = await findReplay(ctx.db, id)
    return { run: run ? presentRun(run) : null }
  })
  route(app, api.stopReplay, async ({ principal, params }) => {
    const { id } = await requirePrint(ctx, principal, params.id, 'edit')
    await forgetReplay(ctx, id)
    return null
  })
}

const presentRun = (row: ReplayRow): ReplayRun => ({
  state: row.state as ReplayRun['state'],
  looked: row.looked,
  frames: row.frames,
  model: row.model,
  done_at: row.doneAt?.toISOString() ?? null,
})

async function readReplay(ctx: Ctx, principal: UserPrincipal, printId: number): Promise<Replay> {
  const { printerId, filename, id } = await requirePrint(ctx, principal, printId, 'see')
  const [then, settings, known, frames, run] = await Promise.all([
    readThen(ctx, id),
    findSettings(ctx.db, printerId),
    rememberedOf(ctx.db, printerId),
    countFrames(ctx.db, id),
    findReplay(ctx.db, id),
  ])
  return {
    print_id: printId,
    filename,
    started_at: then.start === null ? null : new Date(then.start).toISOString(),
    seconds: then.seconds,
    was: then.curve,
    had_zones: then.hadZones,
    printer: settings
      ? {
          id: settings.id,
          name: settings.name,
          sensitivity: settings.detectiveSensitivity,
          zones: settings.ignoreZones,
          has_learnt: learntUnder(known) !== null,
        }
      : null,
    frames: frames.count,
    run: run ? presentRun(run) : null,
    model: ctx.detector.model,
  }
}

/** The picture nearest to so many seconds after the first look. */
async function frameAt(
  ctx: Ctx,
  printId: PrintId,
  seconds: number,
  addressOf: (ref: Parameters<typeof mediaUrl>[1]) => string,
) {
  const start = await startOf(ctx, printId)
  const found =
    start === null ? undefined : await nearestFrame(ctx.db, printId, new Date(start + seconds * 1000))
  if (start === null || !found) return { url: null, t: null }
  return { url: addressOf(found.picture), t: (found.createdAt.getTime() - start) / 1000 }
}
