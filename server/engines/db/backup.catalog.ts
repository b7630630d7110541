import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Migration } from 'kysely/migration'
import pg, { type Client } from 'pg'

/** A table of the product with the columns that hold its rows. */
export interface Table {
  readonly name: string
  readonly columns: string[]
}

/** Where the numbers of an identity column stand, so that no number is ever given twice. */
export interface Sequence {
  readonly table: string
  readonly column: string
  readonly last: string
}

/** A backup could not be made or restored; `message` is a sentence for the operator. */
export class CannotBackUp extends Error {
  override readonly name = 'CannotBackUp'
}

export const quoted = (name: string): string => pg.escapeIdentifier(name)
export const inPublic = (name: string): string => `public.${quoted(name)}`

/** A session that reads and writes values the same way on every PostgreSQL, whatever its settings. */
export async function connect(url: string, name: string): Promise<Client> {
  const client = new pg.Client({ connectionString: url, application_name: name, keepAlive: true })
  client.on('error', () => undefined)
  await client.connect()
  await client.query(
    `set client_encoding = 'UTF8'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set timezone = 'UTC';
     set extra_float_digits = 1; set bytea_output = 'hex'; set search_path = public; set statement_timeout = 0;
     set idle_in_transaction_session_timeout = 0; set lock_timeout = '60s'`,
  )
  return client
}

/** Tables of the product: partitioned ones whole, without the migrator's own and those of extensions. */
export async function listTables(client: Client): Promise<Table[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select c.relname::text as name,
            array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0
                  and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname not in ('kysely_migration', 'kysely_migration_lock')
       and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
                       and d.deptype = 'e')
     order by c.relname`,
  )
  return rows
}

/** Where the identity columns stand; those that never gave a number are left out. */
export async function listSequences(client: Client): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(
    `select * from (
       select c.relname::text as "table", a.attname::text as "column",
              pg_sequence_last_value(pg_get_serial_sequence(c.oid::regclass::text, a.attname)::regclass)::text as last
       from pg_attribute a join pg_class c on c.oid = a.attrelid
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
         and a.attidentity <> '') found
     where last is not null order by 1, 2`,
  )
  return rows
}

/** First days of the months that have partitions. */
export async function listMonths(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ month: string }>(
    `select distinct to_date(substring(relname from '\\d{4}_\\d\\d$'), 'YYYY_MM')::text as month from pg_class
     where relnamespace = 'public'::regnamespace and relispartition and relname ~ '_\\d{4}_\\d\\d$' order by 1`,
  )
  return rows.map(({ month }) => month)
}

/** Names of the migrations that the database has seen; none when Vigil never ran on it. */
export async function listMigrations(client: Client): Promise<string[]> {
  const { rows: found } = await client.query(
    `select to_regclass('public.kysely_migration') is not null as seen`,
  )
  if ((found[0] as { seen: boolean }).seen !== true) return []
  const { rows } = await client.query<{ name: string }>(
    'select name from public.kysely_migration order by name',
  )
  return rows.map(({ name }) => name)
}

/** The migrations of this program, in order. */
export async function ourMigrations(): Promise<{ name: string; up: Migration['up'] }[]> {
  const folder = join(import.meta.dirname, 'migrations')
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts')).sort()
  return Promise.all(
    files.map(async (file) => {
      const { up } = (await import(join(folder, file))) as Migration
      return { name: basename(file, '.ts'), up }
    }),
  )
}
