import type { Ctx } from '../../../ctx.ts'
import {
  type BackupDone,
  backupFolder,
  backupName,
  CannotBackUp,
  pruneBackups,
  writeBackup,
} from '../../../engines/db/backup.ts'
import { DiskFull, FilesUnavailable } from '../../../engines/files/port.ts'
import { backups } from '../../../engines/metrics/index.ts'
import { openPlaceToWrite } from './remembered.ts'
import { type BackupCtx, pruneSets, storeWhole, type WholeDone } from './whole.service.ts'

export {
  type FilesBack,
  fetchDatabase,
  findSet,
  putFilesBack,
  putSecretsBack,
  scratchFolder,
} from './back.service.ts'
export { listSets, readSummary } from './sets.ts'
export { verifySet } from './verify.service.ts'
export type { BackupCtx, WholeDone } from './whole.service.ts'

const KEEP = 7
/** After the nightly tidying-up, so that what has expired is not kept for another week. */
const AT = '40 3 * * *'
/** The first whole one, of all files onto a slow disk, takes hours; it is over before the next begins. */
const LONGEST_MS = 22 * 3_600_000
/** By then what was stopped has ended and was told. */
const TIMEOUT_MS = 23 * 3_600_000

/** Whether there is a backup every night: of a database of somebody else's only when one of the settings asks for it. */
export const isNightly = ({ BACKUP_NIGHTLY, BACKUP_TO, DATABASE_URL }: Ctx['config']): boolean =>
  BACKUP_NIGHTLY ?? (DATABASE_URL === undefined || BACKUP_TO !== undefined)

/**
 * A backup every night; the newest seven in the folder stay, and with `BACKUP_TO` a whole one, with all files, goes there.
 */
export function registerBackups(ctx: Ctx, databaseUrl: string): void {
  if (!isNightly(ctx.config)) return
  // What begins with its first failure has not risen to it: the alert would miss that.
  for (const outcome of ['done', 'failed']) backups.inc({ outcome }, 0)
  const work = (signal: AbortSignal) => backUpNightly(ctx, databaseUrl, signal)
  ctx.jobs.schedule('backup', AT, work, { timeoutMs: TIMEOUT_MS })
}

/** What a backup came to: the database's file, and the whole one where there is a place for it. */
export interface BackedUp {
  readonly database: BackupDone
  readonly whole: WholeDone | null
  readonly removed: readonly string[]
}

/** Writes the database's file, and with `BACKUP_TO` a whole backup there; removes what the rules do not keep. Raises `CannotBackUp`. */
export async function backUp(ctx: BackupCtx, url: string, signal: AbortSignal): Promise<BackedUp> {
  const { config, clock } = ctx
  const folder = backupFolder(config.dataFolder)
  const file = backupName(folder, new Date(clock.now()))
  const database = await writeBackup({ url, file, version: config.version, signal })
  const removed = await pruneBackups(folder, KEEP)
  if (config.BACKUP_TO === undefined) return { database, whole: null, removed }
  const place = await openPlaceToWrite(config)
  try {
    const whole = await storeWhole(ctx, { place, database, signal })
    removed.push(...(await pruneSets(place, config.BACKUP_KEEP, clock.now())))
    return { database, whole, removed }
  } finally {
    await place.close()
  }
}

/** Tonight's backup: what stands in its way is not raised but said, counted, and told to administrators (people/operations). */
export async function backUpNightly(
  ctx: Ctx,
  url: string,
  signal: AbortSignal,
  late = AbortSignal.timeout(LONGEST_MS),
): Promise<void> {
  const { log, clock, events } = ctx
  const began = performance.now()
  try {
    const { database, whole, removed } = await backUp(ctx, url, AbortSignal.any([signal, late]))
    log.info(
      { ...database, ...(whole && { whole }), removed, ms: Math.round(performance.now() - began) },
      'the database was backed up',
    )
    backups.inc({ outcome: 'done' })
    const { bytes } = database
    events.emit('backup.ended', {
      at: clock.now(),
      reason: null,
      bytes: bytes + (whole?.bytes ?? 0),
      whole: whole?.place ?? null,
    })
  } catch (error) {
    signal.throwIfAborted()
    const isKnown = [CannotBackUp, DiskFull, FilesUnavailable].some((kind) => error instanceof kind)
    const otherwise = late.aborted
      ? 'it was not done before the next night, and was stopped'
      : 'something unexpected; the log of the server has it'
    const reason = error instanceof Error && isKnown ? error.message : otherwise
    log.error({ reason, ...(isKnown ? {} : { err: error }) }, 'the database was not backed up tonight')
    backups.inc({ outcome: 'failed' })
    events.emit('backup.ended', { at: clock.now(), reason, bytes: 0, whole: null })
  }
}
