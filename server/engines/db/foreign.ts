import { existsSync } from 'node:fs'
import pg from 'pg'

const AT_ONCE = 500

/** A row as JSON has it: moments are text, numbers numbers. */
export type ForeignRow = Readonly<Record<string, unknown>>

/** The database of another program, which is only read. */
export interface Foreign {
  /** Its tables, by name. */
  tables(): Promise<string[]>
  columns(table: string): Promise<string[]>
  count(table: string): Promise<number>
  /** The rows of a table by the order of this column, which is a number that no two have in common. */
  rows(table: string, by?: string): AsyncIterable<ForeignRow>
  close(): Promise<void>
}

/** Somebody else's database could not be read; `message` is a sentence for the operator. */
export class CannotReadForeign extends Error {
  override readonly name = 'CannotReadForeign'
}

/** Opens `postgres://…`, or a file of SQLite. Raises `CannotReadForeign`. */
export const openForeign = (place: string): Promise<Foreign> =>
  /^postgres(ql)?:/.test(place) ? openPostgres(place) : openSqlite(place)

/** In one transaction that cannot write: what is read is of one instant. */
async function openPostgres(url: string): Promise<Foreign> {
  const client = new pg.Client({ connectionString: url, application_name: 'vigil import' })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query("set timezone = 'UTC'")
    await client.query('begin isolation level repeatable read read only')
  } catch (error) {
    throw new CannotReadForeign(
      `The database cannot be read: ${error instanceof Error ? error.message : ''}.`,
      {
        cause: error,
      },
    )
  }
  const ask = async <T>(text: string, values: unknown[] = []) =>
    (await client.query<{ one: T }>(text, values)).rows.map(({ one }) => one)
  const inPublic = (table: string) => `public.${pg.escapeIdentifier(table)}`
  return {
    tables: () =>
      ask<string>(`select tablename::text as one from pg_tables where schemaname = 'public' order by 1`),
    columns: (table) =>
      ask<string>(
        `select column_name::text as one from information_schema.columns
         where table_schema = 'public' and table_name = $1`,
        [table],
      ),
    count: async (table) =>
      (await ask<number>(`select count(*)::float8 as one from ${inPublic(table)}`))[0] ?? 0,
    async *rows(table, by = 'id') {
      const key = pg.escapeIdentifier(by)
      for (let after: unknown = null; ;) {
        const found = await ask<ForeignRow>(
          `select to_jsonb(t) as one from ${inPublic(table)} t where $1::bigint is null or ${key} > $1::bigint
           order by ${key} limit ${AT_ONCE}`,
          [after],
        )
        yield* found
        if (found.length < AT_ONCE) return
        after = found.at(-1)?.[by]
      }
    },
    close: () => client.end(),
  }
}

async function openSqlite(path: string): Promise<Foreign> {
  if (!existsSync(path)) throw new CannotReadForeign(`There is no file ${path}.`)
  const { DatabaseSync } = await import('node:sqlite')
  const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
  try {
    const database = new DatabaseSync(path, { readOnly: true })
    // One instant: Django goes on writing in a journal beside it.
    database.exec('begin')
    const ask = (text: string, ...values: (string | number)[]): ForeignRow[] =>
      database.prepare(text).all(...values)
    const names = (text: string) => ask(text).map(({ name }) => String(name))
    names('select name from sqlite_master limit 1')
    return {
      tables: async () =>
        names(`select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by 1`),
      columns: async (table) => names(`select name from pragma_table_info(${literal(table)})`),
      count: async (table) => Number(ask(`select count(*) as n from ${quoted(table)}`)[0]?.['n'] ?? 0),
      async *rows(table, by = 'id') {
        for (let after: number | null = null; ;) {
          const where = after === null ? '' : `where ${quoted(by)} > ${after}`
          const found = ask(`select * from ${quoted(table)} ${where} order by ${quoted(by)} limit ${AT_ONCE}`)
          yield* found
          if (found.length < AT_ONCE) return
          after = Number(found.at(-1)?.[by])
        }
      },
      close: async () => database.close(),
    }
  } catch (error) {
    throw new CannotReadForeign(`${path} is no database of SQLite, or cannot be read.`, { cause: error })
  }
}

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`
