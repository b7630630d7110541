import type { Config } from '../../config.ts'
import { openDb } from '../../engines/db/postgres.ts'
import { findHome } from '../../modules/people/mail/index.ts'
import { commandLog, withDatabase } from '../context.ts'
import { doubtful, type Finding, fine } from './finding.ts'

const CURE = 'Set PUBLIC_URL to the address at which people find this server.'
const HERE = /^https?:\/\/(localhost|127\.|\[::1\])/

/** Where links in letters and messages lead (docs/rules/people.md 7). */
export async function checkLinks(config: Config): Promise<Finding> {
  const home = config.PUBLIC_URL ?? (await withDatabase(config, (url) => ask(config, url)))
  if (home === null) {
    const found = 'Nobody has said where links lead: letters with them are not sent, and messages go without.'
    return doubtful(found, `${CURE} Else they lead to where an administrator signs in.`)
  }
  if (HERE.test(home)) return doubtful(`Links lead to ${home}, which this machine alone finds.`, CURE)
  const why = config.PUBLIC_URL === undefined ? ', where an administrator has signed in' : ''
  return fine(`Links in letters and messages lead to ${home}${why}.`)
}

async function ask(config: Config, url: string): Promise<string | null> {
  const { db, pool, close } = openDb(url, { log: commandLog(config), poolSize: 1 })
  try {
    const { rows } = await pool.query<{ has: boolean }>(`select to_regclass('users') is not null as has`)
    return rows[0]?.has === true ? await findHome({ config, db }) : null
  } finally {
    await close()
  }
}
