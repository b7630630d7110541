import { sql } from 'kysely'
import type { Ctx } from '../../../ctx.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { UserId } from '../../../lib/id.ts'

/**
 * Part of a query: where an administrator has signed in, of several the one who was here last; null while none has. Nobody else's
 * sign-in counts: whoever signs up may name any host.
 */
export const signedInAt = sql<string | null>`(
  select staff.last_origin from users staff
  where staff.is_staff and staff.is_active and staff.last_origin is not null
  order by staff.last_active_at desc nulls last limit 1
)`.as('signedInAt')

/**
 * Where links in letters and messages lead (docs/rules/people.md 7): to the address of their reader's brand, whose accounts are signed
 * in to there alone, else the server's. Null while nobody has said where this server is found.
 */
export const homeOf = (
  { config }: Pick<Ctx, 'config'>,
  row: { readonly signedInAt: string | null; readonly brand: string },
): string | null =>
  config.brands.find(({ name }) => name === row.brand)?.public_url ?? config.PUBLIC_URL ?? row.signedInAt

/** The server's own, asked of the database. */
export async function findHome({ config, db }: Pick<Ctx, 'config' | 'db'>): Promise<string | null> {
  if (config.PUBLIC_URL !== undefined) return config.PUBLIC_URL
  return (await db.selectNoFrom(signedInAt).executeTakeFirstOrThrow()).signedInAt
}

/** Who reads a letter. */
export async function findReader(db: Db, userId: UserId) {
  return db
    .selectFrom('users')
    .select(['id', 'brand', 'language', signedInAt, 'unsubToken', 'isStaff'])
    .where('id', '=', userId)
    .executeTakeFirst()
}
export type Reader = NonNullable<Awaited<ReturnType<typeof findReader>>>

interface NewMail {
  readonly key: string
  readonly userId: UserId
  readonly address: string
  readonly template: string
  readonly data: string
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** False when there is a letter with this key. */
export async function insertMail(db: Db, mail: NewMail): Promise<boolean> {
  const row = await db
    .insertInto('mails')
    .values(mail)
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst()
  return row !== undefined
}

/** A letter that has not been sent, refused or given up. */
export async function findWaiting(db: Db, key: string) {
  return db
    .selectFrom('mails')
    .selectAll()
    .where('key', '=', key)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
}

/** Ends a letter; what it said is forgotten. */
export async function endMail(
  db: Db,
  key: string,
  end: { state: 'sent' | 'refused' | 'expired'; outcome: string | null; now: Date },
): Promise<void> {
  const { state, outcome, now } = end
  await db
    .updateTable('mails')
    .set((eb) => ({
      state,
      outcome,
      data: '{}',
      tries: eb('tries', '+', 1),
      sentAt: state === 'sent' ? now : null,
    }))
    .where('key', '=', key)
    .execute()
}

export async function noteFailure(db: Db, key: string, outcome: string): Promise<void> {
  await db
    .updateTable('mails')
    .set((eb) => ({ outcome, tries: eb('tries', '+', 1) }))
    .where('key', '=', key)
    .execute()
}

/** Forgets letters older than `before`; returns how many. */
export async function deleteMails(db: Db, before: Date): Promise<number> {
  const result = await sql`delete from mails where created_at < ${before}`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}
