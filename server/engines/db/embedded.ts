import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { CannotRunPostgres } from './binaries.ts'
import { type Cluster, launch, prepareCluster, rotateLog, runningPid, urlOf } from './cluster.ts'
import { codeOf } from '../../lib/thrown.ts'

const DATABASE = 'vigil'
/** Whoever uses the database holds this advisory lock shared; whoever stops it must get it alone. */
const IN_USE = 8_654_512
const STOP_TIMEOUT_MS = 30_000
const START_TIMEOUT_MS = 60_000
const RECOVERY_TIMEOUT_MS = 600_000
const ROTATE_EVERY_MS = 3_600_000

export interface EmbeddedOptions {
  readonly dataFolder: string
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Settings of PostgreSQL beyond ours (tests). */
  readonly settings?: Readonly<Record<string, string>>
  /** PostgreSQL has gone; it is being started again. */
  readonly onDown?: () => void
  /** It is back. */
  readonly onUp?: () => void
}

/** The embedded PostgreSQL of a data folder, in use by us until `stop` or `release`. */
export interface Embedded {
  readonly url: string
  /** Ends our use and stops PostgreSQL, unless somebody else uses it; true when it was stopped. */
  stop(): Promise<boolean>
  /** Ends our use and leaves PostgreSQL running. */
  release(): Promise<void>
}

/** Adopts the PostgreSQL that runs on the data folder, or starts it; starts it again when it dies. */
export async function openEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const cluster = await prepareCluster(options.dataFolder, options.settings)
  const { log } = options
  const ending = new AbortController()
  let holder = await reach(cluster, log, ending.signal)
  await ensureDatabase(holder).catch(async (error: unknown) => {
    await stopUnlessUsed(cluster, holder)
    throw error
  })
  const rotation = setInterval(() => rotateLog(cluster.logFile), ROTATE_EVERY_MS).unref()

  /** Our session ends with PostgreSQL: that is how its death is noticed at once. */
  const watch = (client: pg.Client): void => {
    client.once('end', () => {
      if (ending.signal.aborted) return
      log.error('PostgreSQL has gone; starting it again')
      options.onDown?.()
      void revive()
    })
  }
  const revive = async (): Promise<void> => {
    for (let pause = 100; !ending.signal.aborted; pause = Math.min(pause * 2, 5_000)) {
      try {
        holder = await reach(cluster, log, ending.signal)
        watch(holder)
        log.info('PostgreSQL is back')
        options.onUp?.()
        return
      } catch (error) {
        if (ending.signal.aborted) return
        log.error({ err: error }, 'PostgreSQL does not start; trying again')
        await sleep(pause, undefined, { signal: ending.signal }).catch(() => {})
      }
    }
  }
  watch(holder)
  const end = (): void => {
    ending.abort()
    clearInterval(rotation)
  }
  return {
    url: urlOf(cluster, DATABASE),
    async stop() {
      end()
      return stopUnlessUsed(cluster, holder)
    },
    async release() {
      end()
      await holder.end().catch(() => {})
    },
  }
}

/** A session that holds the in-use lock; starts PostgreSQL when nothing answers. */
async function reach(cluster: Cluster, log: EmbeddedOptions['log'], signal: AbortSignal): Promise<pg.Client> {
  const began = Date.now()
  const logStart = logLength(cluster)
  let child: ReturnType<typeof launch> | null = null
  for (let starts = 0; ;) {
    const answer = await hold(cluster).catch(async (error: unknown) => {
      // It runs, but will never have us: what we started ourselves is not left behind.
      const pid = runningPid(cluster.folder)
      if (child !== null && pid !== null) await shutDown(cluster, pid)
      throw error
    })
    if (answer instanceof pg.Client) return answer
    signal.throwIfAborted()
    if (child === null && answer === 'absent') {
      if (starts >= 5) throw cannotStart(cluster, logStart)
      log.info(starts++ === 0 ? 'starting PostgreSQL' : 'starting PostgreSQL once more')
      const started: ReturnType<typeof launch> = launch(cluster)
      child = started
      void started.ended.then(() => (child = child === started ? null : child))
    }
    const limit = answer === 'starting' ? RECOVERY_TIMEOUT_MS : START_TIMEOUT_MS
    if (Date.now() - began > limit) throw cannotStart(cluster, logStart)
    await sleep(starts > 1 ? 100 * starts : 15, undefined, { signal })
  }
}

/** 'starting' also stands for stopping: something is there and will answer or go. */
async function hold(cluster: Cluster): Promise<pg.Client | 'starting' | 'absent'> {
  const client = new pg.Client({
    connectionString: urlOf(cluster, 'postgres'),
    application_name: 'vigil in use',
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select pg_advisory_lock_shared($1)', [IN_USE])
    return client
  } catch (error) {
    await client.end().catch(() => {})
    const code = codeOf(error)
    if (code.startsWith('28') || code === 'EACCES') throw error
    return code.startsWith('57P') ? 'starting' : 'absent'
  }
}

async function ensureDatabase(client: pg.Client): Promise<void> {
  const found = await client.query('select 1 from pg_database where datname = $1', [DATABASE])
  if (found.rowCount) return
  await client.query(`create database ${DATABASE}`).catch((error: { code?: string }) => {
    if (error.code !== '42P04' && error.code !== '23505') throw error
  })
}

async function stopUnlessUsed(cluster: Cluster, holder: pg.Client): Promise<boolean> {
  try {
    await holder.query('select pg_advisory_unlock_shared($1)', [IN_USE])
    const { rows } = await holder.query('select pg_try_advisory_lock($1) as alone', [IN_USE])
    if ((rows[0] as { alone: boolean }).alone !== true) {
      await holder.end()
      return false
    }
  } catch {
    // It is down or going down: what is left of it is ours to stop only when nobody can be connected to it.
  }
  const pid = runningPid(cluster.folder)
  if (pid !== null) await shutDown(cluster, pid)
  await holder.end().catch(() => {})
  return true
}

/** Fast shutdown: sessions end, everything is written. Harder only when that takes for ever. */
async function shutDown(cluster: Cluster, pid: number): Promise<void> {
  process.kill(pid, 'SIGINT')
  const began = Date.now()
  let insisted = false
  while (runningPid(cluster.folder) === pid) {
    if (!insisted && Date.now() - began > STOP_TIMEOUT_MS) {
      insisted = true
      process.kill(pid, 'SIGQUIT')
    }
    if (Date.now() - began > 2 * STOP_TIMEOUT_MS) throw new Error(`PostgreSQL (process ${pid}) does not stop`)
    await sleep(10)
  }
}

function logLength(cluster: Cluster): number {
  try {
    return readFileSync(cluster.logFile).length
  } catch {
    return 0
  }
}

function cannotStart(cluster: Cluster, logStart: number): CannotRunPostgres {
  let said = ''
  try {
    said = readFileSync(cluster.logFile).subarray(logStart).toString().trim().split('\n').slice(-5).join('\n')
  } catch {
    // no log: nothing to quote
  }
  return new CannotRunPostgres(`PostgreSQL does not start in ${cluster.folder}. Its last words:\n${said}`)
}
