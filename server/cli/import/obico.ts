import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Ctx } from '../../ctx.ts'
import type { Foreign } from '../../engines/db/foreign.ts'
import { CommandFailed } from '../command.ts'
import { whyLeft } from './left.ts'
import { number, words } from './obico.rules.ts'
import { PEOPLE } from './people.ts'
import { OF_PRINTERS, PRINTERS } from './printers.ts'
import { PRINTS } from './prints.ts'
import { findFull, insertRows, makeMonths, moveSequence, setReferences } from './target.queries.ts'
import { Left, type FileToBring, type Mapping, type Values, World } from './world.ts'

const MAPPINGS: readonly Mapping[] = [...PEOPLE, ...PRINTERS, ...PRINTS, ...OF_PRINTERS]
const TARGETS = [...new Set(MAPPINGS.map(({ to }) => to))]
/** These give numbers of their own to rows that have none. */
const NUMBERED = [
  'users',
  'printers',
  'g_code_folders',
  'g_code_files',
  'prints',
  'print_shot_feedbacks',
  'shared_resources',
  'printer_events',
]
const BATCH = 500
const AT_ONCE = 8

/** What became of the rows of one table there. */
export interface Told {
  readonly from: string
  /** Null: it stays where it is. */
  readonly to: string | null
  readonly rows: number
  readonly came: number
  /** Why rows did not come, with how many. */
  readonly left: Readonly<Record<string, number>>
}

/** What an import comes to. */
export interface Imported {
  readonly tables: readonly Told[]
  readonly files: number
  readonly bytes: number
  /** Files that rows name and that are not there. */
  readonly missing: number
  /** Accounts that must have a password sent: what theirs was hashed by is not known here. */
  readonly withoutPassword: number
}

type ImportCtx = Pick<Ctx, 'db' | 'files' | 'config' | 'clock'>

interface Asked {
  readonly source: Foreign
  /** Its folder of media; null: no files come. */
  readonly media: string | null
  /** Nothing stays. */
  readonly isDry: boolean
  /** Hears of each file that was brought. */
  readonly onFile?: (done: number, all: number) => void
}

/**
 * Brings what an Obico server has put down into an empty database, all or nothing: first all rows on trial, then the files, then the rows. Every
 * number stays what it was, so that whoever has a token, a link or an address goes on. Raises `CommandFailed`.
 */
export async function importObico(ctx: ImportCtx, asked: Asked): Promise<Imported> {
  if (ctx.config.IS_ENT)
    throw new CommandFailed(
      'Import with IS_ENT off: plans are given afterwards, by ./vigil user plan EMAIL pro.',
    )
  const there = await asked.source.tables()
  for (const table of ['app_user', 'app_printer', 'app_print'])
    if (!there.includes(table))
      throw new CommandFailed(`This is no database of an Obico server: there is no ${table}.`)
  const trial = await bringRows(ctx, { ...asked, there, isDry: true, hashes: new Map() })
  if (asked.isDry) return trial.imported
  const hashes = await bringFiles(ctx, trial.files, asked.onFile)
  return (await bringRows(ctx, { ...asked, there, hashes })).imported
}

/** Ends a transaction that was a trial. */
class Undone extends Error {}

interface Bringing extends Asked {
  readonly there: readonly string[]
  readonly hashes: ReadonlyMap<string, string>
}

async function bringRows(ctx: ImportCtx, { source, media, isDry, there, hashes }: Bringing) {
  const world = new World(media, ctx.clock.now(), hashes)
  let tables: Told[] = []
  try {
    await ctx.db.transaction().execute(async (db) => {
      const full = await findFull(db, TARGETS)
      if (full !== undefined)
        throw new CommandFailed(
          `Vigil is not empty (there are rows in ${full}): set VIGIL_DATA to a new folder, or DATABASE_URL to a new database.`,
        )
      await prepare(ctx, source, there, world)
      tables = []
      for (const mapping of MAPPINGS)
        if (there.includes(mapping.from)) tables.push(await bringTable(db, source, mapping, world))
      await join(db, source, there, world)
      for (const table of NUMBERED) await moveSequence(db, table)
      if (isDry) throw new Undone()
    })
  } catch (error) {
    if (!(error instanceof Undone)) throw error
  }
  const mapped = new Set(MAPPINGS.map(({ from }) => from))
  for (const from of there) if (!mapped.has(from)) tables.push(await leftTable(source, from))
  const bytes = world.files.reduce((sum, file) => sum + file.bytes, 0)
  const { missing, withoutPassword } = world
  return {
    files: world.files,
    imported: { tables, files: world.files.length, bytes, missing, withoutPassword },
  }
}

