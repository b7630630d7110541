import { type Selectable, sql } from 'kysely'
import { type Id, sought, type UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { MobileDevices } from '../../../engines/db/types.gen.ts'

export type DeviceRow = Selectable<MobileDevices>

const activeOf = (db: Db, userId: UserId) =>
  db.selectFrom('mobileDevices').selectAll().where('userId', '=', userId).where('deactivatedAt', 'is', null)

/** Phones of a user that are reached. */
export const findDevices = (db: Db, userId: UserId): Promise<DeviceRow[]> =>
  activeOf(db, userId).orderBy('id').execute()

export const findDevice = (db: Db, userId: UserId, id: number): Promise<DeviceRow | undefined> =>
  activeOf(db, userId).where('id', '=', sought<'mobileDevices'>(id)).executeTakeFirst()

interface Registered {
  readonly userId: UserId
  /** Signed out, it is reached no more; null for a token. */
  readonly sessionId: Id<'sessions'> | null
  readonly platform: string
  readonly appVersion: string
  readonly deviceToken: string
  readonly preferredTimezone: string | null
  readonly now: Date
}

/** Adds a phone, or brings back and renews the one with this token. A zone that is not told stays as it is. */
export async function upsertDevice(db: Db, { now, ...device }: Registered): Promise<DeviceRow> {
  return db
    .insertInto('mobileDevices')
    .values({ ...device, createdAt: now, updatedAt: now })
    .onConflict((conflict) =>
      conflict.columns(['userId', 'deviceToken']).doUpdateSet({
        sessionId: device.sessionId,
        platform: device.platform,
        appVersion: device.appVersion,
        preferredTimezone: sql`coalesce(excluded.preferred_timezone, mobile_devices.preferred_timezone)`,
        deactivatedAt: null,
        updatedAt: now,
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** A phone belongs to who signed in on it last: to others it is reached no more. */
export async function deactivateElsewhere(
  db: Db,
  { userId, deviceToken, now }: Pick<Registered, 'userId' | 'deviceToken' | 'now'>,
): Promise<void> {
  await db
    .updateTable('mobileDevices')
    .set({ deactivatedAt: now, updatedAt: now })
    .where('deviceToken', '=', deviceToken)
    .where('userId', '!=', userId)
    .where('deactivatedAt', 'is', null)
    .execute()
}

/** False when there is no such phone. */
export async function deactivateDevice(db: Db, userId: UserId, id: number, now: Date): Promise<boolean> {
  const result = await db
    .updateTable('mobileDevices')
    .set({ deactivatedAt: now, updatedAt: now })
    .where('userId', '=', userId)
    .where('id', '=', sought<'mobileDevices'>(id))
    .where('deactivatedAt', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}
