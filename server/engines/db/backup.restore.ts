import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect } from 'kysely'
import type { Client, Pool } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { Logger } from 'pino'
import {
  CannotBackUp,
  connect,
  inPublic,
  listMigrations,
  listTables,
  ourMigrations,
  quoted,
  type Table,
} from './backup.catalog.ts'
import { RowDigest } from './backup.digest.ts'
import { type BackupHeader, type Frame, openBackup, readFrames, verify } from './backup.format.ts'
import { migrateDatabase } from './migrate.ts'
import { codeOf, textOf } from '../../lib/thrown.ts'

/** The token of the first-account link, which a server leaves in a database that is empty otherwise. */
const NOT_DATA = 'instance'
const LEAVING_MS = 3_000

/** What to restore, and where to. */
export interface RestoreOptions {
  readonly url: string
  readonly file: string
  readonly log: Pick<Logger, 'info' | 'warn'>
  /** Bytes that the database may take; any unless given. */
  readonly room?: number
  /** Reads each table back and compares it with the file, row by row. */
  readonly compares?: boolean
}

/** What was restored. */
export interface RestoreDone {
  readonly tables: number
  readonly rows: number
  /** When the backup was made, and by which version. */
  readonly at: string
  readonly version: string
  /** The newest migration that the backup had seen; later ones have been run on it. */
  readonly migration: string
}

/**
 * Fills an empty database from a backup, all or nothing. The file is checked as a whole before anything is touched.
 * Raises `CannotBackUp`.
 */
export async function restoreBackup({
  url,
  file,
  log,
  room = Infinity,
  compares = false,
}: RestoreOptions): Promise<RestoreDone> {
  const handle = await openBackup(file)
  try {
    const { header, bodyStart } = await verify(handle)
    const later = await migrationsAfter(header.migrations)
    await refuseTarget(url)
    await migrateDatabase(url, { log })
    const client = await connect(url, 'vigil restore')
    try {
      await client.query('begin')
      await takeAlone(client)
      const rows = await load(client, header, later, {
        frames: readFrames(handle, bodyStart, room),
        compares,
      })
      await client.query('commit')
      await client.query('analyze').catch(() => undefined)
      const { at, version, migrations, tables } = header
      return { tables: tables.length, rows, at, version, migration: migrations.at(-1)! }
    } catch (error) {
      if (!/^(?:2[23]|42|54)...$/.test(codeOf(error))) throw error
      throw new CannotBackUp(
        `The rows of this backup do not fit together: ${textOf(error)}. Nothing was changed.`,
        {
          cause: error,
        },
      )
    } finally {
      // Without a commit nothing of it has happened.
      await client.end().catch(() => undefined)
    }
  } finally {
    await handle.close()
  }
}

type Migrations = Awaited<ReturnType<typeof ourMigrations>>

/** Ours that the backup has not seen. Refuses a backup that has seen others. */
async function migrationsAfter(seen: readonly string[]): Promise<{ first: Migrations; rest: Migrations }> {
  const ours = await ourMigrations()
  if (seen.some((name, index) => ours[index]?.name !== name)) {
    throw new CannotBackUp('This backup was made by a newer version of Vigil. Install that version.')
  }
  return { first: ours.slice(0, seen.length), rest: ours.slice(seen.length) }
}

/** Before anything is migrated: raises `CannotBackUp` unless this database is one to restore into. */
export async function refuseTarget(url: string): Promise<void> {
  const client = await connect(url, 'vigil restore')
  try {
    await refuseOthers(client)
    if ((await listMigrations(client)).length > 0) await refuseData(client, await listTables(client))
    else await refuseTables(client)
  } finally {
    await client.end()
  }
}

async function refuseTables(client: Client): Promise<void> {
  const [table] = await listTables(client)
  if (table === undefined) return
  throw new CannotBackUp(
    `The database has tables that are not Vigil's (${table.name}). Restore into one of its own.`,
  )
}

/** Sessions of a server or a command that ends just now are waited for. */
async function refuseOthers(client: Client): Promise<void> {
  for (const until = Date.now() + LEAVING_MS; ; await sleep(100)) {
    // Within a transaction PostgreSQL shows what it showed the first time.
    await client.query('select pg_stat_clear_snapshot()')
    const { rows } = await client.query<{ name: string }>(
      `select coalesce(nullif(application_name, ''), 'another program') as name from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and usesysid is not null
         and coalesce(backend_type, 'client backend') = 'client backend'`,
    )
    if (rows.length === 0) return
    if (Date.now() < until) continue
    const names = [...new Set(rows.map(({ name }) => name))].join(', ')
    throw new CannotBackUp(
      `The database is in use (${names}). Stop Vigil first, then restore. Nothing was changed.`,
    )
  }
}

async function refuseData(client: Client, tables: readonly Table[]): Promise<void> {
  for (const { name } of tables) {
    if (name === NOT_DATA) continue
    const { rows } = await client.query(`select exists (select from ${inPublic(name)}) as full`)
    if ((rows[0] as { full: boolean }).full !== true) continue
    throw new CannotBackUp(
      `The database is not empty (there are rows in ${name}), and a backup is restored into an empty one only: ` +
        'set VIGIL_DATA to a new folder, or DATABASE_URL to a new database. Nothing was changed.',
    )
  }
}

/** A server that starts now waits until we are done. */
async function takeAlone(client: Client): Promise<void> {
  const tables = await listTables(client)
  const names = [...tables.map(({ name }) => name), 'kysely_migration', 'kysely_migration_lock']
  await client.query(`lock table ${names.map(inPublic).join(', ')} in access exclusive mode`)
  await refuseOthers(client)
  await refuseData(client, tables)
}

