import type { listPeople } from '@vigil/contract/people/directory.ts'
import type { Parsed } from '@vigil/contract/endpoint.ts'
import { sql } from 'kysely'
import type { Db } from '../../../engines/db/port.ts'
import { sought, type UserId } from '../../../lib/id.ts'
import type { Admin } from '../accounts/index.ts'

type Wish = Parsed<typeof listPeople, 'query'>

const STATES = {
  all: sql<boolean>`true`,
  active: sql<boolean>`u.is_active`,
  disabled: sql<boolean>`not u.is_active and not exists (select from departures d where d.user_id = u.id)`,
  staff: sql<boolean>`u.is_staff`,
  leaving: sql<boolean>`exists (select from departures d where d.user_id = u.id)`,
} as const

/** Part of an address or name, as it was typed; or the number of an account. */
function asked({ q, state }: Wish) {
  const where = STATES[state]
  if (q === '') return where
  const part = `%${q.replace(/[\\%_]/g, String.raw`\$&`)}%`
  const number = /^\d{1,9}$/.test(q) ? Number(q) : 0
  return sql<boolean>`${where} and (
    u.email ilike ${part} or u.first_name || ' ' || u.last_name ilike ${part} or u.id = ${number})`
}

const COLUMNS = [
  'u.id',
  'u.email',
  'u.firstName',
  'u.lastName',
  'u.brand',
  'u.isActive',
  'u.isStaff',
  'u.isPro',
  'u.createdAt',
  'u.lastActiveAt',
] as const

const people = (db: Db) =>
  db.selectFrom('users as u').select((eb) => [
    ...COLUMNS,
    eb
      .selectFrom('printers as p')
      .select(sql<number>`count(*)::int`.as('count'))
      .whereRef('p.userId', '=', 'u.id')
      .where('p.deletedAt', 'is', null)
      .as('printers'),
    eb
      .exists(eb.selectFrom('departures as d').select('d.userId').whereRef('d.userId', '=', 'u.id'))
      .as('isLeaving'),
  ])

/** People who have an account, newest first. */
export const findPeople = async (db: Db, _admin: Admin, wish: Wish) =>
  await people(db).where(asked(wish)).orderBy('u.id', 'desc').offset(wish.start).limit(wish.limit).execute()

export async function countPeople(db: Db, _admin: Admin, wish: Wish): Promise<number> {
  const row = await db
    .selectFrom('users as u')
    .select(sql<number>`count(*)::int`.as('count'))
    .where(asked(wish))
    .executeTakeFirstOrThrow()
  return row.count
}

/** One of them, whom an administrator names; undefined when there is none. */
export const findPerson = async (db: Db, _admin: Admin, id: number) =>
  await people(db)
    .select(['u.mobileAppCanary', 'u.dhBalance'])
    .where('u.id', '=', sought<'users'>(id))
    .executeTakeFirst()
export type PersonRow = Awaited<ReturnType<typeof findPeople>>[number]
export type WholeRow = NonNullable<Awaited<ReturnType<typeof findPerson>>>

/** What somebody stores, by kind; of files one content counts once. */
export async function findStored(db: Db, userId: UserId) {
  const { rows } = await sql<{ kind: 'files' | 'models' | 'pictures'; count: number; bytes: number }>`
    select 'files' as kind, count(*)::int as count, coalesce(sum(num_bytes), 0)::float8 as bytes from (
      select distinct on (sha256) num_bytes from g_code_files
      where user_id = ${userId} and sha256 is not null and content is not null
    ) as stored
    union all select 'models', count(*)::int, coalesce(sum(num_bytes), 0)::float8 from mesh_models where user_id = ${userId}
    union all select 'pictures', count(*)::int, coalesce(sum(num_bytes), 0)::float8 from frames
      where print_id in (select id from prints where user_id = ${userId})`.execute(db)
  return rows
}

/** How many browsers and phones are signed in, and whether somebody asked that the factors go. */
export async function findSafety(db: Db, userId: UserId, now: Date) {
  return await db
    .selectNoFrom((eb) => [
      eb
        .selectFrom('sessions')
        .select(sql<number>`count(*)::int`.as('count'))
        .where('userId', '=', userId)
        .where('expiresAt', '>', now)
        .as('sessions'),
      eb.selectFrom('factorResets').select('dueAt').where('userId', '=', userId).as('resetDueAt'),
      eb
        .exists(eb.selectFrom('factorResets').select('userId').where('userId', '=', userId))
        .as('isResetAsked'),
    ])
    .executeTakeFirstOrThrow()
}

/** Opens or closes an account; false when it stood so, or is about to go. */
export async function setActive(db: Db, userId: UserId, isActive: boolean, now: Date): Promise<boolean> {
  const changed = await db
    .updateTable('users')
    .set({ isActive, updatedAt: now })
    .where('id', '=', userId)
    .where('isActive', '!=', isActive)
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom('departures').select('userId').where('userId', '=', userId))),
    )
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}
