import * as contract from '@vigil/contract/people/operations.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { notFound } from '../../../http/errors.ts'
import { route } from '../../../http/route.ts'
import { everyTick } from '../../../lib/ticks.ts'
import { requireAdmin } from '../accounts/index.ts'
import { auditBoth } from '../sessions/staff-audit.service.ts'
import { showBackup, watchBackups } from './backup.service.ts'
import { delays, LOOK_BACK_MS, NOTED_EVERY_MS, noteDelays } from './delays.ts'
import { COUNT_DISK, countDisk, lastCount } from './disk.service.ts'
import { listOwed, retryOwed, sendTestMail } from './outbox.service.ts'
import { showRoom, watchRoom } from './room.service.ts'
import { findSystem } from './system.queries.ts'

/** How the server does, for administrators: jobs, what is owed to people, mail, the detector, the disk (docs/rules/people.md 20). */
export async function registerOperations(app: FastifyInstance, ctx: Ctx): Promise<void> {
  jobRoutes(app, ctx)
  outboxRoutes(app, ctx)
  systemRoutes(app, ctx)
  watchRoom(ctx, app.space)
  await watchBackups(ctx)
}

function jobRoutes(app: FastifyInstance, ctx: Ctx): void {
  route(app, contract.listJobs, async (call) => {
    await requireAdmin(ctx, call)
    const [rows, counts] = await Promise.all([ctx.jobs.list(ctx.db, call.query), ctx.jobs.count(ctx.db)])
    const jobs = rows.map(({ createdAt, nextAt, ...row }) => ({
      ...row,
      created_at: createdAt.toISOString(),
      next_at: nextAt?.toISOString() ?? null,
    }))
    return { jobs, counts }
  })
  route(app, contract.retryJob, async (call) => {
    const { userId } = await requireAdmin(ctx, call)
    const { id } = call.params
    if (!(await ctx.jobs.retry(ctx.db, id))) throw notFound()
    await auditBoth(ctx, { staffId: userId, userId: null, action: 'job_retried', detail: { job: id } })
    return null
  })
}

function outboxRoutes(app: FastifyInstance, ctx: Ctx): void {
  route(app, contract.listOwed, async (call) => listOwed(ctx, await requireAdmin(ctx, call), call.query))
  route(app, contract.retryOwed, async (call) => {
    await retryOwed(ctx, await requireAdmin(ctx, call), call.params.id)
    return null
  })
  route(app, contract.sendTestMail, async (call) =>
    sendTestMail(ctx, await requireAdmin(ctx, call), call.body.email),
  )
}

function systemRoutes(app: FastifyInstance, ctx: Ctx): void {
  route(app, contract.getSystem, async (call) => {
    await requireAdmin(ctx, call)
    return await showSystem(app, ctx)
  })
  route(app, contract.countDisk, async (call) => {
    await requireAdmin(ctx, call)
    await ctx.jobs.enqueue(ctx.db, COUNT_DISK, {}, { singletonKey: COUNT_DISK.name, owner: null })
    return await showSystem(app, ctx)
  })
  ctx.jobs.handle(COUNT_DISK, (_, signal) => countDisk(ctx, signal))
  everyTick(ctx, NOTED_EVERY_MS, (now) => noteDelays(ctx, now))
}

async function showSystem(app: FastifyInstance, ctx: Ctx): Promise<contract.System> {
  const since = new Date(ctx.clock.now() - LOOK_BACK_MS)
  const [found, backup, room, count, { delay, slow }] = await Promise.all([
    findSystem(ctx.db, since),
    showBackup(ctx),
    showRoom(ctx),
    lastCount(ctx),
    delays(ctx, ctx.clock.monotonic()),
  ])
  const { state, error, queued } = ctx.detector.health()
  return {
    detector: {
      state,
      error: error ?? null,
      model: ctx.detector.model,
      queued,
      pictures_per_second: found.looks / (LOOK_BACK_MS / 1000),
      delay_seconds: delay,
      slow_delay_seconds: slow,
    },
    disk: {
      free_bytes: app.space.freeBytes,
      is_full: app.space.isFull,
      database_bytes: found.databaseBytes,
      counted_at: count === null ? null : new Date(count.countedAt).toISOString(),
      is_counting: found.isCounting,
      kinds: count?.kinds ?? [],
      ...room,
    },
    backup,
  }
}
