import type { Config } from '../../config.ts'
import { openPlace } from '../../engines/backups/place.ts'
import { CannotBackUp } from '../../engines/db/backup.ts'
import { listSets } from '../../modules/core/backups/index.ts'
import { broken, doubtful, type Finding, fine } from './finding.ts'

const DAY_MS = 86_400_000
/** A night may fail; two are no accident. */
const OLD_DAYS = 2

/** Whole backups go where they shall, can be read with the passphrase that is set, and the newest is young. */
export async function checkBackup(config: Config): Promise<Finding> {
  const { BACKUP_TO } = config
  if (BACKUP_TO === undefined)
    return fine('Whole backups are not set up (BACKUP_TO): the database alone is kept, on this disk.')
  try {
    const place = await openPlace(config, { onlyKnown: true })
    try {
      return judge(place.name, place.isSealed, (await listSets(place)).at(-1))
    } finally {
      await place.close()
    }
  } catch (error) {
    if (!(error instanceof CannotBackUp)) throw error
    const isNew = error.message.includes('holds no backups')
    return isNew
      ? doubtful(error.message, 'Make one: ./vigil backup whole. If there were some, is the disk mounted?')
      : broken(error.message, 'Correct BACKUP_TO and BACKUP_PASSPHRASE: until then no night makes a backup.')
  }
}

function judge(name: string, isSealed: boolean, newest: string | undefined): Finding {
  if (newest === undefined)
    return doubtful(`There is no whole backup in ${name} yet.`, 'Make one: ./vigil backup whole')
  const days = (Date.now() - Date.parse(`${newest.slice(0, 13)}:${newest.slice(14, 16)}:00Z`)) / DAY_MS
  const found = `The newest whole backup in ${name} is ${newest}, ${isSealed ? 'sealed' : 'not sealed'}.`
  return days > OLD_DAYS
    ? doubtful(
        `${found} It is ${Math.floor(days)} days old.`,
        'See on the page System why the nights since have failed.',
      )
    : fine(found)
}
