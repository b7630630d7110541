import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '../../../engines/db/port.ts'
import type { AccountNotices } from '../../../engines/db/types.gen.ts'
import type { UserId } from '../../../lib/id.ts'
import type { Admin } from '../accounts/index.ts'

export type NoticeRow = Selectable<AccountNotices>
export type NewNotice = Omit<Insertable<AccountNotices>, 'id' | 'createdAt'>

/** What somebody is: what notices they are shown depends on it. */
export interface Reader {
  readonly userId: UserId
  readonly brand: string
  readonly isStaff: boolean
  readonly plan: 'free' | 'pro'
}

const shownTo = (db: Db, { userId, brand, isStaff, plan }: Reader, now: Date) =>
  db
    .selectFrom('accountNotices')
    .selectAll()
    .where('fromAt', '<=', now)
    .where((eb) => eb.or([eb('untilAt', 'is', null), eb('untilAt', '>', now)]))
    .where('audience', 'in', ['all', plan, ...(isStaff ? (['staff'] as const) : [])])
    .where((eb) => eb.or([eb('accountNotices.brand', 'is', null), eb('accountNotices.brand', '=', brand)]))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('noticeDismissals as put')
            .select('put.noticeId')
            .whereRef('put.noticeId', '=', 'accountNotices.id')
            .where('put.userId', '=', userId),
        ),
      ),
    )

/** What there is to tell somebody now, the gravest first. */
export const findShown = async (db: Db, reader: Reader, now: Date, most: number) =>
  await shownTo(db, reader, now)
    .orderBy(sql`array_position(array['error', 'warning', 'info'], level)`)
    .orderBy('fromAt', 'desc')
    .orderBy('id', 'desc')
    .limit(most)
    .execute()

/** One of these. */
export const findOneShown = async (db: Db, reader: Reader, now: Date, number: number) =>
  await shownTo(db, reader, now).where('accountNotices.id', '=', number).executeTakeFirst()

export async function insertDismissal(
  db: Db,
  { userId }: Reader,
  { id: noticeId }: NoticeRow,
  dismissedAt: Date,
): Promise<void> {
  await db
    .insertInto('noticeDismissals')
    .values({ userId, noticeId, dismissedAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** All, newest first, with how many have put each away. */
export const findWritten = async (db: Db, _admin: Admin, most: number) =>
  await db
    .selectFrom('accountNotices')
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom('noticeDismissals as put')
        .select(sql<number>`count(*)::int`.as('count'))
        .whereRef('put.noticeId', '=', 'accountNotices.id')
        .as('dismissed'),
    )
    .orderBy('id', 'desc')
    .limit(most)
    .execute()

export const countWritten = async (db: Db): Promise<number> =>
  (
    await db
      .selectFrom('accountNotices')
      .select(sql<number>`count(*)::int`.as('count'))
      .executeTakeFirstOrThrow()
  ).count

export const insertNotice = async (db: Db, notice: NewNotice, createdAt: Date): Promise<NoticeRow> =>
  await db
    .insertInto('accountNotices')
    .values({ ...notice, createdAt })
    .returningAll()
    .executeTakeFirstOrThrow()

export const updateNotice = async (
  db: Db,
  _admin: Admin,
  number: number,
  notice: NewNotice,
): Promise<NoticeRow | undefined> =>
  await db
    .updateTable('accountNotices')
    .set(notice)
    .where('id', '=', number)
    .returningAll()
    .executeTakeFirst()

export async function deleteNotice(db: Db, _admin: Admin, number: number): Promise<boolean> {
  const gone = await db.deleteFrom('accountNotices').where('id', '=', number).executeTakeFirst()
  return gone.numDeletedRows > 0n
}
