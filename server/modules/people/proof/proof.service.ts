import type { Factor } from '@vigil/contract/people/proof.ts'
import type { Id, UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { AppError, forbidden } from '../../../http/errors.ts'
import { text } from '../../../http/texts.ts'
import { findMeans, findProof } from './proof.queries.ts'

/** For so long a session may do what is dangerous after it has shown who it is of. */
const GOOD_FOR_MS = 15 * 60_000

/** What an account can show. */
export interface Means {
  readonly hasPassword: boolean
  /** Ways to show its second factor; empty: it has none. */
  readonly factors: readonly Factor[]
  readonly codesLeft: number
}

export async function meansOf({ db }: Pick<Ctx, 'db'>, userId: UserId): Promise<Means> {
  const row = await findMeans(db, userId)
  if (row === undefined) return { hasPassword: false, factors: [], codesLeft: 0 }
  const codesLeft = Number(row.codesLeft ?? 0)
  const factors: Factor[] = []
  if (row.hasTotp) factors.push('totp')
  if (row.hasPasskey) factors.push('passkey')
  if (factors.length > 0 && codesLeft > 0) factors.push('recovery')
  return { hasPassword: Boolean(row.hasPassword), factors, codesLeft }
}

/**
 * Before what is dangerous (addresses, password, keys, factors): whose session it is was shown within fifteen minutes, at its
 * beginning or since, by a factor where there is one. Who has just given the password needs nothing more where there is none. Raises
 * 403 with what is wanted (docs/rules/people.md 10), and for an administrator who acts as somebody else in any case.
 */
export async function requireProof(
  ctx: Pick<Ctx, 'db' | 'clock'>,
  { userId, sessionId }: { readonly userId: UserId; readonly sessionId: Id<'sessions'> | null },
  { gavePassword = false } = {},
): Promise<void> {
  const session = sessionId === null ? undefined : await findProof(ctx.db, sessionId)
  const now = ctx.clock.now()
  if (session?.actingUntil != null && session.actingUntil.getTime() > now)
    throw forbidden(text('security-server', 'notWhileActing'))
  const { factors, hasPassword } = await meansOf(ctx, userId)
  if (gavePassword && factors.length === 0) return
  if (session !== undefined && now - session.at.getTime() < GOOD_FOR_MS) return
  throw new AppError(403, {
    detail: text('security-server', 'proofWanted'),
    reason: 'proof_wanted',
    factors,
    has_password: hasPassword,
  })
}
