import type { PasskeyAnswer } from '@vigil/contract/people/factors.ts'
import { type Id, NO_ID, type UserId } from '../../../lib/id.ts'
import { currentKey, everyKey } from '../../../lib/keyring.ts'
import { seal, unseal } from '../../../lib/sealing.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Edge } from '../../../http/edge.ts'
import { invalid } from '../../../http/errors.ts'
import { byGuess, forgive, rememberKnown, spendOnFailure } from '../../../http/limits.ts'
import { text } from '../../../http/texts.ts'
import { isPassword } from '../passwords/passwords.hash.ts'
import { meansOf } from '../proof/proof.service.ts'
import { noteProof } from '../proof/proof.queries.ts'
import { findUser } from '../users/users.queries.ts'
import { LIMITS } from '../users/users.rules.ts'
import { newRecoveryCodes, newTotpSecret, recoveryHash, stepOf } from './codes.rules.ts'
import * as queries from './factors.queries.ts'
import { auditFactors, tellOfFactors } from './news.service.ts'
import { passkeyOf } from './passkeys.service.ts'

const say = (key: string) => text('security-server', key)
/** A key that was shown waits so long for its first code. */
const SET_UP_MS = 15 * 60_000
const PURPOSE = 'totp'

const secretsOf = ({ config }: Pick<Ctx, 'config'>) => everyKey(config).map(({ secret }) => secret)

/** What is shown for a second factor. */
export interface Shown {
  readonly code?: string | undefined
  readonly passkey?: PasskeyAnswer | undefined
}

/**
 * Whether somebody has shown a second factor of theirs: a code of their app, each once, a passkey, or a recovery code, which is used
 * up. Guesses are counted by account and place (`placeOf`; an address) before they are looked at; raises 429. Who shows one has not
 * lost it.
 */
export async function showFactor(
  ctx: Ctx,
  { userId, edge, place, shown }: { userId: UserId; edge: Edge; place?: string | undefined; shown: Shown },
): Promise<boolean> {
  const right = await guess(ctx, { userId, edge, place }, () => isRight(ctx, userId, edge, shown))
  const way = shown.passkey === undefined ? 'code' : 'passkey'
  ctx.log.info({ userId, way, address: edge.address }, `a second factor was ${right ? 'right' : 'wrong'}`)
  if (right && (await queries.deleteReset(ctx.db, userId)))
    await auditFactors(ctx, userId, 'reset_refused', `user:${userId}`)
  return right
}

/** One counted try at a secret of an account; only failures stay counted. */
async function guess(
  ctx: Ctx,
  { userId, edge: { address }, place = address }: { userId: UserId; edge: Edge; place?: string | undefined },
  work: () => Promise<boolean>,
): Promise<boolean> {
  const who = `factor:${userId}`
  const limits = { here: LIMITS.factorHere, place: LIMITS.factorAddress, all: LIMITS.factorAccount }
  const { here, guards } = await byGuess(ctx, limits, { who, place, address })
  const right = await spendOnFailure(ctx, guards, async () => ((await work()) ? true : null))
  if (right !== true) return false
  await Promise.all([forgive(ctx, here), rememberKnown(ctx, who, address)])
  return true
}

async function isRight(ctx: Ctx, userId: UserId, edge: Edge, { code, passkey }: Shown): Promise<boolean> {
  if (passkey !== undefined)
    return (await passkeyOf(ctx, passkey, { edge, isAlone: false }))?.userId === userId
  if (code === undefined) return false
  const plain = code.replaceAll(' ', '')
  if (/^\d{6}$/.test(plain)) return await isAppCode(ctx, userId, plain)
  const hashes = everyKey(ctx.config).flatMap(({ secret }) => recoveryHash(secret, userId, code) ?? [])
  if (hashes.length === 0) return false
  return await ctx.db.transaction().execute(async (db) => {
    const isFirst = await queries.useCode(db, userId, hashes)
    if (isFirst) await tellOfFactors({ ...ctx, db }, { userId, kind: 'codeUsed' })
    return isFirst
  })
}

async function isAppCode(ctx: Ctx, userId: UserId, code: string): Promise<boolean> {
  const row = await queries.findTotp(ctx.db, userId)
  if (row === undefined) return false
  const step = stepOf(unseal(secretsOf(ctx), PURPOSE, row.secret), code, ctx.clock.now())
  return step !== null && (await queries.useStep(ctx.db, userId, step))
}

