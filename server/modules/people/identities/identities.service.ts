import { z } from 'zod'
import type { Ctx } from '../../../ctx.ts'
import { badRequest, notFound } from '../../../http/errors.ts'
import { text } from '../../../http/texts.ts'
import { type Id, idOf, type UserId } from '../../../lib/id.ts'
import type { Provider } from '../../../lib/providers.ts'
import { tellOfFactors } from '../factors/news.service.ts'
import { meansOf } from '../proof/proof.service.ts'
import type { UserRow } from '../users/users.queries.ts'
import { digestOf, newToken } from '../../../lib/signing.ts'
import { deleteIdentity, findIdentities, insertIdentity, lockWaysIn } from './identities.queries.ts'
import { addressAt, type Identity, newSecrets, ProviderTrouble, providerNamed } from './providers.service.ts'

/** So long somebody may take at the provider, or to prove the account. */
const FLOW_MS = 10 * 60_000

const flow = z.object({
  provider: z.string(),
  secrets: z.object({ state: z.string(), nonce: z.string(), verifier: z.string() }),
  browser: z.string(),
  next: z.string(),
  /** Whose session connects it; null: somebody signs in. */
  link: z.object({ userId: idOf<'users'>(), sessionId: idOf<'sessions'>() }).nullable(),
})
export type Flow = z.infer<typeof flow>

const flowKey = (state: string) => `provider-flow:${digestOf(state)}`

/** Begins at a provider: where the browser goes. `browser` is a word that it alone has. Raises `ProviderTrouble`. */
export async function beginFlow(
  ctx: Ctx,
  provider: Provider,
  args: {
    redirectUri: string
    browser: string
    next: string
    link: { userId: UserId; sessionId: Id<'sessions'> } | null
  },
): Promise<string> {
  const secrets = await newSecrets()
  const address = await addressAt(ctx, provider, { secrets, redirectUri: args.redirectUri })
  const { next, link } = args
  const begun: Flow = { provider: provider.id, secrets, browser: digestOf(args.browser), next, link }
  await ctx.live.put(flowKey(secrets.state), JSON.stringify(begun), FLOW_MS)
  return address
}

/** What was begun by this browser, once; null: nothing, or by another. */
export async function takeFlow(
  ctx: Ctx,
  { provider, state, browser }: { provider: string; state: string; browser: string },
): Promise<Flow | null> {
  const held = await ctx.live.take(flowKey(state))
  if (held === null) return null
  const begun = flow.parse(JSON.parse(held.toString()))
  return begun.provider === provider && begun.browser === digestOf(browser) ? begun : null
}

/** Connects it with an account. Raises `ProviderTrouble` when it is another account's. */
export async function connect(
  ctx: Ctx,
  { user, provider, identity }: { user: UserRow; provider: string; identity: Identity },
): Promise<void> {
  const { issuer, subject } = identity
  await ctx.db.transaction().execute(async (db) => {
    await lockWaysIn(db, user.id)
    const mine = await findIdentities(db, user.id)
    if (mine.some((one) => one.issuer === issuer && one.subject === subject)) return
    const made = { userId: user.id, brand: user.brand, provider, issuer, subject }
    const createdAt = new Date(ctx.clock.now())
    if (!(await insertIdentity(db, { ...made, email: identity.email ?? '', createdAt })))
      throw new ProviderTrouble('taken')
    const name = providerNamed(ctx, provider)?.name ?? provider
    await tellOfFactors({ ...ctx, db }, { userId: user.id, kind: 'identityAdded', name })
  })
}

const held = z.object({
  browser: z.string(),
  userId: idOf<'users'>().nullable(),
  provider: z.string(),
  identity: z.object({
    issuer: z.string(),
    subject: z.string(),
    email: z.string().nullable(),
    isVerified: z.boolean(),
    firstName: z.string(),
    lastName: z.string(),
  }),
})
const heldKey = (ticket: string) => `provider-link:${digestOf(ticket)}`

/** Waits to be connected until the person, in this browser, has shown that the account is theirs. */
export async function holdLink(
  ctx: Ctx,
  args: { browser: string; userId: UserId | null; provider: string; identity: Identity },
): Promise<string> {
  const ticket = newToken()
  await ctx.live.put(heldKey(ticket), JSON.stringify({ ...args, browser: digestOf(args.browser) }), FLOW_MS)
  return ticket
}

/** Connects what was held, if it was for who has signed in, in this browser. */
export async function connectHeld(
  ctx: Ctx,
  { user, ticket, browser }: { user: UserRow; ticket: string; browser: string },
): Promise<void> {
  const found = await ctx.live.take(heldKey(ticket))
  if (found === null) return
  const { provider, identity, ...waits } = held.parse(JSON.parse(found.toString()))
  if (waits.userId !== user.id || waits.browser !== digestOf(browser)) return
  await connect(ctx, { user, provider, identity }).catch((error: unknown) => {
    // Somebody else was faster: who has signed in is in all the same.
    if (!(error instanceof ProviderTrouble)) throw error
  })
}

/** Takes it out. Raises 404, and 400 where nobody could sign in any more. */
export async function disconnect(ctx: Ctx, userId: UserId, id: number): Promise<void> {
  await ctx.db.transaction().execute(async (db) => {
    await lockWaysIn(db, userId)
    const provider = await deleteIdentity(db, userId, id)
    if (provider === null) throw notFound()
    const { hasPassword, factors } = await meansOf({ db }, userId)
    const others = (await findIdentities(db, userId)).filter(
      (one) => providerNamed(ctx, one.provider) !== null,
    )
    if (!hasPassword && !factors.includes('passkey') && others.length === 0)
      throw badRequest(text('security-server', 'lastWay'))
    const name = providerNamed(ctx, provider)?.name ?? provider
    await tellOfFactors({ ...ctx, db }, { userId, kind: 'identityRemoved', name })
  })
}
