import { fieldsOf } from '@vigil/contract/fields.ts'
import { access, constants, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../ctx.ts'
import { isDiskFull } from '../engines/db/postgres.ts'
import type { Space } from '../engines/files/space.ts'
import type { Edge } from './edge.ts'
import { textOf } from '../lib/thrown.ts'

/** Monitors ask often: one answer serves a second. */
const FRESH_MS = 1000
const PATIENCE_MS = 3000
/** Below this much free space a real write proves that there is room. */
const SCARCE_BYTES = 256 * 1024 * 1024
/** Room for a picture and the journal of the database that names it. */
const PROBE_BYTES = 256 * 1024

interface Part {
  readonly ok: boolean
  /** What is wrong, in a sentence for the operator. */
  readonly error?: string
}

interface Health {
  readonly status: 'ok' | 'degraded' | 'failed'
  readonly version: string
  /** When this server began: whoever restarts it knows by this which one answers. */
  readonly started_at: number
  readonly database: Part
  readonly live: Part
  readonly disk: Part & { readonly full: boolean; readonly free_bytes: number | null }
  readonly detector: Part & { readonly model: string; readonly queued: number }
}

/** The paths that say whether the server is well. */
export const HEALTH: ReadonlySet<string> = new Set(
  ['/hc', '/hc/live', '/hc/ready'].flatMap((path) => [path, `${path}/`]),
)

/**
 * `GET /hc/`: `Okay`, or what is wrong. A detector that is down leaves the server in service, so it
 * makes the answer degraded only. `?full=1` tells all parts, and how the caller reached us (`./vigil doctor` asks).
 */
export function registerHealth(app: FastifyInstance, ctx: Ctx): void {
  let last: { at: number; health: Promise<Health> } | null = null
  const current = () => {
    const now = ctx.clock.monotonic()
    if (last === null || now - last.at > FRESH_MS) last = { at: now, health: examine(ctx, app.space) }
    return last.health
  }
  for (const path of ['/hc/', '/hc/live/', '/hc/ready/'])
    app.routeTable.push({ kind: 'page', method: 'GET', path, callers: ['anyone'] })
  aliveAndReady(app, ctx, current)
  for (const url of ['/hc/', '/hc']) {
    app.get(url, { config: { open: true } }, async (request, reply) => {
      const health = await current()
      const status = health.status !== 'failed' ? 200 : health.disk.full ? 507 : 503
      reply.status(status).header('cache-control', 'no-store')
      const isFull = fieldsOf(request.query)['full'] === '1'
      if (isFull || request.headers.accept?.includes('application/json')) {
        return reply
          .type('application/json; charset=utf-8')
          .send(JSON.stringify({ ...health, caller: callerOf(request.edge) }))
      }
      return reply.type('text/plain; charset=utf-8').send(inWords(health))
    })
  }
}

/**
 * For who starts and stops servers: `GET /hc/live/` is answered as long as the process turns at all, whatever else is away, so that nobody kills a
 * server that waits for its database; `GET /hc/ready/` while calls may be sent here: 503 without database or Redis, and from the moment it stops.
 */
function aliveAndReady(app: FastifyInstance, ctx: Ctx, current: () => Promise<Health>): void {
  const open = { config: { open: true } }
  for (const url of ['/hc/live/', '/hc/live'])
    app.get(url, open, async (_request, reply) =>
      reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send('Okay'),
    )
  for (const url of ['/hc/ready/', '/hc/ready'])
    app.get(url, open, async (_request, reply) => {
      const { database, live } = await current()
      const errors = [database, live].flatMap(({ error }) => error ?? [])
      if (ctx.stopping.aborted) errors.push('The server stops.')
      return reply
        .status(errors.length === 0 ? 200 : 503)
        .header('cache-control', 'no-store')
        .type('text/plain; charset=utf-8')
        .send(errors.length === 0 ? 'Okay' : errors.join('\n'))
    })
}

const callerOf = ({ origin, prefix, address, proxy }: Edge) => ({ origin, prefix, address, proxy })

function inWords(health: Health): string {
  if (health.status !== 'failed') return 'Okay'
  const { database, live, disk } = health
  return [database, live, disk].flatMap(({ error }) => (error === undefined ? [] : [error])).join('\n')
}

async function examine(ctx: Ctx, space: Space): Promise<Health> {
  const [database, live, disk] = await Promise.all([
    attempt('The database does not answer', () => sql`select 1`.execute(ctx.db)),
    attempt('The live store does not answer', () => ctx.live.get('health')),
    examineDisk(space),
  ])
  const { state, error, queued } = ctx.detector.health()
  const detector = {
    ok: state === 'ready',
    ...(error === undefined ? {} : { error }),
    model: ctx.detector.model,
    queued,
  }
  const serves = database.ok && live.ok && disk.ok
  const status = !serves ? 'failed' : detector.ok ? 'ok' : 'degraded'
  const { version } = ctx.config
  return { status, version, started_at: ctx.started.at, database, live, disk, detector }
}

async function attempt(sentence: string, work: () => Promise<unknown>): Promise<Part> {
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing within ${PATIENCE_MS / 1000} s`)), PATIENCE_MS)
  })
  try {
    await Promise.race([work(), tooLong])
    return { ok: true }
  } catch (error) {
    return { ok: false, error: `${sentence}: ${textOf(error)}.` }
  } finally {
    clearTimeout(timer)
  }
}

async function examineDisk({ folder, isFull, freeBytes: free }: Space): Promise<Health['disk']> {
  if (isFull) return { ok: false, full: true, free_bytes: free, error: `The disk is full: ${folder}.` }
  try {
    if (free === null || free < SCARCE_BYTES) await probe(folder)
    else await access(folder, constants.W_OK)
    return { ok: true, full: false, free_bytes: free }
  } catch (error) {
    const full = isDiskFull(error)
    const why = full ? 'The disk is full' : `The data folder cannot be written (${textOf(error)})`
    return { ok: false, full, free_bytes: free, error: `${why}: ${folder}.` }
  }
}

async function probe(folder: string): Promise<void> {
  const path = join(folder, `.health-${process.pid}`)
  try {
    await writeFile(path, Buffer.alloc(PROBE_BYTES, 1))
  } finally {
    await unlink(path).catch(() => undefined)
  }
}
