import type { Config } from '../config.ts'
import { systemClock } from '../ctx.ts'
import { openPlace, type Place } from '../engines/backups/place.ts'
import { backupFolder, backupName, writeBackup } from '../engines/db/backup.ts'
import { openFiles } from '../engines/files/index.ts'
import {
  backUp,
  findSet,
  listSets,
  readSummary,
  scratchFolder,
  verifySet,
} from '../modules/core/backups/index.ts'
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
import { commandLog, withDatabase } from './context.ts'
import { codeOf, textOf } from '../lib/thrown.ts'

const help = `Backs up while the server works or not.

  ./vigil backup [--to FILE] [--json]        the database alone, into one file
  ./vigil backup whole [--json]              the database and all files, to BACKUP_TO
  ./vigil backup list [--json]               the whole backups that are there
  ./vigil backup verify [SET] [--json]       restore one (the newest) into a scratch folder, and compare

  --to FILE   where to; data/backups/vigil-YYYY-MM-DDTHH-MM.vbk (UTC) unless given. It must not exist.
  --json      what was done as one JSON object

The database's file fits any version of PostgreSQL, and this or any later version of Vigil: ./vigil restore FILE. It holds
neither pictures, videos and G-code nor secrets.json: a whole backup does. BACKUP_TO is a folder (of another disk) or
https://host/bucket; with BACKUP_PASSPHRASE all that goes there is sealed. What a whole backup finds there already is not
stored again. docs/self-hosting.md says how.`

const OPTIONS = { to: { type: 'string' }, json: { type: 'boolean', default: false } } as const

export const backup: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArgs(args, OPTIONS)
    const [verb, set, ...rest] = positionals
    if (rest.length > 0 || (verb !== 'verify' && set !== undefined) || !isVerb(verb))
      throw new UsageError('backup takes no words but whole, list or verify. Name a file with --to FILE.')
    if (values.to === '') throw new UsageError('--to wants the name of a file.')
    if (verb !== undefined && values.to !== undefined)
      throw new UsageError('--to is for the database alone: whole backups go to BACKUP_TO.')
    const config = loadConfig()
    const said = await WORK[verb ?? 'database'](config, verb === undefined ? values.to : set).catch(sayWhy)
    for (const line of said) print(values.json ? line.done : line.words)
    return OK
  },
}

interface Said {
  readonly done: object
  readonly words: string
}

const WORK = {
  database: backUpDatabase,
  whole: backUpWhole,
  list: listBackups,
  verify: verifyBackup,
} satisfies Record<string, (config: Config, named?: string) => Promise<Said[]>>

const isVerb = (verb: string | undefined): verb is 'whole' | 'list' | 'verify' | undefined =>
  verb === undefined || verb === 'whole' || verb === 'list' || verb === 'verify'

const size = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(1)} MB`

async function backUpDatabase(config: Config, to?: string): Promise<Said[]> {
  const file = to ?? backupName(backupFolder(config.dataFolder), new Date())
  const done = await withDatabase(config, (url, signal) =>
    writeBackup({ url, file, version: config.version, signal }),
  )
  const words = `${done.rows} rows of ${done.tables} tables are in ${done.file} (${size(done.bytes)}).`
  return [{ done, words }]
}

async function backUpWhole(config: Config): Promise<Said[]> {
  if (config.BACKUP_TO === undefined)
    throw new CommandFailed(
      'Say where to: set BACKUP_TO to a folder of another disk, or to https://host/bucket.',
    )
  const { whole } = await withDatabase(config, async (url, signal) => {
    const files = await openFiles(config)
    try {
      return await backUp({ files, config, clock: systemClock }, url, signal)
    } finally {
      await files.close()
    }
  })
  if (whole === null) throw new CommandFailed('No whole backup was made.')
  const { set, rows, files, bytes, newFiles, newBytes } = whole
  const words =
    `${set} is in ${whole.place}: ${rows} rows, and ${files} files (${size(bytes)}), ` +
    `of which ${newFiles} (${size(newBytes)}) were new.`
  return [{ done: whole, words }]
}

async function listBackups(config: Config): Promise<Said[]> {
  return await withPlace(config, async (place) => {
    const sets = await listSets(place)
    if (sets.length === 0)
      return [{ done: { sets: [] }, words: `There is no whole backup in ${place.name}.` }]
    return await Promise.all(
      sets.map(async (set) => {
        const done = await readSummary(place, set)
        return {
          done: { set, ...done },
          words: `${set}  ${done.rows} rows, ${done.files} files, ${size(done.bytes)}`,
        }
      }),
    )
  })
}

async function verifyBackup(config: Config, named?: string): Promise<Said[]> {
  return await withPlace(config, async (place) => {
    const set = await findSet(place, named)
    const done = await verifySet(place, set, {
      scratch: scratchFolder(config.dataFolder),
      log: commandLog(config),
    })
    const gone = done.missing === 0 ? '' : ` ${done.missing} files that rows name were gone when it was made.`
    const words = `${set} came back as it was: ${done.rows} rows of ${done.tables} tables, ${done.files} files (${size(done.bytes)}).${gone}`
    return [{ done, words }]
  })
}

/** Opens the place of whole backups, which must be one, and closes it again. */
export async function withPlace<T>(config: Config, use: (place: Place) => Promise<T>): Promise<T> {
  const place = await openPlace(config, { onlyKnown: true })
  try {
    return await use(place)
  } finally {
    await place.close()
  }
}

/** What stands in the way of a backup or a restore is the operator's to mend, not a defect. */
export function sayWhy(error: unknown): never {
  const isPlain = explain(error) === null && /^(E[A-Z]+|53\d{3})$/.test(codeOf(error))
  throw isPlain ? new CommandFailed(textOf(error), { cause: error }) : error
}
