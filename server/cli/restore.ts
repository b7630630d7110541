import { mkdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, readConfig } from '../config.ts'
import type { Place } from '../engines/backups/place.ts'
import { openBackup } from '../engines/db/backup.format.ts'
import { refuseTarget, restoreBackup, type RestoreDone } from '../engines/db/backup.restore.ts'
import { openFiles } from '../engines/files/index.ts'
import {
  fetchDatabase,
  type FilesBack,
  findSet,
  putFilesBack,
  putSecretsBack,
} from '../modules/core/backups/index.ts'
import { pidFileOf } from '../supervisor.ts'
import { takePidFile } from '../supervisor/pid-file.ts'
import { sayWhy, withPlace } from './backup.ts'
import { type Command, loadConfig, OK, print, readArgs, UsageError } from './command.ts'
import { commandLog, withDatabase } from './context.ts'

const help = `Fills an empty database from a backup, all or nothing.

  ./vigil restore FILE [--json]            the database alone, from its file
  ./vigil restore --whole [SET] [--json]   database, files and secrets.json, from the whole backups of BACKUP_TO

  --whole  the newest of them, or the one that is named (./vigil backup list)
  --json   what was done as one JSON object: file, at, version, migration, tables, rows

The server must not run, and the database must be empty: set VIGIL_DATA to a new folder, or DATABASE_URL to a new
database. The file is checked as a whole before anything is touched. A backup of an older version of Vigil is brought to
the present shape; one of a newer version is refused. After a file alone put files/ and secrets.json back as well. A whole
one is put back on any machine: files first, each compared with what was stored, the database last, so that what was
stopped half-way is begun again by the same command. docs/self-hosting.md says how.`

const OPTIONS = {
  whole: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const

/** Bytes that a database in this folder may take. */
async function roomIn(folder: string): Promise<number> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

export const restore: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArgs(args, OPTIONS)
    const [named, ...rest] = positionals
    if (rest.length > 0 || (named === undefined && !values.whole))
      throw new UsageError('Name one backup: restore FILE, or restore --whole [SET].')
    const { words, ...done } = await (values.whole ? fromPlace(named) : fromFile(named ?? '')).catch(sayWhy)
    print(values.json ? done : words)
    return OK
  },
}

const back = ({ rows, tables, at }: RestoreDone) =>
  `${rows} rows of ${tables} tables are back, as they were at ${at}.`

async function fromFile(file: string) {
  const config = loadConfig()
  // Before a database is started for it.
  await (await openBackup(file)).close()
  const done = await alone(config, () => fill(config, file))
  return { file, ...done, words: back(done) }
}

async function fromPlace(named: string | undefined) {
  // Without the key of the data folder, which comes back as well.
  const config = readConfig(process.env)
  return await withPlace(config, async (place) => {
    const set = await findSet(place, named)
    return await alone(config, async () => {
      const file = join(config.dataFolder, 'backups', `.restore-${process.pid}.vbk`)
      try {
        // Before a file is written over by what it was.
        await withDatabase(config, refuseTarget)
        await fetchDatabase(place, set, file)
        await (await openBackup(file)).close()
        await putSecretsBack(place, set, config)
        const files = await fillFiles(config, place, set)
        const done = await fill(config, file)
        return { set, ...done, ...files, words: `${back(done)} So are ${files.files} files.` }
      } finally {
        await rm(file, { force: true })
      }
    })
  })
}

async function fillFiles(config: Config, place: Place, set: string): Promise<FilesBack> {
  const store = await openFiles(config)
  try {
    return await putFilesBack(place, set, store)
  } finally {
    await store.close()
  }
}

const fill = async (config: Config, file: string): Promise<RestoreDone> => {
  const room = config.DATABASE_URL === undefined ? await roomIn(config.dataFolder) : Infinity
  return await withDatabase(config, (url) => restoreBackup({ url, file, log: commandLog(config), room }))
}

/** As long as we hold it, no server starts on this folder. */
async function alone<T>(config: Config, work: () => Promise<T>): Promise<T> {
  await mkdir(config.dataFolder, { recursive: true, mode: 0o700 })
  const giveBack = takePidFile(pidFileOf(config))
  try {
    return await work()
  } finally {
    giveBack()
  }
}
