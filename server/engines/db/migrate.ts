import { type Migration, Migrator } from 'kysely/migration'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Db } from './port.ts'
import { openDb } from './postgres.ts'

/** In order, forward only, never edited after release. They are read by who runs one: a start seldom does. */
const MIGRATIONS: Record<string, () => Promise<Migration>> = {
  '0001-foundation': () => import('./migrations/0001-foundation.ts'),
  '0002-sharing-and-zones': () => import('./migrations/0002-sharing-and-zones.ts'),
  '0003-last-seen': () => import('./migrations/0003-last-seen.ts'),
  '0004-first-layer': () => import('./migrations/0004-first-layer.ts'),
  '0005-camera-views': () => import('./migrations/0005-camera-views.ts'),
  '0006-watched-time': () => import('./migrations/0006-watched-time.ts'),
  '0007-pause-intents': () => import('./migrations/0007-pause-intents.ts'),
  '0008-feedback-and-hours': () => import('./migrations/0008-feedback-and-hours.ts'),
  '0009-mail': () => import('./migrations/0009-mail.ts'),
  '0010-gallery': () => import('./migrations/0010-gallery.ts'),
  '0011-notifications': () => import('./migrations/0011-notifications.ts'),
  '0012-email-addresses': () => import('./migrations/0012-email-addresses.ts'),
  '0013-print-page': () => import('./migrations/0013-print-page.ts'),
  '0014-gcode-store': () => import('./migrations/0014-gcode-store.ts'),
  '0015-timelapses': () => import('./migrations/0015-timelapses.ts'),
  '0016-replays': () => import('./migrations/0016-replays.ts'),
  '0017-feed': () => import('./migrations/0017-feed.ts'),
  '0018-mobile-devices': () => import('./migrations/0018-mobile-devices.ts'),
  '0019-first-layer-films': () => import('./migrations/0019-first-layer-films.ts'),
  '0020-notification-rules': () => import('./migrations/0020-notification-rules.ts'),
  '0021-alert-links': () => import('./migrations/0021-alert-links.ts'),
  '0022-not-watching': () => import('./migrations/0022-not-watching.ts'),
  '0023-watch-alarms': () => import('./migrations/0023-watch-alarms.ts'),
  '0024-web-push': () => import('./migrations/0024-web-push.ts'),
  '0025-mobile-push': () => import('./migrations/0025-mobile-push.ts'),
  '0027-machines': () => import('./migrations/0027-machines.ts'),
  '0028-cloud-prints': () => import('./migrations/0028-cloud-prints.ts'),
  '0032-slicer-tokens': () => import('./migrations/0032-slicer-tokens.ts'),
  '0030-print-queue': () => import('./migrations/0030-print-queue.ts'),
  '0034-prints-of-file': () => import('./migrations/0034-prints-of-file.ts'),
  '0036-signed-out': () => import('./migrations/0036-signed-out.ts'),
  '0040-tunnels': () => import('./migrations/0040-tunnels.ts'),
  '0047-video-cycles': () => import('./migrations/0047-video-cycles.ts'),
  '0048-home': () => import('./migrations/0048-home.ts'),
  '0048-paused-by': () => import('./migrations/0048-paused-by.ts'),
  '0049-alert-seen': () => import('./migrations/0049-alert-seen.ts'),
  '0050-upload-room': () => import('./migrations/0050-upload-room.ts'),
  '0051-unwatched': () => import('./migrations/0051-unwatched.ts'),
  '0052-gallery-version': () => import('./migrations/0052-gallery-version.ts'),
  '0053-session-devices': () => import('./migrations/0053-session-devices.ts'),
  '0054-factors': () => import('./migrations/0054-factors.ts'),
  '0055-mesh-models': () => import('./migrations/0055-mesh-models.ts'),
  '0056-score-curve': () => import('./migrations/0056-score-curve.ts'),
  '0057-slice-jobs': () => import('./migrations/0057-slice-jobs.ts'),
  '0058-identities': () => import('./migrations/0058-identities.ts'),
  '0059-oauth-refresh': () => import('./migrations/0059-oauth-refresh.ts'),
  '0063-slice-presets': () => import('./migrations/0063-slice-presets.ts'),
  '0064-leaving': () => import('./migrations/0064-leaving.ts'),
  '0065-user-theme': () => import('./migrations/0065-user-theme.ts'),
  '0066-key-scopes': () => import('./migrations/0066-key-scopes.ts'),
  '0067-households': () => import('./migrations/0067-households.ts'),
  '0068-closed-households': () => import('./migrations/0068-closed-households.ts'),
  '0069-room-twice': () => import('./migrations/0069-room-twice.ts'),
  '0070-slice-started': () => import('./migrations/0070-slice-started.ts'),
  '0071-hours-by-the-second': () => import('./migrations/0071-hours-by-the-second.ts'),
  '0072-subscriptions': () => import('./migrations/0072-subscriptions.ts'),
  '0073-admin': () => import('./migrations/0073-admin.ts'),
  '0074-coupons': () => import('./migrations/0074-coupons.ts'),
  '0075-decisions-created': () => import('./migrations/0075-decisions-created.ts'),
  '0076-assistant': () => import('./migrations/0076-assistant.ts'),
  '0077-payments': () => import('./migrations/0077-payments.ts'),
  '0078-linked-for': () => import('./migrations/0078-linked-for.ts'),
  '0079-ai-questions': () => import('./migrations/0079-ai-questions.ts'),
}

