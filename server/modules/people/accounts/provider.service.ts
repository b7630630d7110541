import { type Factor, factor } from '@vigil/contract/people/proof.ts'
import { z } from 'zod'
import type { Ctx } from '../../../ctx.ts'
import type { Edge } from '../../../http/edge.ts'
import { AppError } from '../../../http/errors.ts'
import type { Browser } from '../../../http/session-cookie.ts'
import type { Provider } from '../../../lib/providers.ts'
import { enter } from '../factors/entering.service.ts'
import { findIdentity, insertIdentity, noteIdentityUse } from '../identities/identities.queries.ts'
import { connectHeld, holdLink } from '../identities/identities.service.ts'
import { type Identity, ProviderTrouble } from '../identities/providers.service.ts'
import type { Opened } from '../sessions/opening.service.ts'
import { changeUser, findResetAddress, findUser, type UserRow } from '../users/users.queries.ts'
import { AddressTaken, addUser, requireConfirmed } from './accounts.service.ts'

/** In; or what is wanted first: the second factor, or the password of the account that has the address. */
export type Entered =
  | { readonly kind: 'in'; readonly opened: Opened }
  | {
      readonly kind: 'step'
      readonly ticket: string
      readonly factors: readonly Factor[]
      readonly link: string | null
    }
  | { readonly kind: 'password'; readonly link: string }

interface Coming {
  readonly provider: Provider
  readonly identity: Identity
  readonly brand: string
  readonly language: 'en' | 'zh'
  readonly edge: Edge
  readonly browser: Browser
  /** A word that this browser alone has. */
  readonly word: string
}

/**
 * Lets in whom a provider has identified (docs/rules/people.md 11): who is connected; who has an account with the address, if both we
 * and the provider have seen that it is theirs; else a new account, where the operator allows it. Raises `ProviderTrouble`.
 */
export async function enterByProvider(ctx: Ctx, coming: Coming): Promise<Entered> {
  const { identity, brand, provider } = coming
  const known = await findIdentity(ctx.db, { brand, ...identity })
  if (known !== undefined) {
    const user = await findUser(ctx.db, known.userId)
    const entered = await letIn(ctx, coming, { user, link: null })
    await noteIdentityUse(ctx.db, known.id, new Date(ctx.clock.now()))
    return entered
  }
  const { email } = identity
  if (email === null) throw new ProviderTrouble('noEmail')
  const address = await findResetAddress(ctx.db, { brand, email })
  const hold = async () =>
    await holdLink(ctx, {
      browser: coming.word,
      userId: address?.userId ?? null,
      provider: provider.id,
      identity,
    })
  // Answered alike whether there is such an account: an address that nobody has seen is anybody's.
  if (!identity.isVerified) return { kind: 'password', link: await hold() }
  if (address === undefined)
    return await letIn(ctx, coming, { user: await signUp(ctx, coming, email), link: null })
  if (!address.verified) return { kind: 'password', link: await hold() }
  return await letIn(ctx, coming, { user: await findUser(ctx.db, address.userId), link: await hold() })
}

async function letIn(
  ctx: Ctx,
  { edge, browser, word }: Coming,
  { user, link }: { user: UserRow | undefined; link: string | null },
): Promise<Entered> {
  if (!user?.isActive) throw new ProviderTrouble('inactive')
  try {
    await requireConfirmed(ctx, user)
    const opened = await enter(ctx, { user, remember: true, edge, browser })
    if (link !== null) await connectHeld(ctx, { user, ticket: link, browser: word })
    return { kind: 'in', opened }
  } catch (error) {
    const wanted = wantedIn(error)
    if (wanted === null) throw error
    if (wanted === 'email') throw new ProviderTrouble('unconfirmed', error)
    return { kind: 'step', ...wanted, link }
  }
}

const refusal = z.object({
  reason: z.string().optional(),
  ticket: z.string().optional(),
  factors: z.array(factor).optional(),
})

/** What a refusal at the door asks for; null: it is none. */
function wantedIn(error: unknown): { ticket: string; factors: readonly Factor[] } | 'email' | null {
  if (!(error instanceof AppError) || error.status !== 403) return null
  const told = refusal.safeParse(error.body).data
  if (told?.reason === 'email_unverified') return 'email'
  return told?.ticket === undefined ? null : { ticket: told.ticket, factors: told.factors ?? [] }
}

/** A new account, without a password; the address is confirmed, as the provider vouches for it. */
async function signUp(ctx: Ctx, coming: Coming, email: string): Promise<UserRow> {
  if (!ctx.config.ACCOUNT_ALLOW_SIGN_UP) throw new ProviderTrouble('closed')
  const { identity, provider, brand, language } = coming
  const { issuer, subject, firstName, lastName } = identity
  const now = new Date(ctx.clock.now())
  return await ctx.db
    .transaction()
    .execute(async (db) => {
      const inside = { ...ctx, db }
      const made = { brand, email, language, password: null, isAdmin: false, isVerified: true }
      const { id } = await addUser(inside, made)
      const its = { userId: id, brand, provider: provider.id, issuer, subject, email, createdAt: now }
      if (!(await insertIdentity(db, its))) throw new ProviderTrouble('taken')
      const user = await changeUser(db, id, { firstName, lastName }, now)
      if (user === undefined) throw new ProviderTrouble('inactive')
      return user
    })
    .catch((error: unknown) => {
      // The address of an account that is switched off.
      throw error instanceof AddressTaken ? new ProviderTrouble('inactive', error) : error
    })
}
