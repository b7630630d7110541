import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import type { Config } from '../config.ts'
import { type Ctx, systemClock } from '../ctx.ts'
import { openEmbedded } from '../engines/db/embedded.ts'
import { migrateDatabase } from '../engines/db/migrate.ts'
import { openDb } from '../engines/db/postgres.ts'
import { openFiles } from '../engines/files/index.ts'
import type { Detector } from '../engines/inference/port.ts'
import type { Jobs } from '../engines/jobs/port.ts'
import { openLive } from '../engines/live/index.ts'
import { openMail } from '../engines/mail/index.ts'
import { createEvents } from '../lib/events.ts'
import { CommandFailed, FAILED } from './command.ts'

/** Warnings and worse, on stderr: stdout is for the command's answer. */
export const commandLog = (config: Config) =>
  pino(
    { level: config.LOG_LEVEL === 'info' ? 'warn' : config.LOG_LEVEL },
    pino.destination({ fd: 2, sync: true }),
  )

/** What was interrupted gets this long to leave nothing half done. */
const LEAVING_MS = 5_000

/**
 * Calls `use` with the address of the database; an embedded one is started if need be, and stopped unless used, also
 * when the command is told to stop: then `signal` is aborted, and what `use` says after that is of no interest.
 */
export async function withDatabase<T>(
  config: Config,
  use: (url: string, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController()
  const { signal } = ending
  const stop = (): void =>
    signal.aborted ? process.exit(FAILED) : ending.abort(new CommandFailed('Stopped.'))
  process.on('SIGINT', stop).on('SIGTERM', stop)
  const embedded =
    config.DATABASE_URL === undefined
      ? await openEmbedded({ dataFolder: config.dataFolder, log: commandLog(config) })
      : null
  try {
    signal.throwIfAborted()
    const work = use(embedded?.url ?? config.DATABASE_URL!, signal)
    return await Promise.race([work, interrupted(signal, work)])
  } finally {
    await embedded?.stop()
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}

/** Fails when the command was told to stop and `work` has ended, or had its time to. */
async function interrupted(signal: AbortSignal, work: Promise<unknown>): Promise<never> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  const ended = work.catch(() => undefined)
  await Promise.race([ended, sleep(LEAVING_MS, undefined, { ref: false })])
  throw signal.reason
}

/** Calls `use` with what features need, on the same data as the server, whether that runs or not. */
export async function withContext<T>(config: Config, use: (ctx: Ctx) => Promise<T>): Promise<T> {
  return withDatabase(config, async (url) => {
    const log = commandLog(config)
    await migrateDatabase(url, { log })
    const database = openDb(url, { log, poolSize: 2 })
    const [live, files, mail] = await Promise.all([
      openLive(config, log),
      openFiles(config),
      openMail(config),
    ])
    try {
      return await use({
        db: database.db,
        jobs: absent<Jobs>('jobs'),
        detector: absent<Detector>('the detector'),
        live,
        files,
        mail,
        clock: systemClock,
        started: { monotonic: systemClock.monotonic(), at: systemClock.now() },
        log,
        config,
        events: createEvents((error) => log.error({ err: error }, 'an event listener failed')),
        stopping: new AbortController().signal,
      })
    } finally {
      await Promise.all([live.close(), files.close(), mail.close()])
      await database.close()
    }
  })
}

/** An engine that no command needs; touching it is a defect that names itself. */
function absent<T extends object>(what: string): T {
  return new Proxy({} as T, {
    get() {
      throw new CommandFailed(`A command has no ${what}.`)
    },
  })
}
