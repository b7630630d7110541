import type { Db } from '../../../engines/db/port.ts'

/** What this server keeps of itself by a name; null: nothing. */
export async function findKept(db: Db, key: string): Promise<unknown> {
  const row = await db.selectFrom('instance').select('value').where('key', '=', key).executeTakeFirst()
  return row?.value ?? null
}

/** Keeps JSON by a name, in the place of what was there. */
export async function keep(db: Db, key: string, value: string): Promise<void> {
  await db
    .insertInto('instance')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}
