import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../../../config.ts'
import { openPlace, type Place } from '../../../engines/backups/place.ts'
import { backupFolder, CannotBackUp } from '../../../engines/db/backup.ts'

const memory = z.object({ to: z.string(), id: z.string() })

const fileOf = (config: Config) => join(backupFolder(config.dataFolder), 'place.json')

async function remembered(config: Config) {
  try {
    return memory.parse(JSON.parse(await readFile(fileOf(config), 'utf8')))
  } catch {
    return null
  }
}

/**
 * Opens the place of whole backups to write there. A folder that had backups and holds none now is a disk that is not mounted: nothing is
 * written below it. Raises `CannotBackUp`.
 */
export async function openPlaceToWrite(config: Config): Promise<Place> {
  const before = await remembered(config)
  const isKnown = before !== null && before.to === config.BACKUP_TO
  const place = await openPlace(config, { onlyKnown: isKnown }).catch((error: unknown) => {
    throw isKnown && error instanceof CannotBackUp ? orAnew(error.message, config) : error
  })
  if (isKnown && place.id !== before.id) {
    await place.close()
    throw orAnew(`${place.name} holds other backups than the last time.`, config)
  }
  await mkdir(dirname(fileOf(config)), { recursive: true, mode: 0o700 })
  const now = JSON.stringify({ to: config.BACKUP_TO, id: place.id })
  await writeFile(fileOf(config), `${now}\n`, { mode: 0o600 })
  return place
}

const orAnew = (why: string, config: Config) =>
  /passphrase|PASSPHRASE|mounted/.test(why)
    ? new CannotBackUp(why)
    : new CannotBackUp(`${why} Is its disk mounted? To begin anew there, remove ${fileOf(config)}.`)
