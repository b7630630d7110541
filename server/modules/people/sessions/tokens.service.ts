import { KEY_SCOPES, type KeyScope } from '@vigil/contract/endpoint.ts'
import type { PrinterId, UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { inTransaction } from '../../../engines/db/transaction.ts'
import { invalid, notFound } from '../../../http/errors.ts'
import { byAddress, spend, spendOnFailure } from '../../../http/limits.ts'
import type { SlicerPrincipal, UserPrincipal } from '../../../http/principal.ts'
import { text } from '../../../http/texts.ts'
import { tellAccount, timeFor } from '../emails/index.ts'
import { writeAudit } from '../../core/events/index.ts'
import { hashOf, newToken } from '../../../lib/signing.ts'
import { LIMITS } from '../users/users.rules.ts'
import { accessGiven } from './news.mails.ts'
import { forgetKnown, type KnownToken, principalOf, recallToken } from './sessions.ts'
import {
  deleteByHash,
  deleteToken,
  findToken,
  findTokens,
  insertToken,
  noteUse,
  type Scope,
  type TokenKind,
  type TokenRow,
} from './tokens.queries.ts'

/** An app that is let in stays so for as long after it was last used. */
const APP_MS = 365 * 24 * 3_600_000
/** An app that renews its token is let in anew after so long, however often it is used. */
const GRANT_MS = 2 * APP_MS

/** When an app is shut out that is used now; one that renews its token has an end that no use moves. */
export const appEnds = (
  now: number,
  { createdAt, isRenewed }: { createdAt: Date; isRenewed: boolean },
): Date => new Date(Math.min(now + APP_MS, isRenewed ? createdAt.getTime() + GRANT_MS : Infinity))

/** "Last used" is written at most once a minute. */
const NOTED_MS = 60_000
const MOST_TOKENS = 100
/** What scanners look for that find secrets which were published by mistake. */
const KEY_PREFIX = 'vigil_'
export const HINT_LENGTH = 4

/**
 * Who holds this token or API key; null for an unknown, ended or revoked one. Raises 429 for a slicer that asks too
 * often, and for an address that came with many unknown ones.
 */
export async function tokenPrincipal(
  ctx: Ctx,
  token: string,
  address: string,
): Promise<UserPrincipal | SlicerPrincipal | null> {
  const hash = hashOf(token)
  const known = await recallToken(ctx, hash, () => lookUp(ctx, hash, address))
  if (known === null) {
    await spend(ctx, ...byAddress(LIMITS.unknownToken, address))
    return null
  }
  const { principal } = known
  const tokenId = principal.kind === 'slicer' ? principal.tokenId : principal.key?.tokenId
  if (tokenId !== undefined) await spend(ctx, { limit: LIMITS.slicer, who: `token:${tokenId}` })
  return principal
}

async function lookUp(ctx: Ctx, hash: Buffer, address: string): Promise<KnownToken | null> {
  const row = await findToken(ctx.db, hash)
  if (row === undefined) return null
  const expiresAt = (row.accessUntil ?? row.expiresAt)?.getTime() ?? null
  if (expiresAt === null || expiresAt > ctx.clock.now()) note(ctx, row, address)
  if (row.scope === 'slicer') return { expiresAt, principal: slicerOf(row) }
  const person = principalOf(row, null)
  if (row.kind === 'app') return { expiresAt, principal: person }
  const scope = KEY_SCOPES.find((one) => one === row.scope)
  if (scope === undefined) return null
  const key = { tokenId: row.id, scope, printerIds: row.printerIds }
  return { expiresAt, principal: { ...person, via: 'key', key } }
}

type Row = NonNullable<Awaited<ReturnType<typeof findToken>>>

const slicerOf = ({ id, userId, language, printerId, kind, application }: Row): SlicerPrincipal => ({
  kind: 'slicer',
  userId,
  language: language === 'zh' ? 'zh' : 'en',
  tokenId: id,
  via: kind,
  application,
  printerId,
})

/** Nobody waits for it: a full disk costs nobody the request. */
function note(ctx: Ctx, row: Row, address: string): void {
  const { id, kind, expiresAt, lastUsedAt, lastAddress } = row
  const now = ctx.clock.now()
  const isFresh = lastUsedAt !== null && lastUsedAt.getTime() > now - NOTED_MS
  if (isFresh && lastAddress === address) return
  const livesOn = kind === 'app' &&
    expiresAt !== null && { expiresAt: appEnds(now, { ...row, isRenewed: row.accessUntil !== null }) }
  noteUse(ctx.db, id, { lastUsedAt: new Date(now), lastAddress: address, ...livesOn }).catch(
    (error: unknown) => ctx.log.warn({ err: error }, 'the use of a token was not noted'),
  )
}

interface Wanted {
  readonly userId: UserId
  /** The app that is let in, or the name of a key. */
  readonly application: string
  readonly kind?: TokenKind
  /** All that its user may, unless given. */
  readonly scope?: Scope
  /** The one printer that it is for. */
  readonly printerId?: PrinterId | null
  /** The printers that a key is for; null: all. */
  readonly printerIds?: PrinterId[] | null
  /** When it ends. A slicer's lives on for a year after each use, unless it is a key. */
  readonly expiresAt?: Date | null
  /** When the token itself ends; the app may have another. */
  readonly accessUntil?: Date
}

/** Makes a token (usable as bearer and as X-API-KEY); it is shown this once, and only its hash is kept. */
export async function createAccessToken(ctx: Ctx, wanted: Wanted): Promise<string> {
  return (await makeToken(ctx, wanted)).token
}

/** The same with its row. Raises 400 for the 101st, 429 for too many in an hour. */
export async function makeToken(
  ctx: Ctx,
  {
    userId,
    application,
    kind = 'app',
    scope = 'read write',
    printerId = null,
    printerIds = null,
    expiresAt = null,
    accessUntil,
  }: Wanted,
): Promise<{ token: string; row: TokenRow }> {
  const now = new Date(ctx.clock.now())
  const isApp = kind === 'app' && scope === 'slicer'
  const ends = isApp ? new Date(now.getTime() + APP_MS) : expiresAt
  if (scope !== 'read write') {
    await spend(ctx, { limit: LIMITS.makeToken, who: `user:${userId}` })
    if ((await findTokens(ctx.db, userId, kind, now)).length >= MOST_TOKENS)
      throw invalid({ non_field_errors: text('api-keys-server', 'tooMany') })
  }
  const token = kind === 'key' ? KEY_PREFIX + newToken() : newToken()
  const hint = token.slice(-HINT_LENGTH)
  const tokenHash = hashOf(token)
  const id = await inTransaction(ctx.db, async (db) => {
    const inside = { ...ctx, db }
    const made = {
      userId,
      kind,
      application,
      scope,
      hint,
      printerId,
      printerIds,
      tokenHash,
      createdAt: now,
      expiresAt: ends,
      accessUntil: accessUntil ?? null,
    }
    const row = await insertToken(db, made)
    if (scope !== 'read write') await announce(inside, { userId, kind, application, scope, id: row.id })
    return row.id
  })
  const row = (await findTokens(ctx.db, userId, kind, now)).find((one) => one.id === id)
  if (row === undefined) throw notFound()
  return { token, row }
}

interface Announced {
  readonly userId: UserId
  readonly kind: TokenKind
  readonly application: string
  readonly scope: 'slicer' | KeyScope
  readonly id: number
}

/** An audit row, and a letter: whoever has a session could leave themselves a way in. */
async function announce(inside: Ctx, { userId, kind, application, scope, id }: Announced): Promise<void> {
  await auditToken(inside, userId, `${kind}_token_made`, application, scope)
  const at = inside.clock.now()
  await tellAccount(inside, {
    userId,
    template: accessGiven,
    key: `token:${id}`,
    data: (reader) => ({
      email: reader.email,
      at: timeFor(at, reader),
      kind,
      name: application,
      ...(scope === 'slicer' ? {} : { scope }),
    }),
  })
}

/** What a user has let in: apps, or keys that they made; the newest first. */
export const listTokens = (ctx: Ctx, userId: UserId, kind: TokenKind): Promise<TokenRow[]> =>
  findTokens(ctx.db, userId, kind, new Date(ctx.clock.now()))

/** Takes a token back: from now on it opens nothing, on any node. Raises 404 for one that is not the user's. */
export async function revokeToken(ctx: Ctx, userId: UserId, id: number, kind: TokenKind): Promise<void> {
  const application = await deleteToken(ctx.db, userId, id, kind)
  if (application === null) throw notFound()
  forgetKnown(ctx)
  await auditToken(ctx, userId, `${kind}_token_revoked`, application)
}

/** An app gives its token back (RFC 7009): nobody is told whether there was one. Raises 429 for an address with many unknown ones. */
export async function revokeByToken(ctx: Ctx, token: string, address: string): Promise<void> {
  await spendOnFailure(ctx, byAddress(LIMITS.unknownToken, address), async () => {
    const gone = await deleteByHash(ctx.db, hashOf(token))
    if (gone === undefined) return null
    forgetKnown(ctx)
    await auditToken(ctx, gone.userId, 'app_token_revoked', gone.application)
    return gone
  })
}

/** An audit row of what became of a token. */
export async function auditToken(
  ctx: Ctx,
  userId: UserId,
  action: string,
  application: string,
  scope?: Scope,
): Promise<void> {
  await writeAudit(ctx, {
    actor: `user:${userId}`,
    userId,
    action,
    detail: { application, ...(scope && { scope }) },
  })
}

/** What all tokens show of themselves. */
export const presentToken = (row: TokenRow) => ({
  id: row.id,
  printer:
    row.printerId === null || row.printerName === null ? null : { id: row.printerId, name: row.printerName },
  created_at: row.createdAt.toISOString(),
  last_used_at: row.lastUsedAt?.toISOString() ?? null,
  expires_at: row.expiresAt?.toISOString() ?? null,
})
