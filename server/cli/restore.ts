import { mkdir, statfs } from 'node:fs/promises'
import { openBackup } from '../engines/db/backup.format.ts'
import { restoreBackup } from '../engines/db/backup.restore.ts'
import { pidFileOf } from '../supervisor.ts'
import { takePidFile } from '../supervisor/pid-file.ts'
import { sayWhy } from './backup.ts'
import { type Command, loadConfig, OK, print, readArgs, UsageError } from './command.ts'
import { commandLog, withDatabase } from './context.ts'

const help = `Fills an empty database from a backup, all or nothing.

  ./vigil restore FILE [--json]

  --json   what was done as one JSON object: file, at, version, migration, tables, rows

The server must not run, and the database must be empty: set VIGIL_DATA to a new folder, or DATABASE_URL to a new
database. The file is checked as a whole before anything is touched. A backup of an older version of Vigil is brought to
the present shape; one of a newer version is refused. Put files/ and secrets.json back as well (docs/self-hosting.md).`

const OPTIONS = { json: { type: 'boolean', default: false } } as const

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
    const [file, ...rest] = positionals
    if (file === undefined || rest.length > 0) throw new UsageError('Name one backup: restore FILE.')
    const config = loadConfig()
    // Before a database is started for it.
    await (await openBackup(file)).close()
    // As long as we hold it, no server starts on this folder.
    const room = config.DATABASE_URL === undefined ? await roomIn(config.dataFolder) : Infinity
    const giveBack = takePidFile(pidFileOf(config))
    try {
      const done = await withDatabase(config, (url) =>
        restoreBackup({ url, file, log: commandLog(config), room }),
      ).catch(sayWhy)
      const said = `${done.rows} rows of ${done.tables} tables are back, as they were at ${done.at}.`
      print(values.json ? { file, ...done } : said)
    } finally {
      giveBack()
    }
    return OK
  },
}
