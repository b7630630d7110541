import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { ROWS } from './obico.rows.fixture.ts'
import { type Kind, TABLES } from './obico.tables.fixture.ts'

const FILES: Readonly<Record<string, string>> = {
  'tsd-gcodes/11/31': 'G28',
  'tsd-timelapses/gcode_thumbnails/11/31/1.png': 'a picture',
  'tsd-timelapses/private/20.mp4': 'a film',
  'tsd-pics/snapshots/7/1690000001.5_rotated.jpg': 'an upright picture',
  'tsd-pics/ff_printshots/11/20/1690000100.25.jpg': 'a doubtful picture',
}

/** The folder of media beside it. */
export function writeMedia(folder: string): void {
  for (const [path, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
}

const SQLITE: Readonly<Record<Kind, string>> = {
  number: 'integer',
  real: 'real',
  flag: 'bool',
  text: 'text',
  moment: 'datetime',
  uuid: 'char(32)',
}
const POSTGRES: Readonly<Record<Kind, string>> = {
  number: 'bigint',
  real: 'double precision',
  flag: 'boolean',
  text: 'text',
  moment: 'timestamptz',
  uuid: 'uuid',
}

function* statements(kinds: Readonly<Record<Kind, string>>): Generator<string> {
  for (const [table, columns] of Object.entries(TABLES)) {
    const own = Object.entries(columns).map(([name, kind]) => `"${name}" ${kinds[kind]}`)
    yield `create table ${table} (${own.join(', ')})`
  }
}

/** As SQLite keeps it: no dashes in a UUID, 1 for true. */
const inSqlite = (value: unknown, kind: Kind | undefined) =>
  kind === 'uuid'
    ? String(value).replaceAll('-', '')
    : kind === 'flag'
      ? Number(value === true)
      : (value as string | number)

export function writeSqlite(path: string): void {
  const database = new DatabaseSync(path)
  for (const statement of statements(SQLITE)) database.exec(statement)
  for (const [table, rows] of Object.entries(ROWS))
    for (const row of rows) {
      const names = Object.keys(row).map((name) => `"${name}"`)
      const values = Object.entries(row).map(([name, value]) => inSqlite(value, TABLES[table]?.[name]))
      database
        .prepare(`insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`)
        .run(...values)
    }
  database.close()
}

/** The same in a database of PostgreSQL, in the place of what is there. */
export async function writePostgres(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query("set timezone = 'UTC'; drop schema public cascade; create schema public")
  for (const statement of statements(POSTGRES)) await client.query(statement)
  for (const [table, rows] of Object.entries(ROWS))
    for (const row of rows) {
      const names = Object.keys(row).map((name) => `"${name}"`)
      const holes = names.map((_, n) => `$${n + 1}`)
      await client.query(
        `insert into ${table} (${names.join(', ')}) values (${holes.join(', ')})`,
        Object.values(row),
      )
    }
  await client.end()
}
