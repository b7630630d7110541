import { type Selectable, sql } from 'kysely'
import type { UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import { statement } from '../../../engines/db/statement.ts'
import type { NotificationRules } from '../../../engines/db/types.gen.ts'
import type { TellingRules } from '../messages/index.ts'

/** What an account that has chosen nothing has. */
const USUAL = {
  quietFrom: null,
  quietUntil: null,
  quietSparesAlerts: true,
  digest: 'off',
  digestAt: 18 * 60,
  escalateAfter: null,
} as const

type Columns = Omit<Selectable<NotificationRules>, 'userId' | 'updatedAt'>
export type RulesRow = Columns & { readonly timeZone: string | null }

const chosen = statement((db, userIds: readonly UserId[]) =>
  db
    .selectFrom('users')
    .leftJoin('notificationRules as r', 'r.userId', 'users.id')
    .select([
      'users.id as userId',
      'users.timeZone',
      'r.quietFrom',
      'r.quietUntil',
      'r.quietSparesAlerts',
      'r.digest',
      'r.digestAt',
      'r.escalateAfter',
    ])
    .where(sql<boolean>`users.id = any(${userIds}::integer[])`),
)

/** When somebody is told, as they have chosen it. */
export const findRules = async (db: Db, userId: UserId): Promise<RulesRow> =>
  (await findRulesOf(db, [userId]))(userId)

/** The same of several people. */
export async function findRulesOf(db: Db, userIds: readonly UserId[]): Promise<(userId: UserId) => RulesRow> {
  const rows = new Map((await chosen(db, userIds)).map(({ userId, ...row }) => [userId, row]))
  return (userId) => {
    const { quietSparesAlerts, digest, digestAt, ...rest } = rows.get(userId) ?? { ...USUAL, timeZone: null }
    return {
      ...rest,
      quietSparesAlerts: quietSparesAlerts ?? USUAL.quietSparesAlerts,
      digest: digest ?? USUAL.digest,
      digestAt: digestAt ?? USUAL.digestAt,
    }
  }
}

/** The same for who decides by them. */
export const tellingRulesOf = (row: RulesRow): TellingRules => ({
  timeZone: row.timeZone ?? 'UTC',
  quiet:
    row.quietFrom === null || row.quietUntil === null
      ? null
      : { from: row.quietFrom, until: row.quietUntil, sparesAlerts: row.quietSparesAlerts },
  digest: row.digest,
  digestAt: row.digestAt,
})

/** Writes columns of somebody's rules. */
export async function putRules(
  db: Db,
  userId: UserId,
  columns: Columns & { readonly updatedAt: Date },
): Promise<void> {
  await db
    .insertInto('notificationRules')
    .values({ userId, ...columns })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(columns))
    .execute()
}