/** The database is newer than this program, or a migration failed; `message` says which. */
export class CannotMigrate extends Error {
  override readonly name = 'CannotMigrate'
}

/** Brings the database to the newest shape, all or nothing; safe when several nodes start at once. */
export async function migrateDatabase(
  url: string,
  options: { log: Pick<Logger, 'info' | 'warn'> },
): Promise<void> {
  const { db, pool, close } = openDb(url, { log: options.log, poolSize: 2, statementTimeoutMs: 0 })
  try {
    if (await isNewest(pool)) return
    const { error, results } = await migratorOn(db).migrateToLatest()
    for (const { migrationName, status } of results ?? []) {
      if (status === 'Success') options.log.info(`database brought to ${migrationName}`)
    }
    if (error) throw explain(error, results?.find(({ status }) => status === 'Error')?.migrationName)
  } finally {
    await close()
  }
}

/** Names of the migrations that the next start will run. */
export async function pendingMigrations(
  url: string,
  options: { log: Pick<Logger, 'warn'> },
): Promise<string[]> {
  const { pool, close } = openDb(url, { log: options.log, poolSize: 1 })
  try {
    const seen = new Set(await namesIn(pool))
    return Object.keys(MIGRATIONS)
      .filter((name) => !seen.has(name))
      .toSorted()
  } finally {
    await close()
  }
}

/** Whether a newer program has brought the database to a shape that this one does not know. */
export async function isFromNewer(pool: Pool): Promise<boolean> {
  return !(await namesIn(pool)).every(isKnown)
}

/** Whether all has been done and nothing else. The migrator reads all columns of all tables, three times, before it knows. */
async function isNewest(pool: Pool): Promise<boolean> {
  const names = await namesIn(pool)
  return names.length === Object.keys(MIGRATIONS).length && names.every(isKnown)
}

const isKnown = (name: string) => MIGRATIONS[name] !== undefined

/** Of the migrations that a database has seen. */
async function namesIn(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ has: boolean }>(
    `select to_regclass('kysely_migration') is not null as has`,
  )
  if (rows[0]?.has !== true) return []
  const seen = await pool.query<{ name: string }>('select name from kysely_migration')
  return seen.rows.map(({ name }) => name)
}

async function readMigrations(): Promise<Record<string, Migration>> {
  const all = Object.entries(MIGRATIONS).map(async ([name, read]) => [name, await read()] as const)
  return Object.fromEntries(await Promise.all(all))
}

function migratorOn(db: Db): Migrator {
  return new Migrator({
    db: db.withoutPlugins(),
    provider: { getMigrations: readMigrations },
  })
}

function explain(error: unknown, failed: string | undefined): unknown {
  const message = error instanceof Error ? error.message : String(error)
  if (failed) return new CannotMigrate(`Migration ${failed} failed: ${message}`, { cause: error })
  if (!message.includes('previously executed migration')) return error
  return new CannotMigrate(
    'The database was written by a newer version of Vigil. Install that version again.',
    {
      cause: error,
    },
  )
}
