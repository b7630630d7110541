import { execFile } from 'node:child_process'
import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Config } from '../../config.ts'
import { openDb } from '../../engines/db/postgres.ts'
import { commandLog } from '../context.ts'
import { broken, doubtful, type Finding, fine } from './finding.ts'
import { runningPid } from './network.ts'

const PATIENCE_MS = 5_000
const HOUR = 3_600_000

/** Another clock, and by how much ours is ahead of it (behind when negative). */
interface OtherClock {
  readonly whose: string
  readonly aheadMs: number
  /** What may be its coarseness, or the way. */
  readonly toleranceMs: number
}

/**
 * The clocks that can be compared with ours: of the database, of the disk, and of the hosts that are configured.
 * Nobody else is asked; what does not answer is left out.
 */
async function othersClocks(config: Config): Promise<OtherClock[]> {
  const asked = await Promise.allSettled([
    ofDatabase(config),
    ofDisk(config),
    ofTraces(config),
    ...[config.S3_URL, config.PUBLIC_URL, config.DETECTOR_MODEL_URL, config.SENTRY_DSN].map(ofHost),
  ])
  return asked.flatMap((one) => (one.status === 'fulfilled' && one.value !== null ? [one.value] : []))
}

async function ofDatabase(config: Config): Promise<OtherClock | null> {
  if (config.DATABASE_URL === undefined) return null
  const { pool, close } = openDb(config.DATABASE_URL, { log: commandLog(config), poolSize: 1 })
  try {
    await pool.query('select 1')
    const before = Date.now()
    const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now')
    const aheadMs = (before + Date.now()) / 2 - (rows[0]?.now.getTime() ?? Number.NaN)
    return { whose: 'that of the database', aheadMs, toleranceMs: 2_000 }
  } finally {
    await close()
  }
}

/** A file's time is the disk's: another machine's where the folder is on the network. */
async function ofDisk({ dataFolder }: Config): Promise<OtherClock> {
  const probe = join(dataFolder, `.doctor-clock-${process.pid}`)
  const before = Date.now()
  try {
    await writeFile(probe, '')
    const { mtimeMs } = await stat(probe)
    return { whose: `that of the disk of ${dataFolder}`, aheadMs: before - mtimeMs, toleranceMs: 30_000 }
  } finally {
    await rm(probe, { force: true })
  }
}

/**
 * What was written last: files from the future mean that the clock is behind (or was ahead before); a server that
 * works and has written nothing for hours, that it is ahead.
 */
async function ofTraces(config: Config): Promise<OtherClock | null> {
  const { dataFolder } = config
  const folders = ['', 'log', 'backups', 'pg', 'pg/global', 'pg/pg_wal'].map((name) => join(dataFolder, name))
  const times = (await Promise.all(folders.map(timesIn))).flat()
  if (times.length === 0) return null
  const aheadMs = Date.now() - Math.max(...times)
  const isAtWork = config.DATABASE_URL === undefined && runningPid(config) !== null
  if (aheadMs > 0 && !isAtWork) return null
  return { whose: `the newest file in ${dataFolder}`, aheadMs, toleranceMs: aheadMs > 0 ? 12 * HOUR : 60_000 }
}

async function timesIn(folder: string): Promise<number[]> {
  const names = await readdir(folder).catch(() => [])
  const found = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => null)))
  return found.flatMap((one) => (one?.isFile() ? [one.mtimeMs] : []))
}

/** The `Date` of whatever answers there; it is a whole second. */
async function ofHost(address: string | undefined): Promise<OtherClock | null> {
  if (address === undefined) return null
  const { origin, host } = new URL(address)
  const before = Date.now()
  const answer = await fetch(origin, {
    method: 'HEAD',
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  const theirs = Date.parse(answer.headers.get('date') ?? '')
  if (Number.isNaN(theirs)) return null
  return { whose: `that of ${host}`, aheadMs: (before + Date.now()) / 2 - theirs, toleranceMs: 10_000 }
}

/** Nothing that was written by this version can be older. */
const RELEASED = Date.UTC(2026, 10, 1)
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** Sessions, links and the watching of prints depend on the clock: it must be right, and agree with the others'. */
export async function checkClock(config: Config): Promise<Finding> {
  const now = new Date()
  if (now.getTime() < RELEASED) {
    return broken(`The clock says ${now.toISOString()}, which is past.`, 'Set the clock, and switch on NTP.')
  }
  for (const { whose, aheadMs, toleranceMs } of await othersClocks(config)) {
    if (Math.abs(aheadMs) <= toleranceMs) continue
    const found = `This machine's clock is ${inWords(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'} ${whose}.`
    return broken(found, 'Set the clock, and switch on NTP on both.')
  }
  if ((await isSynchronized()) === false) {
    return doubtful(
      `${now.toISOString()}; no NTP server keeps it right.`,
      'Switch it on: timedatectl set-ntp true',
    )
  }
  return fine(`${now.toISOString()}, time zone ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`)
}

function inWords(ms: number): string {
  if (ms >= 2 * DAY) return `${Math.floor(ms / DAY)} days`
  return ms >= 2 * MINUTE ? `${Math.floor(ms / MINUTE)} minutes` : `${(ms / 1000).toFixed(1)} s`
}

/** Null where nobody can say. */
async function isSynchronized(): Promise<boolean | null> {
  try {
    const { stdout } = await promisify(execFile)(
      'timedatectl',
      ['show', '--property=NTPSynchronized', '--value'],
      {
        timeout: 3_000,
      },
    )
    return stdout.trim() === '' ? null : stdout.trim() === 'yes'
  } catch {
    return null
  }
}
