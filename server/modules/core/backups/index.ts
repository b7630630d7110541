import type { Ctx } from '../../../ctx.ts'
import {
  backupFolder,
  backupName,
  CannotBackUp,
  pruneBackups,
  writeBackup,
} from '../../../engines/db/backup.ts'

const KEEP = 7
/** After the nightly tidying-up, so that what has expired is not kept for another week. */
const AT = '40 3 * * *'

/**
 * A backup every night; the newest seven in the folder stay. Of a database of somebody else's (DATABASE_URL) only
 * when BACKUP_NIGHTLY asks for it: whoever runs that one has backups of their own.
 */
export function registerBackups(ctx: Ctx, databaseUrl: string): void {
  const { BACKUP_NIGHTLY, DATABASE_URL } = ctx.config
  if (!(BACKUP_NIGHTLY ?? DATABASE_URL === undefined)) return
  ctx.jobs.schedule('backup', AT, (signal) => backUpNightly(ctx, databaseUrl, signal))
}

/** Writes tonight's backup and removes the oldest; never raises when there is no room, but says so. */
export async function backUpNightly(ctx: Ctx, url: string, signal: AbortSignal): Promise<void> {
  const { log, config, clock } = ctx
  const folder = backupFolder(config.dataFolder)
  const began = performance.now()
  try {
    const file = backupName(folder, new Date(clock.now()))
    const done = await writeBackup({ url, file, version: config.version, signal })
    const removed = await pruneBackups(folder, KEEP)
    log.info({ ...done, removed, ms: Math.round(performance.now() - began) }, 'the database was backed up')
  } catch (error) {
    if (!(error instanceof CannotBackUp)) throw error
    log.error({ reason: error.message }, 'the database was not backed up tonight')
  }
}
