import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../test/pg.ts'
import { openDb, type OpenDb } from './postgres.ts'
import { statement } from './statement.ts'
import { asId } from '../../test/ids.ts'

let database: TestDatabase
let open: OpenDb

beforeAll(async () => {
  database = await cloneDatabase()
  open = openDb(database.url, { log: { warn: () => {} }, poolSize: 1 })
})
afterAll(async () => {
  await open.close()
  await database.drop()
})

const double = statement(
  (_db, by: number, values: readonly number[]) => sql<{ twiceAsMuch: number }>`
    select value * ${by}::int as twice_as_much from unnest(${values}::int[]) as value`,
)

test('is planned once, whatever its arguments are, in a transaction too', async () => {
  expect(await double(open.db, 2, [1, 2, 3])).toEqual([2, 4, 6].map((twiceAsMuch) => ({ twiceAsMuch })))
  expect(await double(open.db, 3, [5])).toEqual([{ twiceAsMuch: 15 }])
  expect(await open.db.transaction().execute((tx) => double(tx, 3, []))).toEqual([])
  const { rows } = await sql<{ plans: number }>`
    select generic_plans + custom_plans as plans from pg_prepared_statements where statement like '%twice_as_much%'
    and statement not like '%prepared%'`.execute(open.db)
  expect(rows).toEqual([{ plans: 3 }])
})

test('a text that depends on its arguments is refused', async () => {
  const spread = statement((db, ids: readonly number[]) =>
    db.selectFrom('printers').select('id').where('id', 'in', asId(ids)),
  )
  await expect(spread(open.db, [1, 2])).rejects.toThrow(/cannot be planned once/)
})

test('a column that another node adds meanwhile fails nothing', async () => {
  const all = statement((db, key: string) => db.selectFrom('instance').selectAll().where('key', '=', key))
  await open.db.insertInto('instance').values({ key: 'one', value: '1' }).execute()
  const [before] = await all(open.db, 'one')
  await sql`alter table instance add column later_added text default 'new'`.execute(open.db)
  for (let i = 0; i < 3; i++) expect(await all(open.db, 'one')).toEqual([{ ...before, laterAdded: 'new' }])
})
