import { timingSafeEqual } from 'node:crypto'
import type { Id, UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { AppError, forbidden, invalid } from '../../../http/errors.ts'
import type { Edge } from '../../../http/edge.ts'
import { byAddress, byGuess, forgive, rememberKnown, spend, spendOnFailure } from '../../../http/limits.ts'
import type { Browser } from '../../../http/session-cookie.ts'
import { text } from '../../../http/texts.ts'
import { inTransaction } from '../../../engines/db/transaction.ts'
import { beginPlan } from '../../shop/subscriptions/index.ts'
import { confirmPrimary } from '../emails/index.ts'
import { requireMail, sendMail } from '../mail/index.ts'
import { requireUnbreached } from '../passwords/breached.service.ts'
import { checkChosen } from '../passwords/chosen.service.ts'
import { hashPassword, isPassword } from '../passwords/passwords.hash.ts'
import * as queries from '../users/users.queries.ts'
import { isForeignHash } from '../../../lib/foreign-hash.ts'
import { hashOf, newToken } from '../../../lib/signing.ts'
import { accountKey, LIMITS } from '../users/users.rules.ts'
import { enter } from '../factors/entering.service.ts'
import { type Opened, openSession, placeOf } from '../sessions/opening.service.ts'
import { announceEnd, forgetKnown } from '../sessions/sessions.ts'
import { signedUpAgain } from '../passwords/passwords.mails.ts'

const say = (key: string, params?: Record<string, string>) => text('accounts-server', key, params)
/** As long as the link of a sign-up works. */
const SEEMING_MS = 3 * 86_400_000

/**
 * Signs in with a password. Unknown, disabled and password-less accounts take the same time and get the same
 * answer as a wrong password (docs/rules/people.md 3).
 */
export async function signIn(
  ctx: Ctx,
  args: { brand: string; email: string; password: string; remember: boolean; edge: Edge; browser: Browser },
): Promise<Opened> {
  const account = accountKey(args)
  const { address } = args.edge
  const place = await placeOf(ctx, args, args)
  await spend(ctx, ...byAddress(LIMITS.login, place))
  const limits = { here: LIMITS.failedHere, place: LIMITS.failedAddress, all: LIMITS.failedAccount }
  const { here, guards } = await byGuess(ctx, limits, { who: account, place, address })
  const user = await spendOnFailure(ctx, guards, async () => {
    const found = await queries.findUserByEmail(ctx.db, args)
    const [matches, seems] = await Promise.all([
      isPassword(found?.passwordHash ?? null, args.password),
      seemsNew(ctx, args),
    ])
    return found?.isActive && matches ? found : seems ? 'seeming' : null
  })
  if (user === null) {
    ctx.log.info({ way: 'password', address }, 'a sign-in was refused')
    throw invalid({ non_field_errors: say('wrongCredentials') })
  }
  if (user === 'seeming') throw confirmFirst(args.email)
  await Promise.all([forgive(ctx, here), rememberKnown(ctx, account, address)])
  if (user.passwordHash !== null && isForeignHash(user.passwordHash)) {
    const hashes = { before: user.passwordHash, passwordHash: await hashPassword(args.password) }
    await queries.rehash(ctx.db, user.id, hashes, new Date(ctx.clock.now()))
  }
  await requireConfirmed(ctx, user)
  return enter(ctx, { ...args, user })
}

/** Where addresses are confirmed first, whoever has not is sent the link, and refused with a word that pages know. */
export async function requireConfirmed(
  ctx: Ctx,
  { id, email, isPrimaryEmailVerified }: queries.UserRow,
): Promise<void> {
  if (!isMandatory(ctx) || isPrimaryEmailVerified) return
  await confirmPrimary(ctx, id)
  throw confirmFirst(email)
}

const isMandatory = ({ config }: Pick<Ctx, 'config'>) => config.ACCOUNT_EMAIL_VERIFICATION === 'mandatory'

/** An address that belongs to an account, and the password that somebody else would have given it. */
export class AddressTaken extends AppError {
  readonly passwordHash: string | null
  constructor(passwordHash: string | null) {
    super(400, { email: [say('emailTaken')] })
    this.passwordHash = passwordHash
  }
}

const confirmFirst = (email: string) =>
  new AppError(403, { detail: say('confirmFirst', { email }), reason: 'email_unverified' })

const seemingKey = (whose: Parameters<typeof accountKey>[0]) => `sign-up:${accountKey(whose)}`

/**
 * Where addresses are confirmed before anybody is let in, whoever signs up a taken one is answered as for a new one, then and when
 * they sign in with that password, in the same time; its owner alone is told, by mail (docs/rules/people.md 5).
 */
async function seemNew(
  ctx: Ctx,
  { brand, email }: { brand: string; email: string },
  { passwordHash }: AddressTaken,
): Promise<never> {
  await noteSeeming(ctx, { brand, email, passwordHash })
  const owner = await queries.findResetAddress(ctx.db, { brand, email })
  if (owner?.verified === false) await confirmPrimary(ctx, owner.userId)
  else if (owner !== undefined)
    await ctx.db.transaction().execute(async (db) => {
      const { userId, email: to } = owner
      const key = `signed-up-again:${owner.id}:${Math.floor(ctx.clock.now() / 86_400_000)}`
      await sendMail({ ...ctx, db }, { userId, to, template: signedUpAgain, data: { email: to }, key })
    })
  throw confirmFirst(email)
}

async function noteSeeming(
  ctx: Ctx,
  { passwordHash, ...whose }: { brand: string; email: string; passwordHash: string | null },
): Promise<void> {
  if (isMandatory(ctx)) await ctx.live.put(seemingKey(whose), passwordHash, SEEMING_MS)
}

/** Whether this address has just been signed up with this password, be it taken or not. */
async function seemsNew(
  ctx: Ctx,
  { password, ...whose }: { brand: string; email: string; password: string },
): Promise<boolean> {
  const hash = isMandatory(ctx) ? await ctx.live.get(seemingKey(whose)) : null
  return hash !== null && (await isPassword(String(hash), password))
}

/** Who wants an account, and from where. */
interface NewAccount {
  brand: string
  email: string
  password: string
  language: 'en' | 'zh'
  edge: Edge
  browser: Browser
}

/** Creates an account where the operator allows it, sends the link that confirms its address, and signs in. */
export async function signUp(ctx: Ctx, args: NewAccount): Promise<Opened> {
  if (!ctx.config.ACCOUNT_ALLOW_SIGN_UP) throw new AppError(403, { detail: say('signUpClosed') })
  await spend(ctx, ...byAddress(LIMITS.signUp, args.edge.address))
  // Nobody is told of a link that can't be sent.
  if (isMandatory(ctx)) await requireMail(ctx)
  await requireUnbreached(ctx, 'password', args.password)
  const user = await addUser(ctx, { ...args, isAdmin: false }).catch(async (error: unknown) => {
    if (error instanceof AddressTaken && isMandatory(ctx)) return await seemNew(ctx, args, error)
    throw error
  })
  await noteSeeming(ctx, user)
  await requireConfirmed(ctx, user)
  await confirmPrimary(ctx, user.id)
  return openSession(ctx, { ...args, user, remember: true })
}

export async function addUser(
  ctx: Ctx,
  args: {
    brand: string
    email: string
    /** Null: they sign in another way. */
    password: string | null
    isAdmin: boolean
    language: 'en' | 'zh'
    /** The operator vouches for the address where one must be confirmed: nobody is to be locked out by a mail server. */
    byOperator?: boolean
    /** Who signs them in has seen that the address is theirs. */
    isVerified?: boolean
  },
): Promise<queries.UserRow> {
  const { brand, email, isAdmin: isStaff, language } = args
  const isPrimaryEmailVerified = args.isVerified ?? (isMandatory(ctx) && args.byOperator === true)
  if (args.password !== null) await checkChosen(ctx, 'password', { password: args.password, email })
  const passwordHash = args.password === null ? null : await hashPassword(args.password)
  const now = new Date(ctx.clock.now())
  const { db } = ctx
  const made = { brand, email, passwordHash, isStaff, language, isPrimaryEmailVerified, now }
  const user = await inTransaction(db, async (tx) => {
    if (await queries.isConfirmedBySome(tx, { brand, email })) return undefined
    const inserted = await queries.insertUser(tx, made)
    if (inserted === undefined || !ctx.config.IS_ENT) return inserted
    await beginPlan({ ...ctx, db: tx }, inserted, args.byOperator === true)
    return await queries.findUser(tx, inserted.id)
  })
  if (user === undefined) throw new AddressTaken(passwordHash)
  return user
}

/** Creates the first account, an administrator's, with the one-time link. */
export async function setUp(ctx: Ctx, args: NewAccount & { token: string }): Promise<Opened> {
  await spend(ctx, ...byAddress(LIMITS.setUp, args.edge.address))
  await requireUnbreached(ctx, 'password', args.password)
  const user = await ctx.db.transaction().execute(async (db) => {
    const stored = await queries.lockSetupHash(db)
    const given = hashOf(args.token)
    const matches = stored !== null && timingSafeEqual(Buffer.from(stored, 'hex'), given)
    if (!matches || (await queries.hasUsers(db))) throw new AppError(403, { detail: say('setUpLinkUsed') })
    await queries.deleteSetupHash(db)
    return addUser({ ...ctx, db }, { ...args, isAdmin: true, byOperator: true })
  })
  return openSession(ctx, { ...args, user, remember: true })
}

/**
 * The path of the one-time link for the first account; null once there is an account. A new link replaces the
 * one before; `VIGIL_SETUP_TOKEN` keeps it the same on every node and start.
 */
export async function ensureSetupLink(ctx: Ctx): Promise<string | null> {
  if (await queries.hasUsers(ctx.db)) return null
  const token = ctx.config.VIGIL_SETUP_TOKEN ?? newToken()
  await queries.saveSetupHash(ctx.db, hashOf(token).toString('hex'))
  return `/setup/?token=${encodeURIComponent(token)}`
}

/** Ends one session: this browser is signed out, its sockets close. */
export async function signOut(ctx: Ctx, sessionId: Id<'sessions'>): Promise<void> {
  await queries.deleteSession(ctx.db, sessionId)
  announceEnd(ctx, [sessionId])
}

/** Changes what users may change of themselves. */
export async function changeMe(
  ctx: Ctx,
  userId: UserId,
  changes: queries.UserChanges,
): Promise<queries.UserRow> {
  const user = await queries.changeUser(ctx.db, userId, changes, new Date(ctx.clock.now()))
  if (user === undefined) throw forbidden()
  if (changes.language !== undefined) forgetKnown(ctx)
  return user
}
