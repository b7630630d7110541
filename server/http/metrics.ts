import { createHash, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { collectDefaultMetrics, Gauge } from 'prom-client'
import type { Ctx } from '../ctx.ts'
import { httpRequests, httpSeconds, registry } from '../engines/metrics/index.ts'

/** Where Prometheus asks. */
export const METRICS = '/metrics'
/** Asking the database costs more than the rest: one answer serves so long. */
const FRESH_MS = 5_000
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

const digest = (text: string) => createHash('sha256').update(text).digest()

/**
 * `GET /metrics` for whoever has `METRICS_TOKEN` (`Authorization: Bearer …`); without that setting there is no such page. What is
 * counted stands in `engines/metrics`; what is only looked at when somebody asks stands here.
 */
export function registerMetrics(app: FastifyInstance, ctx: Ctx, pool: pg.Pool): void {
  const token = ctx.config.METRICS_TOKEN
  if (token === undefined) return
  countRequests(app)
  const wanted = digest(`Bearer ${token}`)
  const look = gauges(app, ctx, pool)
  app.routeTable.push({ kind: 'page', method: 'GET', path: METRICS, callers: ['anyone'] })
  app.get(METRICS, { config: { open: true } }, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), wanted))
      return reply
        .status(401)
        .header('www-authenticate', 'Bearer')
        .type('text/plain')
        .send('A token is needed.\n')
    await look()
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

/** The route as it is declared, never the path as it was asked for. */
function countRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const method = METHODS.has(request.method) ? request.method : 'other'
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none')
    httpRequests.inc({ method, route, status: String(reply.statusCode) })
    httpSeconds.observe({ method }, reply.elapsedTime / 1000)
  })
}

/** What is looked at when somebody asks. */
function gauges(app: FastifyInstance, ctx: Ctx, pool: pg.Pool): () => Promise<void> {
  const registers = [registry]
  const gauge = (name: string, help: string, labelNames: string[] = []) => {
    registry.removeSingleMetric(name)
    return new Gauge({ name, help, labelNames, registers })
  }
  if (registry.getSingleMetric('process_cpu_seconds_total') === undefined)
    collectDefaultMetrics({ register: registry })
  const connections = gauge(
    'vigil_db_connections',
    'Connections of the pool: open, idle, and who waits for one',
    ['state'],
  )
  const isUp = gauge('vigil_db_up', 'Whether the database answers')
  const jobs = gauge('vigil_jobs', 'Jobs that wait, run, or are to be tried again', ['queue', 'state'])
  const due = gauge('vigil_notifications_open', 'Messages that nobody has accepted yet', ['channel'])
  const detector = gauge('vigil_detector_up', 'Whether the detector is ready')
  const waiting = gauge('vigil_detector_queue', 'Pictures that wait for the detector')
  const free = gauge('vigil_disk_free_bytes', "Free bytes on the data folder's disk")
  const full = gauge('vigil_disk_full', 'Whether writes are refused for want of room')
  const sockets = gauge('vigil_sockets_open', 'Websockets that are open on this node, agents and browsers')
  let askedAt = -Infinity
  return async () => {
    connections.set({ state: 'open' }, pool.totalCount)
    connections.set({ state: 'idle' }, pool.idleCount)
    connections.set({ state: 'waiting' }, pool.waitingCount)
    const health = ctx.detector.health()
    detector.set(health.state === 'ready' ? 1 : 0)
    waiting.set(health.queued)
    if (app.space.freeBytes !== null) free.set(app.space.freeBytes)
    full.set(app.space.isFull ? 1 : 0)
    sockets.set(app.websocketServer.clients.size)
    const now = performance.now()
    if (now - askedAt < FRESH_MS) return
    askedAt = now
    await Promise.all([countJobs(ctx), countOpen(ctx)]).then(
      ([queues, channels]) => {
        isUp.set(1)
        jobs.reset()
        for (const { queue, state, count } of queues) jobs.set({ queue, state }, count)
        due.reset()
        for (const { channel, count } of channels) due.set({ channel }, count)
      },
      () => isUp.set(0),
    )
  }
}

async function countJobs({ db }: Ctx) {
  const { rows } = await sql<{ queue: string; state: string; count: number }>`
    select q.name as queue, coalesce(j.state::text, 'created') as state, count(j.id)::int as count from pgboss.queue q
    left join pgboss.job j on j.name = q.name and j.state in ('created', 'retry', 'active') group by 1, 2`.execute(
    db,
  )
  return rows
}

async function countOpen({ db }: Ctx) {
  const { rows } = await sql<{ channel: string; count: number }>`
    select channel, count(*)::int as count from deliveries where outcome is null group by 1`.execute(db)
  return rows
}