async function leftTable(source: Foreign, from: string): Promise<Told> {
  const rows = await source.count(from)
  return { from, to: null, rows, came: 0, left: { [whyLeft(from)]: rows } }
}

/** What must be known before the first row: brands, confirmed addresses, names of apps. */
async function prepare(
  ctx: ImportCtx,
  source: Foreign,
  there: readonly string[],
  world: World,
): Promise<void> {
  const [first] = ctx.config.brands
  const syndicates: [number, string][] = []
  if (there.includes('app_syndicate'))
    for await (const row of source.rows('app_syndicate'))
      syndicates.push([Number(row['id']), words(row, 'name') ?? ''])
  for (const [id, name] of syndicates) {
    const brand =
      ctx.config.brands.find((one) => one.name === name) ?? (syndicates.length === 1 ? first : undefined)
    if (brand === undefined)
      throw new CommandFailed(
        `There are accounts of a brand "${name}". Add a brand of that name first (docs/brands.md).`,
      )
    world.brands.set(id, brand.name)
  }
  // Before there were brands, all were of one.
  if (syndicates.length === 0) world.brands.set(1, first.name)
  if (there.includes('account_emailaddress'))
    for await (const row of source.rows('account_emailaddress'))
      if (row['verified'] === true || row['verified'] === 1)
        world.confirmed.add(`${Number(row['user_id'])} ${(words(row, 'email') ?? '').toLowerCase()}`)
  if (there.includes('oauth2_provider_application'))
    for await (const row of source.rows('oauth2_provider_application'))
      world.applications.set(Number(row['id']), words(row, 'name') ?? 'OAuth')
}

async function bringTable(db: Ctx['db'], source: Foreign, mapping: Mapping, world: World): Promise<Told> {
  const { from, to } = mapping
  const left: Record<string, number> = {}
  const told = { from, to, rows: 0, came: 0, left }
  let batch: Values[] = []
  const write = async () => {
    if (to === 'printer_events')
      await makeMonths(
        db,
        batch.map((values) => String(values['created_at'])),
      )
    if (batch.length > 0) await insertRows(db, to, batch)
    batch = []
  }
  for await (const row of source.rows(from)) {
    told.rows += 1
    const values = mapping.row(row, world)
    if (values instanceof Left) {
      left[values.why] = (left[values.why] ?? 0) + 1
      continue
    }
    told.came += 1
    world.note(to, values['id'])
    if (to === 'users' && values['password_hash'] === null) world.withoutPassword += 1
    if (batch.push(values) >= BATCH) await write()
  }
  await write()
  return told
}

/** What names rows that come later: the print that a printer is on, the folder that a folder or file is in. */
async function join(db: Ctx['db'], source: Foreign, there: readonly string[], world: World): Promise<void> {
  for (const [from, column, to, toColumn, toTable] of [
    ['app_printer', 'current_print_id', 'printers', 'current_print_id', 'prints'],
    ['app_gcodefolder', 'parent_folder_id', 'g_code_folders', 'parent_folder_id', 'g_code_folders'],
    ['app_gcodefile', 'parent_folder_id', 'g_code_files', 'parent_folder_id', 'g_code_folders'],
  ] as const) {
    const pairs: { id: number; to: number }[] = []
    if (!there.includes(from)) continue
    for await (const row of source.rows(from)) {
      const [id, named] = [Number(row['id']), number(row, column)]
      if (named !== null && world.has(to, id) && world.has(toTable, named)) pairs.push({ id, to: named })
    }
    for (let at = 0; at < pairs.length; at += BATCH)
      await setReferences(db, to, toColumn, pairs.slice(at, at + BATCH))
  }
}

/** Brings the files, and returns the SHA-256 of the G-code among them; one that is here with the same size was brought before. */
async function bringFiles(ctx: ImportCtx, files: readonly FileToBring[], onFile: Asked['onFile']) {
  const hashes = new Map<string, string>()
  let done = 0
  for (let at = 0; at < files.length; at += AT_ONCE) {
    const some = files.slice(at, at + AT_ONCE)
    await Promise.all(
      some.map(async ({ from, ref, bytes }) => {
        if ((await ctx.files.stat(ref))?.numBytes !== bytes) await ctx.files.put(ref, createReadStream(from))
        if (ref.container === 'tsd-gcodes') hashes.set(ref.path, await hashOf(from))
        onFile?.((done += 1), files.length)
      }),
    )
  }
  return hashes
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(Buffer.from(chunk))
  return hash.digest('hex')
}