/**
 * Foreign keys make circles (a printer knows its print, a print its printer), so they are taken off and put back,
 * which checks every one of them. It needs no more rights than those of the tables' owner.
 */
async function load(
  client: Client,
  header: BackupHeader,
  { first, rest }: { first: Migrations; rest: Migrations },
  given: Given,
): Promise<number> {
  if (rest.length > 0) await rebuild(client, first)
  await client.query(`delete from ${inPublic(NOT_DATA)}`)
  for (const month of header.months) await client.query('select ensure_partitions($1::date)', [month])
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(
    `select k.conrelid::regclass::text as "table", k.conname::text as name, pg_get_constraintdef(k.oid) as definition
     from pg_constraint k where k.contype = 'f' and k.connamespace = 'public'::regnamespace and k.conparentid = 0`,
  )
  for (const { table, name } of keys)
    await client.query(`alter table ${table} drop constraint ${quoted(name)}`)
  // What a new row brings with it was written then, or taken back since.
  await setTriggers(client, 'disable')
  const rows = await loadTables(client, header.tables, given)
  await setTriggers(client, 'enable')
  for (const { table, name, definition } of keys) {
    await client.query(`alter table ${table} add constraint ${quoted(name)} ${definition}`)
  }
  for (const { table, column, last } of header.sequences) {
    await client.query(
      `select setval(pg_get_serial_sequence($1, $2), greatest($3::bigint, (select max(${quoted(column)}) from ${inPublic(table)})))`,
      [inPublic(table), column, last],
    )
  }
  const db = onClient(client)
  for (const { up } of rest) await up(db)
  return rows
}

async function setTriggers(client: Client, how: 'enable' | 'disable'): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select distinct t.tgrelid::regclass::text as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not t.tgisinternal and c.relnamespace = 'public'::regnamespace`,
  )
  for (const { name } of rows) await client.query(`alter table ${name} ${how} trigger user`)
}

/** The rows of the file, and whether they are compared with what the tables hold then. */
interface Given {
  readonly frames: AsyncGenerator<Frame>
  readonly compares: boolean
}

async function loadTables(client: Client, tables: readonly Table[], given: Given): Promise<number> {
  const known = new Map((await listTables(client)).map(({ name, columns }) => [name, new Set(columns)]))
  let total = 0
  for (const table of tables) {
    const { name, columns } = table
    if (columns.some((column) => known.get(name)?.has(column) !== true)) {
      throw new CannotBackUp(`The database has no table ${name} as the backup has it. Nothing was changed.`)
    }
    let told = -1
    const digest = given.compares ? new RowDigest() : null
    const copy = client.query(
      copyFrom(`copy ${inPublic(name)} (${columns.map(quoted).join(', ')}) from stdin`),
    )
    await pipeline(
      rowsOf(name, given.frames, (count) => (told = count)),
      async function* (rows: AsyncIterable<Buffer>) {
        for await (const chunk of rows) {
          digest?.add(chunk)
          yield chunk
        }
      },
      copy,
    )
    if (copy.rowCount !== told) {
      throw new CannotBackUp(
        `The backup has ${told} rows for ${name}, but ${copy.rowCount} arrived. Nothing was changed.`,
      )
    }
    if (digest !== null) await compare(client, table, digest.end())
    total += copy.rowCount
  }
  return total
}

/** Raises `CannotBackUp` when a table does not hold the rows of that digest. */
async function compare(client: Client, { name, columns }: Table, digest: string): Promise<void> {
  const back = new RowDigest()
  const rows = client.query(
    copyTo(`copy (select ${columns.map(quoted).join(', ')} from ${inPublic(name)}) to stdout`),
  )
  for await (const chunk of rows) back.add(Buffer.from(chunk))
  if (back.end() === digest) return
  throw new CannotBackUp(
    `The rows of ${name} came back otherwise than the backup has them. Nothing was changed.`,
  )
}

/** The rows of one table: its generator ends there, the frames go on. */
async function* rowsOf(table: string, frames: AsyncGenerator<Frame>, onEnd: (rows: number) => void) {
  for (;;) {
    const { value, done } = await frames.next()
    if (done === true) throw new CannotBackUp('This backup is damaged: it is cut short.')
    if ('rows' in value) {
      yield value.rows
      continue
    }
    if (value.end.table !== table) throw new CannotBackUp(`This backup is damaged: ${table} is missing.`)
    return onEnd(value.end.rows)
  }
}

/** The shape that the backup was made in, so that later migrations work on its rows as on any others. */
async function rebuild(client: Client, migrations: Migrations): Promise<void> {
  const tables = await listTables(client)
  await client.query(`drop table ${tables.map(({ name }) => inPublic(name)).join(', ')} cascade`)
  const { rows: ours } = await client.query<{ name: string }>(
    `select p.oid::regprocedure::text as name from pg_proc p
     where p.pronamespace = 'public'::regnamespace
       and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
  )
  for (const { name } of ours) await client.query(`drop function ${name} cascade`)
  const db = onClient(client)
  for (const { up } of migrations) await up(db)
}

/** Migrations speak Kysely; here inside our transaction. */
function onClient(client: Client): Kysely<unknown> {
  const lent = { query: client.query.bind(client), release: () => undefined }
  const pool = { connect: () => Promise.resolve(lent), end: () => Promise.resolve() } as unknown as Pool
  return new Kysely({ dialect: new PostgresDialect({ pool }) })
}
