import { restoreBackup } from '../engines/db/backup.restore.ts'
import { pidFileOf } from '../keeper.ts'
import { takePidFile } from '../keeper/pid-file.ts'
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

export const restore: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArgs(args, OPTIONS)
    const [file, ...rest] = positionals
    if (file === undefined || rest.length > 0) throw new UsageError('Name one backup: restore FILE.')
    const config = loadConfig()
    // As long as we hold it, no server starts on this folder.
    const giveBack = takePidFile(pidFileOf(config))
    try {
      const done = await withDatabase(config, (url) =>
        restoreBackup({ url, file, log: commandLog(config) }),
      ).catch(sayWhy)
      const said = `${done.rows} rows of ${done.tables} tables are back, as they were at ${done.at}.`
      print(values.json ? { file, ...done } : said)
    } finally {
      giveBack()
    }
    return OK
  },
}
