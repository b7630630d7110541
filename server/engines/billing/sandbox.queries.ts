import type { Db } from '../db/port.ts'

/** What the sandbox keeps: a document of a kind, of an owner, with the moment at which it wants to be looked at. */
interface Kept {
  readonly id: string
  readonly kind: string
  readonly owner: string
  readonly dueAt: Date | null
  readonly body: unknown
  readonly createdAt: Date
}

export async function findObject(db: Db, kind: string, id: string): Promise<Kept | undefined> {
  return await db
    .selectFrom('sandboxObjects')
    .selectAll()
    .where('id', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirst()
}

/** The same, held until the transaction ends. */
export async function lockObject(db: Db, kind: string, id: string): Promise<Kept | undefined> {
  return await db
    .selectFrom('sandboxObjects')
    .selectAll()
    .where('id', '=', id)
    .where('kind', '=', kind)
    .forUpdate()
    .executeTakeFirst()
}

/** Of an owner, newest first. */
export async function findObjects(db: Db, kind: string, owner: string, limit: number): Promise<Kept[]> {
  return await db
    .selectFrom('sandboxObjects')
    .selectAll()
    .where('kind', '=', kind)
    .where('owner', '=', owner)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** What wants to be looked at by now, the oldest first. */
export async function findDueObjects(db: Db, kind: string, now: Date, limit: number): Promise<Kept[]> {
  return await db
    .selectFrom('sandboxObjects')
    .selectAll()
    .where('kind', '=', kind)
    .where('dueAt', '<=', now)
    .orderBy('dueAt')
    .limit(limit)
    .execute()
}

/** Of a kind, told since a moment, the oldest first. */
export async function findObjectsSince(db: Db, kind: string, at: Date, limit: number): Promise<Kept[]> {
  return await db
    .selectFrom('sandboxObjects')
    .selectAll()
    .where('kind', '=', kind)
    .where('createdAt', '>=', at)
    .orderBy('createdAt')
    .limit(limit)
    .execute()
}

/** New, or as it is from now on. */
export async function putObject(db: Db, kept: Omit<Kept, 'body'> & { readonly body: object }): Promise<void> {
  const body = JSON.stringify(kept.body)
  await db
    .insertInto('sandboxObjects')
    .values({ ...kept, body })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ body, dueAt: kept.dueAt }))
    .execute()
}

/** All that is an owner's. */
export async function deleteObjects(db: Db, owner: string): Promise<void> {
  await db.deleteFrom('sandboxObjects').where('owner', '=', owner).execute()
}
