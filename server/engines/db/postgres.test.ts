import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../test/pg.ts'
import { migrateDatabase } from './migrate.ts'
import { isDatabaseDown, isDiskFull, openDb, type OpenDb } from './postgres.ts'

const log = { info: () => {}, warn: () => {} }
let database: TestDatabase
let open: OpenDb

beforeAll(async () => {
  database = await cloneDatabase()
  open = openDb(database.url, { log })
})
afterAll(async () => {
  await open.close()
  await database.drop()
})

test('names are camelCase, but what is inside jsonb stays as it is', async () => {
  const { db } = open
  await db.insertInto('instance').values({ key: 'k', value: '{"snake_case": {"a_b": 1}}' }).execute()
  const row = await db.selectFrom('instance').select('value').where('key', '=', 'k').executeTakeFirstOrThrow()
  expect(row.value).toEqual({ snake_case: { a_b: 1 } })
})

test('int8 is a number and timestamptz is a Date', async () => {
  const { rows } = await sql<{ manyBytes: number; at: Date }>`
    select 9007199254740991::int8 as many_bytes, '2026-01-02T03:04:05Z'::timestamptz as at`.execute(open.db)
  expect(rows[0]).toEqual({ manyBytes: 9007199254740991, at: new Date('2026-01-02T03:04:05Z') })
})

test('migrating twice, or at the same time, changes nothing', async () => {
  await Promise.all([migrateDatabase(database.url, { log }), migrateDatabase(database.url, { log })])
})

test('a database of a newer version is refused with a sentence', async () => {
  const newer = await cloneDatabase()
  const { pool, close } = openDb(newer.url, { log })
  await pool.query(
    `insert into kysely_migration (name, timestamp) values ('0000-from-the-future', now()::text)`,
  )
  await close()
  await expect(migrateDatabase(newer.url, { log })).rejects.toThrow(/newer version of Vigil/)
  await newer.drop()
})

test('closing ends the connections of questions that went past Kysely, too', async () => {
  const plain = openDb(database.url, { log })
  await plain.pool.query('select 1')
  await plain.close()
  expect([plain.pool.ended, plain.pool.totalCount]).toEqual([true, 0])
})

test('a server that is away is told from other errors', async () => {
  const away = openDb('postgres://x@localhost/x?host=/nowhere', { log })
  const error = await away.pool.query('select 1').catch((reason: unknown) => reason)
  expect(isDatabaseDown(error)).toBe(true)
  await away.close()
  const syntax = await open.pool.query('selec').catch((reason: unknown) => reason)
  expect(isDatabaseDown(syntax)).toBe(false)
  expect(isDiskFull(syntax)).toBe(false)
})

test('a session killed under us ends its query as "down", and the next one works', async () => {
  const error = await open.pool
    .query('select pg_terminate_backend(pg_backend_pid())')
    .catch((reason: unknown) => reason)
  expect(isDatabaseDown(error)).toBe(true)
  expect((await open.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

test('a full disk is recognised, also as a cause', () => {
  const full = Object.assign(new Error('could not extend file'), { code: '53100' })
  const wal = Object.assign(new Error('could not write: No space left on device'), { code: '58030' })
  const broken = Object.assign(new Error('could not read block'), { code: '58030' })
  expect(isDiskFull(new Error('saving failed', { cause: full }))).toBe(true)
  expect(isDiskFull(wal)).toBe(true)
  expect(isDiskFull(broken)).toBe(false)
})
