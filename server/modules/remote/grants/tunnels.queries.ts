import { sql } from 'kysely'
import type { Id, PrinterId, UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { Authorized } from '../../core/access/index.ts'

/** A way to a printer's own page, as long as it is open; `userId` owns the printer. */
export interface TunnelRow {
  readonly id: Id<'tunnels'>
  readonly printerId: PrinterId
  readonly userId: UserId
  readonly kind: 'internal' | 'app'
  readonly app: string
  readonly code: string
  readonly port: number | null
  readonly username: string | null
  readonly passwordHash: Buffer | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly lastUsedAt: Date | null
}

const COLUMNS = [
  'tunnels.id',
  'tunnels.printerId',
  'tunnels.kind',
  'tunnels.app',
  'tunnels.code',
  'tunnels.port',
  'tunnels.username',
  'tunnels.passwordHash',
  'tunnels.createdAt',
  'tunnels.updatedAt',
  'tunnels.lastUsedAt',
] as const

/** Tunnels that lead anywhere: not revoked, of printers that are in use, of owners that are not disabled. */
const open = (db: Db) =>
  db
    .selectFrom('tunnels')
    .innerJoin('printers', 'printers.id', 'tunnels.printerId')
    .innerJoin('users', 'users.id', 'printers.userId')
    .select([...COLUMNS, 'printers.userId'])
    .$castTo<TunnelRow>()
    .where('tunnels.revokedAt', 'is', null)
    .where('printers.deletedAt', 'is', null)
    .where('printers.archivedAt', 'is', null)
    .where('users.isActive', '=', true)

/** What one tunnel alone has. */
export interface TunnelKey {
  readonly column: 'code' | 'port' | 'username' | 'id'
  readonly value: string | number
}

/** The open tunnel with this code, port, user name or number. */
export async function findOpen(db: Db, { column, value }: TunnelKey): Promise<TunnelRow | undefined> {
  return await open(db).where(`tunnels.${column}`, '=', value).executeTakeFirst()
}

/** Which of these are open still. */
export async function stillOpen(db: Db, ids: readonly Id<'tunnels'>[]): Promise<Id<'tunnels'>[]> {
  const rows = await open(db).where('tunnels.id', 'in', ids).execute()
  return rows.map(({ id }) => id)
}

/** The internal tunnel of a printer. */
export async function findInternal(db: Db, { id }: Authorized<'control'>): Promise<TunnelRow | undefined> {
  return await open(db)
    .where('tunnels.printerId', '=', id)
    .where('tunnels.kind', '=', 'internal')
    .executeTakeFirst()
}

/** Tunnels that a user has given to apps, of archived printers too (they can be taken back), the newest first. */
export async function tunnelsOfApps(db: Db, userId: UserId) {
  return await db
    .selectFrom('tunnels')
    .innerJoin('printers', 'printers.id', 'tunnels.printerId')
    .select([...COLUMNS, 'printers.userId', 'printers.name as printerName'])
    .$castTo<TunnelRow & { readonly printerName: string }>()
    .where('printers.userId', '=', userId)
    .where('tunnels.kind', '=', 'app')
    .where('tunnels.revokedAt', 'is', null)
    .where('printers.deletedAt', 'is', null)
    .orderBy('tunnels.id', 'desc')
    .execute()
}
export type AppTunnel = Awaited<ReturnType<typeof tunnelsOfApps>>[number]

/** Puts another hash of the same password in the place of the one that it has. */
export async function renewHash(db: Db, { id }: TunnelRow, passwordHash: Buffer): Promise<void> {
  await db.updateTable('tunnels').set({ passwordHash }).where('id', '=', id).execute()
}

interface NewTunnel {
  readonly kind: 'internal' | 'app'
  readonly app: string
  readonly code: string
  readonly port: number | null
  readonly username?: string
  readonly passwordHash?: Buffer
}

/** Makes a tunnel; null where another has taken its port, or is the printer's internal one, in the meantime. */
export async function insertTunnel(
  db: Db,
  { id: printerId }: Authorized<'control'>,
  tunnel: NewTunnel,
): Promise<number | null> {
  const row = await db
    .insertInto('tunnels')
    .values({ ...tunnel, printerId })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

/**
 * A port of this range that no open tunnel, and no other program, has: one that none ever had, else the one that has been free for longest, so that
 * what a browser keeps of its former page is old. Null where all are taken.
 */
export async function freePort(
  db: Db,
  range: { readonly first: number; readonly last: number; readonly taken: readonly number[] },
): Promise<number | null> {
  const { rows } = await sql<{ port: number }>`
    select port from generate_series(${range.first}::int, ${range.last}::int) as port
    where not exists (select from tunnels where tunnels.port = port.port and revoked_at is null)
      and port <> all(${range.taken}::int[])
    order by (select max(revoked_at) from tunnels where tunnels.port = port.port) nulls first, port
    limit 1`.execute(db)
  return rows[0]?.port ?? null
}

/**
 * The tunnel whose port is taken from it for another owner's printer: of somebody who holds more ports than that owner would, or of anybody for an owner
 * who has none, so that nobody comes to more than others by asking; unused since `before`, but for an owner who has none also one that is used, of
 * somebody who holds several. Those that are not used go first, of these those of our own pages, which are made anew when they are opened, then
 * the longest unused. Null where none gives way.
 */
export async function givesWay(
  db: Db,
  { id }: Authorized<'control'>,
  range: { readonly first: number; readonly last: number; readonly before: Date },
): Promise<{ readonly id: Id<'tunnels'>; readonly printerId: PrinterId } | null> {
  const { rows } = await sql<{ id: Id<'tunnels'>; printerId: PrinterId }>`
    with held as (
      select tunnels.id, tunnels.printer_id, tunnels.kind, printers.user_id,
        coalesce(tunnels.last_used_at, tunnels.created_at) as used,
        count(*) over (partition by printers.user_id) as many
      from tunnels join printers on printers.id = tunnels.printer_id
      where tunnels.revoked_at is null and tunnels.port between ${range.first}::int and ${range.last}::int
    ), asks as (
      select printers.user_id, (select count(*) from held where held.user_id = printers.user_id) as own
      from printers where id = ${id}
    )
    select held.id, held.printer_id from held, asks
    where held.user_id <> asks.user_id and held.many > asks.own + least(asks.own, 1)
      and (held.used < ${range.before} or asks.own = 0 and held.many > 1)
    order by held.used >= ${range.before}, held.kind = 'app', held.used limit 1`.execute(db)
  return rows[0] ?? null
}

/** Takes back tunnels of one printer: this one, or all. What had been open until now. */
export async function revoke(db: Db, printer: Authorized<'control'>, now: Date, id?: Id<'tunnels'>) {
  const query = db
    .updateTable('tunnels')
    .set({ revokedAt: now, updatedAt: now })
    .where('printerId', '=', printer.id)
    .where('revokedAt', 'is', null)
  const rows = await (id === undefined ? query : query.where('id', '=', id))
    .returning(['id', 'app'])
    .execute()
  return rows
}

/** Tunnels of printers that are deleted keep no port, though nobody was there to say so. */
export async function revokeOrphans(db: Db, now: Date): Promise<void> {
  await db
    .updateTable('tunnels')
    .set({ revokedAt: now, updatedAt: now })
    .where('revokedAt', 'is', null)
    .where('printerId', 'in', (eb) =>
      eb.selectFrom('printers').select('printers.id').where('deletedAt', 'is not', null),
    )
    .execute()
}

/** Remembers that a tunnel was used. */
export async function touch(db: Db, id: Id<'tunnels'>, now: Date): Promise<void> {
  await db.updateTable('tunnels').set({ lastUsedAt: now }).where('id', '=', id).execute()
}

/** Forgets what was revoked long ago. */
export async function deleteRevoked(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('tunnels').where('revokedAt', '<', before).execute()
}
