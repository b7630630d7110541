import type { PasskeyAnswer } from '@vigil/contract/people/factors.ts'
import { z } from 'zod'
import type { Ctx } from '../../../ctx.ts'
import type { Edge } from '../../../http/edge.ts'
import { AppError, invalid } from '../../../http/errors.ts'
import { byAddress, spend, spendOnFailure } from '../../../http/limits.ts'
import type { Browser } from '../../../http/session-cookie.ts'
import { text } from '../../../http/texts.ts'
import { idOf, type UserId } from '../../../lib/id.ts'
import { meansOf } from '../proof/proof.service.ts'
import { type Opened, openSession, placeOf } from '../sessions/opening.service.ts'
import { findUser, type UserRow } from '../users/users.queries.ts'
import { digestOf, newToken } from '../../../lib/signing.ts'
import { LIMITS } from '../users/users.rules.ts'
import { deleteReset } from './factors.queries.ts'
import { type Shown, showFactor } from './factors.service.ts'
import { passkeyOf } from './passkeys.service.ts'

const say = (key: string) => text('security-server', key)
/** So long the second step may take. */
const TICKET_MS = 10 * 60_000
const held = z.object({ userId: idOf<'users'>(), remember: z.boolean(), password: z.string() })

const keyOf = (ticket: string) => `sign-in:${digestOf(ticket)}`
/** Another password since, and the ticket is worth nothing. */
const passwordIn = ({ passwordHash }: UserRow) => digestOf(passwordHash ?? '')

interface From {
  readonly edge: Edge
  readonly browser: Browser
}

/**
 * The way in for whoever has shown who they are once: a session, or, where the account has a second factor, a 403 with a ticket for
 * the second step.
 */
export async function enter(ctx: Ctx, args: From & { user: UserRow; remember: boolean }): Promise<Opened> {
  const { user, remember } = args
  const { factors } = await meansOf(ctx, user.id)
  if (factors.length === 0) return await openSession(ctx, args)
  const ticket = newToken()
  const kept = { userId: user.id, remember, password: passwordIn(user) }
  await ctx.live.put(keyOf(ticket), JSON.stringify(kept), TICKET_MS)
  throw new AppError(403, { detail: say('secondStep'), reason: 'second_factor', ticket, factors })
}

async function heldBy(ctx: Ctx, ticket: string): Promise<{ user: UserRow; remember: boolean } | null> {
  const kept = await ctx.live.get(keyOf(ticket))
  if (kept === null) return null
  const { userId, remember, password } = held.parse(JSON.parse(kept.toString()))
  const user = await findUser(ctx.db, userId)
  return user?.isActive && passwordIn(user) === password ? { user, remember } : null
}

/** Whose second step it is; null for a ticket that is worth nothing. */
export const holderOf = async (ctx: Ctx, ticket: string): Promise<UserId | null> =>
  (await heldBy(ctx, ticket))?.user.id ?? null

/** The second step. Raises 400 for a wrong factor or an old ticket, 429. */
export async function enterByFactor(
  ctx: Ctx,
  { ticket, shown, ...from }: From & { ticket: string; shown: Shown },
): Promise<Opened> {
  const found = await heldBy(ctx, ticket)
  const place = found ? await placeOf(ctx, { userId: found.user.id }, from) : from.edge.address
  await spend(ctx, ...byAddress(LIMITS.login, place))
  if (found === null) throw invalid({ ticket: say('ticketOver') })
  const userId = found.user.id
  if (!(await showFactor(ctx, { userId, edge: from.edge, place, shown })))
    throw invalid({ code: say('wrongCode') })
  // Each ticket lets in once.
  if ((await ctx.live.take(keyOf(ticket))) === null) throw invalid({ ticket: say('ticketOver') })
  return await openSession(ctx, { ...from, ...found })
}

/** Signs in with a passkey alone, which has asked for a finger or a PIN: that is two factors. Raises 400, 429. */
export async function enterByPasskey(
  ctx: Ctx,
  { answer, remember, ...from }: From & { answer: PasskeyAnswer; remember: boolean },
): Promise<Opened> {
  const { address } = from.edge
  await spend(ctx, ...byAddress(LIMITS.login, address))
  const user = await spendOnFailure(ctx, byAddress(LIMITS.factorAddress, address), async () => {
    const passkey = await passkeyOf(ctx, answer, { edge: from.edge, isAlone: true })
    const found = passkey === null ? undefined : await findUser(ctx.db, passkey.userId)
    return found?.isActive ? found : null
  })
  if (user === null) {
    ctx.log.info({ way: 'passkey', address }, 'a sign-in was refused')
    throw invalid({ non_field_errors: say('wrongPasskey') })
  }
  await deleteReset(ctx.db, user.id)
  return await openSession(ctx, { ...from, user, remember })
}
