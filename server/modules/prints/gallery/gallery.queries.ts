import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { type Id, type PrintId, sought, type UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { PublicTimelapses } from '../../../engines/db/types.gen.ts'
import type { Admin } from '../../people/accounts/index.ts'
import type { State } from './gallery.rules.ts'

export type EntryRow = Selectable<PublicTimelapses>

export async function findOfPrint(db: Db, printId: PrintId): Promise<EntryRow | undefined> {
  return await db.selectFrom('publicTimelapses').selectAll().where('printId', '=', printId).executeTakeFirst()
}

/** How many of a user's offers nobody has decided on. */
export async function countWaiting(db: Db, userId: UserId): Promise<number> {
  const { waiting } = await db
    .selectFrom('publicTimelapses')
    .select(({ fn }) => fn.countAll<number>().as('waiting'))
    .where('userId', '=', userId)
    .where('state', '=', 'offered')
    .executeTakeFirstOrThrow()
  return Number(waiting)
}

/** Offers a print; undefined when it stands with the gallery already. */
export async function putOffer(
  db: Db,
  offer: Insertable<PublicTimelapses> & { consentedAt: Date },
): Promise<EntryRow | undefined> {
  const { creatorName, consentedAt, state } = offer
  return await db
    .insertInto('publicTimelapses')
    .values(offer)
    .onConflict((conflict) =>
      conflict
        .column('printId')
        .doUpdateSet({ state, creatorName, consentedAt, priority: 0, updatedAt: consentedAt })
        .where('publicTimelapses.state', 'in', ['offered', 'withdrawn']),
    )
    .returningAll()
    .executeTakeFirst()
}

/** Changes an entry that is in one of these states and was not offered anew since; undefined when it is not, or not any more. */
export async function changeEntry(
  db: Db,
  { id, consentedAt }: Pick<EntryRow, 'id' | 'consentedAt'>,
  from: readonly State[],
  values: Updateable<PublicTimelapses>,
): Promise<EntryRow | undefined> {
  return await db
    .updateTable('publicTimelapses')
    .set({ ...values, updatedAt: sql`now()` })
    .where('id', '=', id)
    .where('consentedAt', '=', consentedAt)
    .where('state', 'in', from)
    .returningAll()
    .executeTakeFirst()
}

/** Entries whose print and owner are there. */
const standing = (db: Db) =>
  db
    .selectFrom('publicTimelapses as entry')
    .innerJoin('prints', 'prints.id', 'entry.printId')
    .innerJoin('users', 'users.id', 'entry.userId')
    .where('prints.deletedAt', 'is', null)
    .where('users.isActive', '=', true)

/** An entry with what its print has of films, undefined when print or owner are gone. */
export async function findEntry(db: Db, id: Id<'publicTimelapses'>) {
  return await withFilm(db).where('entry.id', '=', id).executeTakeFirst()
}

/** The same for an administrator, who may name any. */
export const findNamedEntry = async (db: Db, _admin: Admin, id: number) =>
  await findEntry(db, sought<'publicTimelapses'>(id))
export type Entry = NonNullable<Awaited<ReturnType<typeof findEntry>>>

const withFilm = (db: Db) =>
  standing(db)
    .selectAll('entry')
    .select([
      'prints.video',
      'prints.taggedVideo',
      'prints.poster',
      'prints.predictionJson',
      'prints.uploadedAt',
    ])

/** Entries in a state: those to decide on oldest first, those shown in their order, the others newest first. */
export async function findEntries(
  db: Db,
  { state, start, limit }: { state: State; start: number; limit: number },
): Promise<Entry[]> {
  let query = withFilm(db).where('entry.state', '=', state)
  if (state === 'offered' || state === 'accepted') query = query.orderBy('entry.consentedAt')
  else if (state === 'public')
    query = query.orderBy('entry.priority', 'desc').orderBy('entry.publicAt', 'desc')
  else query = query.orderBy('entry.decidedAt', 'desc')
  return await query.orderBy('entry.id', 'desc').offset(start).limit(limit).execute()
}

export async function countStates(db: Db): Promise<Map<State, number>> {
  const rows = await standing(db)
    .select(['entry.state', ({ fn }) => fn.countAll<number>().as('count')])
    .groupBy('entry.state')
    .execute()
  return new Map(rows.map(({ state, count }) => [state as State, Number(count)]))
}

/** What everybody may see, in its order. */
export async function findShown(db: Db, limit: number) {
  return await standing(db)
    .select(['entry.id', 'entry.creatorName', 'entry.key', 'entry.hasPoster', 'entry.publicAt'])
    .where('entry.state', '=', 'public')
    .orderBy('entry.priority', 'desc')
    .orderBy('entry.publicAt', 'desc')
    .orderBy('entry.id', 'desc')
    .limit(limit)
    .execute()
}
export type Shown = Awaited<ReturnType<typeof findShown>>[number]

/** Whether copies under this key are public at this moment. */
export async function isPublic(db: Db, key: string): Promise<boolean> {
  const row = await standing(db)
    .select('entry.id')
    .where('entry.key', '=', key)
    .where('entry.state', '=', 'public')
    .executeTakeFirst()
  return row !== undefined
}

/** Keys among these under which copies may lie: public, of a print and an owner that are there. */
export async function knownKeys(db: Db, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const rows = await standing(db)
    .select('entry.key')
    .where('entry.key', 'in', keys)
    .where('entry.state', '=', 'public')
    .execute()
  return new Set(rows.flatMap(({ key }) => key ?? []))
}
