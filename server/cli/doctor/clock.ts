import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Config } from '../../config.ts'
import { openDb } from '../../engines/db/postgres.ts'
import { commandLog } from '../context.ts'
import { broken, doubtful, type Finding, fine } from './finding.ts'

/** Nothing that was written by this version can be older. */
const RELEASED = Date.UTC(2026, 10, 1)
const TOLERANCE_MS = 2_000

/** Sessions, links and the watching of prints depend on the clock: it must be right, and agree with the database. */
export async function checkClock(config: Config): Promise<Finding> {
  const now = new Date()
  if (now.getTime() < RELEASED) {
    return broken(`The clock says ${now.toISOString()}, which is past.`, 'Set the clock, and switch on NTP.')
  }
  const ahead = config.DATABASE_URL === undefined ? 0 : await aheadOfDatabase(config, config.DATABASE_URL)
  if (Math.abs(ahead) > TOLERANCE_MS) {
    const found = `The clocks of this machine and of the database differ by ${(ahead / 1000).toFixed(1)} s.`
    return broken(found, 'Switch on NTP on both.')
  }
  if ((await isSynchronized()) === false) {
    return doubtful(
      `${now.toISOString()}; no NTP server keeps it right.`,
      'Switch it on: timedatectl set-ntp true',
    )
  }
  return fine(`${now.toISOString()}, time zone ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`)
}

async function aheadOfDatabase(config: Config, url: string): Promise<number> {
  const { pool, close } = openDb(url, { log: commandLog(config), poolSize: 1 })
  try {
    await pool.query('select 1')
    const before = Date.now()
    const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now')
    return (before + Date.now()) / 2 - (rows[0]?.now.getTime() ?? Number.NaN)
  } finally {
    await close()
  }
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