/** Shows once more whose session it is: by a factor where there is one, else by the password. Raises 400, 429. */
export async function prove(
  ctx: Ctx,
  { userId, sessionId }: { userId: UserId; sessionId: Id<'sessions'> | null },
  { edge, password, ...shown }: Shown & { edge: Edge; password?: string | undefined },
): Promise<void> {
  const { factors } = await meansOf(ctx, userId)
  if (factors.length > 0) {
    if (!(await showFactor(ctx, { userId, edge, shown }))) throw invalid({ code: say('wrongCode') })
  } else {
    const user = await findUser(ctx.db, userId)
    const stored = user?.passwordHash ?? null
    const isIt = () => isPassword(stored, password ?? '')
    if (!(await guess(ctx, { userId, edge }, isIt))) throw invalid({ password: say('wrongPassword') })
  }
  if (sessionId !== null) await noteProof(ctx.db, sessionId, new Date(ctx.clock.now()))
}

const setUpKey = (userId: UserId) => `totp-set-up:${userId}`

/** A key for an app; it counts when a code of it was given. */
export async function beginTotp(ctx: Ctx, userId: UserId): Promise<string> {
  const secret = newTotpSecret()
  await ctx.live.put(setUpKey(userId), seal(currentKey(ctx.config).secret, PURPOSE, secret), SET_UP_MS)
  return secret
}

/** The app counts from now on. Raises 400 for a wrong code, and when nothing was begun. Returns recovery codes with the first factor. */
export async function confirmTotp(
  ctx: Ctx,
  { userId, edge, code }: { userId: UserId; edge: Edge; code: string },
): Promise<string[]> {
  const begun = await ctx.live.get(setUpKey(userId))
  if (begun === null) throw invalid({ code: say('beginAgain') })
  const secret = unseal(secretsOf(ctx), PURPOSE, begun.toString())
  const now = ctx.clock.now()
  let step: number | null = null
  const isIt = async () => (step = stepOf(secret, code.replaceAll(' ', ''), now)) !== null
  if (!(await guess(ctx, { userId, edge }, isIt)) || step === null) throw invalid({ code: say('wrongCode') })
  const lastStep: number = step
  const made = await ctx.db.transaction().execute(async (db) => {
    const inside = { ...ctx, db }
    const codes = await codesForFirst(inside, userId)
    const sealed = seal(currentKey(ctx.config).secret, PURPOSE, secret)
    await queries.saveTotp(db, { userId, secret: sealed, lastStep, createdAt: new Date(now) })
    await tellOfFactors(inside, { userId, kind: 'totpAdded' })
    return codes
  })
  await ctx.live.put(setUpKey(userId), null, 0)
  return made
}

/** With the first factor come codes for when it is lost. */
async function codesForFirst(inside: Ctx, userId: UserId): Promise<string[]> {
  const { factors } = await meansOf(inside, userId)
  return factors.length > 0 ? [] : await makeCodes(inside, userId)
}

export async function makeCodes(inside: Ctx, userId: UserId): Promise<string[]> {
  const codes = newRecoveryCodes()
  const hashes = codes.flatMap((code) => recoveryHash(currentKey(inside.config).secret, userId, code) ?? [])
  await queries.replaceCodes(inside.db, userId, hashes)
  return codes
}

/** What is left when one factor was removed: without any, the recovery codes go, too. */
export async function removed(
  inside: Ctx,
  { userId, kind, name = '' }: { userId: UserId; kind: 'totpRemoved' | 'passkeyRemoved'; name?: string },
): Promise<void> {
  if ((await meansOf(inside, userId)).factors.length === 0) await queries.replaceCodes(inside.db, userId, [])
  await tellOfFactors(inside, { userId, kind, name })
}

const SEALED_AT_ONCE = 200

/** Seals the keys of apps anew that another key than the current one has sealed. What nobody can open stays as it is. */
export async function sealAnew(ctx: Pick<Ctx, 'db' | 'config'>): Promise<void> {
  const { secret: current } = currentKey(ctx.config)
  let after: UserId = NO_ID
  for (;;) {
    const rows = await queries.totpAfter(ctx.db, after, SEALED_AT_ONCE)
    for (const row of rows) {
      after = row.userId
      if (opened([current], row.secret) !== null) continue
      const plain = opened(secretsOf(ctx), row.secret)
      if (plain !== null) await queries.replaceTotp(ctx.db, row, seal(current, PURPOSE, plain))
    }
    if (rows.length < SEALED_AT_ONCE) return
  }
}

function opened(secrets: readonly string[], sealed: string): string | null {
  try {
    return unseal(secrets, PURPOSE, sealed)
  } catch {
    return null
  }
}
