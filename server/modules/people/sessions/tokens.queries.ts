import type { KeyScope } from '@vigil/contract/endpoint.ts'
import { type Id, type PrinterId, sought, type UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'

/** What a token may do: all that its user may, what slicers need (docs/rules/slice.md), or as far as a key reaches. */
export type Scope = 'read write' | 'slicer' | KeyScope
export type TokenKind = 'app' | 'key'

export interface NewToken {
  readonly userId: UserId
  readonly kind: TokenKind
  /** The app that was let in, or the name that its user gave a key. */
  readonly application: string
  readonly scope: Scope
  readonly tokenHash: Buffer
  readonly hint: string
  readonly printerId: PrinterId | null
  /** The printers that a key is for; null: all of its user's. */
  readonly printerIds: PrinterId[] | null
  readonly createdAt: Date
  readonly expiresAt: Date | null
  /** When the token itself ends; null: with the app. */
  readonly accessUntil: Date | null
}

export async function insertToken(db: Db, token: NewToken) {
  return await db
    .insertInto('accessTokens')
    .values(token)
    .returning(['id', 'createdAt'])
    .executeTakeFirstOrThrow()
}

export async function findToken(db: Db, tokenHash: Buffer) {
  return await db
    .selectFrom('accessTokens')
    .innerJoin('users', 'users.id', 'accessTokens.userId')
    .select([
      'accessTokens.id',
      'userId',
      'expiresAt',
      'accessUntil',
      'application',
      'language',
      'brand',
      'kind',
      'scope',
      'printerId',
      'printerIds',
      'lastUsedAt',
      'lastAddress',
      'accessTokens.createdAt',
    ])
    .where('tokenHash', '=', tokenHash)
    .where('revokedAt', 'is', null)
    .where('isActive', '=', true)
    .executeTakeFirst()
}

/** Tokens of a user, as a page shows them; nothing in it opens anything. */
export async function findTokens(db: Db, userId: UserId, kind: TokenKind, now: Date) {
  const rows = await db
    .selectFrom('accessTokens')
    .leftJoin('printers', 'printers.id', 'accessTokens.printerId')
    .select([
      'accessTokens.id',
      'application',
      'hint',
      'accessTokens.createdAt',
      'expiresAt',
      'lastUsedAt',
      'lastAddress',
      'scope',
      'printerIds',
      'printerId',
      'printers.name as printerName',
      'printers.deletedAt as printerDeletedAt',
    ])
    .where('accessTokens.userId', '=', userId)
    .where('kind', '=', kind)
    .where('revokedAt', 'is', null)
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', now)]))
    .orderBy('accessTokens.id', 'desc')
    .execute()
  const named = await findNamed(
    db,
    userId,
    rows.flatMap(({ printerIds }) => printerIds ?? []),
  )
  return rows.map((row) => ({
    ...row,
    printers: row.printerIds && named.filter(({ id }) => row.printerIds?.includes(id)),
  }))
}

/** Those of a user's printers that are left, by name. */
async function findNamed(db: Db, userId: UserId, ids: readonly PrinterId[]) {
  if (ids.length === 0) return []
  return await db
    .selectFrom('printers')
    .select(['id', 'name'])
    .where('userId', '=', userId)
    .where('deletedAt', 'is', null)
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
}
export type TokenRow = Awaited<ReturnType<typeof findTokens>>[number]

/** Notes that a token was used; of tokens that live on by use, the new end. */
export async function noteUse(
  db: Db,
  id: Id<'accessTokens'>,
  used: { lastUsedAt: Date; lastAddress: string; expiresAt?: Date },
): Promise<void> {
  await db.updateTable('accessTokens').set(used).where('id', '=', id).execute()
}

/** Removes the token of an app, by what is kept of it or of a word for the next one; whose it was. */
export async function deleteByHash(db: Db, tokenHash: Buffer) {
  return await db
    .deleteFrom('accessTokens')
    .where((eb) =>
      eb.or([
        eb('tokenHash', '=', tokenHash),
        eb(
          'id',
          'in',
          eb
            .selectFrom('refreshTokens')
            .select('accessTokenId')
            .where('refreshTokens.tokenHash', '=', tokenHash),
        ),
      ]),
    )
    .where('kind', '=', 'app')
    .returning(['userId', 'application'])
    .executeTakeFirst()
}

/** Removes a token of a user; its name when there was one. */
export async function deleteToken(
  db: Db,
  userId: UserId,
  id: number,
  kind: TokenKind,
): Promise<string | null> {
  const row = await db
    .deleteFrom('accessTokens')
    .where('id', '=', sought<'accessTokens'>(id))
    .where('userId', '=', userId)
    .where('kind', '=', kind)
    .returning('application')
    .executeTakeFirst()
  return row?.application ?? null
}
