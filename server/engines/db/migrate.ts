import type { Migration } from 'kysely/migration'
import { Migrator } from 'kysely/migration'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import * as foundation from './migrations/0001-foundation.ts'
import * as sharingAndZones from './migrations/0002-sharing-and-zones.ts'
import * as lastSeen from './migrations/0003-last-seen.ts'
import * as firstLayer from './migrations/0004-first-layer.ts'
import * as cameraViews from './migrations/0005-camera-views.ts'
import * as watchedTime from './migrations/0006-watched-time.ts'
import * as pauseIntents from './migrations/0007-pause-intents.ts'
import * as feedbackAndHours from './migrations/0008-feedback-and-hours.ts'
import * as mail from './migrations/0009-mail.ts'
import * as gallery from './migrations/0010-gallery.ts'
import * as notifications from './migrations/0011-notifications.ts'
import * as emailAddresses from './migrations/0012-email-addresses.ts'
import * as printPage from './migrations/0013-print-page.ts'
import * as gcodeStore from './migrations/0014-gcode-store.ts'
import * as timelapses from './migrations/0015-timelapses.ts'
import * as replays from './migrations/0016-replays.ts'
import * as feed from './migrations/0017-feed.ts'
import * as mobileDevices from './migrations/0018-mobile-devices.ts'
import * as firstLayerFilms from './migrations/0019-first-layer-films.ts'
import * as notificationRules from './migrations/0020-notification-rules.ts'
import * as alertLinks from './migrations/0021-alert-links.ts'
import * as notWatching from './migrations/0022-not-watching.ts'
import * as watchAlarms from './migrations/0023-watch-alarms.ts'
import * as webPush from './migrations/0024-web-push.ts'
import * as mobilePush from './migrations/0025-mobile-push.ts'
import * as machines from './migrations/0027-machines.ts'
import * as cloudPrints from './migrations/0028-cloud-prints.ts'
import * as slicerTokens from './migrations/0032-slicer-tokens.ts'
import * as printQueue from './migrations/0030-print-queue.ts'
import * as printsOfFile from './migrations/0034-prints-of-file.ts'
import * as signedOut from './migrations/0036-signed-out.ts'
import * as tunnels from './migrations/0040-tunnels.ts'
import * as videoCycles from './migrations/0047-video-cycles.ts'
import * as home from './migrations/0048-home.ts'
import * as pausedBy from './migrations/0048-paused-by.ts'
import * as alertSeen from './migrations/0049-alert-seen.ts'
import * as uploadRoom from './migrations/0050-upload-room.ts'
import * as unwatched from './migrations/0051-unwatched.ts'
import * as galleryVersion from './migrations/0052-gallery-version.ts'
import * as sessionDevices from './migrations/0053-session-devices.ts'
import * as factors from './migrations/0054-factors.ts'
import * as meshModels from './migrations/0055-mesh-models.ts'
import * as scoreCurve from './migrations/0056-score-curve.ts'
import * as sliceJobs from './migrations/0057-slice-jobs.ts'
import * as identities from './migrations/0058-identities.ts'
import * as oauthRefresh from './migrations/0059-oauth-refresh.ts'
import * as slicePresets from './migrations/0063-slice-presets.ts'
import * as leaving from './migrations/0064-leaving.ts'
import * as userTheme from './migrations/0065-user-theme.ts'
import * as keyScopes from './migrations/0066-key-scopes.ts'
import * as households from './migrations/0067-households.ts'
import * as closedHouseholds from './migrations/0068-closed-households.ts'
import * as roomTwice from './migrations/0069-room-twice.ts'
import * as sliceStarted from './migrations/0070-slice-started.ts'
import * as hoursByTheSecond from './migrations/0071-hours-by-the-second.ts'
import * as subscriptions from './migrations/0072-subscriptions.ts'
import * as admin from './migrations/0073-admin.ts'
import * as coupons from './migrations/0074-coupons.ts'
import * as decisionsCreated from './migrations/0075-decisions-created.ts'
import * as assistant from './migrations/0076-assistant.ts'
import * as payments from './migrations/0077-payments.ts'
import * as linkedFor from './migrations/0078-linked-for.ts'
import * as aiQuestions from './migrations/0079-ai-questions.ts'
import type { Db } from './port.ts'
import { openDb } from './postgres.ts'

/** In order, forward only, never edited after release. */
const MIGRATIONS: Record<string, Migration> = {
  '0001-foundation': foundation,
  '0002-sharing-and-zones': sharingAndZones,
  '0003-last-seen': lastSeen,
  '0004-first-layer': firstLayer,
  '0005-camera-views': cameraViews,
  '0006-watched-time': watchedTime,
  '0007-pause-intents': pauseIntents,
  '0008-feedback-and-hours': feedbackAndHours,
  '0009-mail': mail,
  '0010-gallery': gallery,
  '0011-notifications': notifications,
  '0012-email-addresses': emailAddresses,
  '0013-print-page': printPage,
  '0014-gcode-store': gcodeStore,
  '0015-timelapses': timelapses,
  '0016-replays': replays,
  '0017-feed': feed,
  '0018-mobile-devices': mobileDevices,
  '0019-first-layer-films': firstLayerFilms,
  '0020-notification-rules': notificationRules,
  '0021-alert-links': alertLinks,
  '0022-not-watching': notWatching,
  '0023-watch-alarms': watchAlarms,
  '0024-web-push': webPush,
  '0025-mobile-push': mobilePush,
  '0027-machines': machines,
  '0028-cloud-prints': cloudPrints,
  '0032-slicer-tokens': slicerTokens,
  '0030-print-queue': printQueue,
  '0034-prints-of-file': printsOfFile,
  '0036-signed-out': signedOut,
  '0040-tunnels': tunnels,
  '0047-video-cycles': videoCycles,
  '0048-home': home,
  '0048-paused-by': pausedBy,
  '0049-alert-seen': alertSeen,
  '0050-upload-room': uploadRoom,
  '0051-unwatched': unwatched,
  '0052-gallery-version': galleryVersion,
  '0053-session-devices': sessionDevices,
  '0054-factors': factors,
  '0055-mesh-models': meshModels,
  '0056-score-curve': scoreCurve,
  '0057-slice-jobs': sliceJobs,
  '0058-identities': identities,
  '0059-oauth-refresh': oauthRefresh,
  '0063-slice-presets': slicePresets,
  '0064-leaving': leaving,
  '0065-user-theme': userTheme,
  '0066-key-scopes': keyScopes,
  '0067-households': households,
  '0068-closed-households': closedHouseholds,
  '0069-room-twice': roomTwice,
  '0070-slice-started': sliceStarted,
  '0071-hours-by-the-second': hoursByTheSecond,
  '0072-subscriptions': subscriptions,
  '0073-admin': admin,
  '0074-coupons': coupons,
  '0075-decisions-created': decisionsCreated,
  '0076-assistant': assistant,
  '0077-payments': payments,
  '0078-linked-for': linkedFor,
  '0079-ai-questions': aiQuestions,
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

function migratorOn(db: Db): Migrator {
  return new Migrator({
    db: db.withoutPlugins(),
    provider: { getMigrations: () => Promise.resolve(MIGRATIONS) },
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
