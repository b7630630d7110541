import { backupFolder, backupName, writeBackup } from '../engines/db/backup.ts'
import {
  type Command,
  CommandFailed,
  explain,
  loadConfig,
  OK,
  print,
  readArgs,
  UsageError,
} from './command.ts'
import { withDatabase } from './context.ts'
import { codeOf, textOf } from '../lib/thrown.ts'

const help = `Writes all rows of the database into one file, as they are at one instant; the server may go on working.

  ./vigil backup [--to FILE] [--json]

  --to FILE   where to; data/backups/vigil-YYYY-MM-DDTHH-MM.vbk (UTC) unless given. It must not exist.
  --json      what was done as one JSON object: file, bytes, tables, rows

The file fits any version of PostgreSQL, and this or any later version of Vigil: ./vigil restore FILE. It holds neither
pictures, videos and G-code (files/ of the data folder) nor secrets.json: copy these too. docs/self-hosting.md says how.`

const OPTIONS = { to: { type: 'string' }, json: { type: 'boolean', default: false } } as const

export const backup: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArgs(args, OPTIONS)
    if (positionals.length > 0) throw new UsageError('backup takes no words. Name a file with --to FILE.')
    if (values.to === '') throw new UsageError('--to wants the name of a file.')
    const config = loadConfig()
    const file = values.to ?? backupName(backupFolder(config.dataFolder), new Date())
    const done = await withDatabase(config, (url, signal) =>
      writeBackup({ url, file, version: config.version, signal }),
    ).catch(sayWhy)
    const size = `${(done.bytes / 1024 ** 2).toFixed(1)} MB`
    print(values.json ? done : `${done.rows} rows of ${done.tables} tables are in ${done.file} (${size}).`)
    return OK
  },
}

/** What stands in the way of a backup or a restore is the operator's to mend, not a defect. */
export function sayWhy(error: unknown): never {
  const isPlain = explain(error) === null && /^(E[A-Z]+|53\d{3})$/.test(codeOf(error))
  throw isPlain ? new CommandFailed(textOf(error), { cause: error }) : error
}
