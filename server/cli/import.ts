import { existsSync, statSync } from 'node:fs'
import { CannotReadForeign, openForeign } from '../engines/db/foreign.ts'
import { type Command, CommandFailed, loadConfig, OK, print, readArgs, UsageError } from './command.ts'
import { withContext } from './context.ts'
import { type Imported, importObico, type Told } from './import/obico.ts'

const help = `Moves in from another server, with everything: accounts and passwords, printers and the tokens of their agents, links,
prints, pictures, films, G-code, channels, apps.

  ./vigil import obico DATABASE --media FOLDER [--for-real] [--json]

  DATABASE       of the Obico server: postgres://…, or its file db.sqlite3
  --media        its folder of files, backend/static_build/media; --without-files brings none
  --for-real     without it nothing is written: what would come, and what would not, is told
  --json         the same as one JSON object

Stop the Obico server first, and have Vigil empty: no account made yet. Every number stays what it was, so agents, slicers
and links go on as soon as the name (or the port) of the old server leads here; people sign in again, with the same
passwords. docs/moving-in.md says how.`

const OPTIONS = {
  media: { type: 'string' },
  'without-files': { type: 'boolean', default: false },
  'for-real': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const

export const importCommand: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArgs(args, OPTIONS)
    const [from, database, ...rest] = positionals
    if (from !== 'obico' || database === undefined || rest.length > 0)
      throw new UsageError('Say from what: import obico DATABASE --media FOLDER.')
    if ((values.media === undefined) !== values['without-files'])
      throw new UsageError('Name the folder of files with --media FOLDER, or say --without-files.')
    if (values.media !== undefined && !(existsSync(values.media) && statSync(values.media).isDirectory()))
      throw new CommandFailed(`There is no folder ${values.media}.`)
    const isDry = !values['for-real']
    const media = values.media ?? null
    const source = await openForeign(database).catch(sayWhy)
    try {
      const asked = { source, media, isDry, onFile: values.json ? () => undefined : showProgress }
      const done = await withContext(loadConfig(), (ctx) => importObico(ctx, asked)).catch(sayWhy)
      if (values.json) print({ ...done, isDry })
      else for (const line of inWords(done, isDry)) print(line)
    } finally {
      await source.close()
    }
    return OK
  },
}

function sayWhy(error: unknown): never {
  throw error instanceof CannotReadForeign ? new CommandFailed(error.message, { cause: error }) : error
}

const EVERY = 500

function showProgress(done: number, all: number): void {
  if (done % EVERY === 0 || done === all) process.stderr.write(`${done} of ${all} files\n`)
}

function* inWords(
  { tables, files, bytes, missing, withoutPassword }: Imported,
  isDry: boolean,
): Generator<string> {
  for (const told of tables.filter(({ to }) => to !== null)) yield* tableInWords(told)
  yield 'Left where they are:'
  for (const { from, rows, left } of tables.filter(({ to, rows: all }) => to === null && all > 0))
    yield `  ${from}: ${rows} (${Object.keys(left).join('; ')})`
  yield `${files} files, ${(bytes / 1024 ** 2).toFixed(1)} MB.`
  if (missing > 0) yield `${missing} files that rows name are not in the folder: these stay without.`
  if (withoutPassword > 0)
    yield `${withoutPassword} accounts have no password that works here: ./vigil user password EMAIL, or a letter to choose one.`
  yield isDry
    ? 'Nothing was written. With --for-real it comes.'
    : 'All of it is here. Now let the name of the old server lead to this one.'
}

function* tableInWords({ from, to, rows, came, left }: Told): Generator<string> {
  yield `${from} → ${to ?? ''}: ${came} of ${rows}`
  for (const [why, count] of Object.entries(left)) yield `  ${count} ${why}`
}
