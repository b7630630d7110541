import type { UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { writeAudit } from '../../core/events/index.ts'
import { addressesOf } from '../emails/index.ts'
import { sendMail } from '../mail/index.ts'
import { findUser } from '../users/users.queries.ts'
import { type FactorNews, factorsChanged } from './factors.mails.ts'

/** An audit row, and a letter to every address of the account, whatever it wants to hear: a way in is another one. */
export async function tellOfFactors(
  inside: Ctx,
  { userId, kind, name = '' }: { userId: UserId; kind: FactorNews; name?: string },
): Promise<void> {
  await auditFactors(inside, userId, kind, kind === 'resetDone' ? 'system' : `user:${userId}`)
  const user = await findUser(inside.db, userId)
  if (!inside.mail.isConfigured || user === undefined) return
  const key = `factors:${userId}:${kind}:${inside.clock.now()}`
  for (const { email: to } of await addressesOf(inside, userId)) {
    const data = { email: user.email, kind, name }
    await sendMail(inside, { userId, to, template: factorsChanged, data, key: `${key}:${to}` })
  }
}

export const auditFactors = (ctx: Ctx, userId: UserId, what: string, actor: string): Promise<void> =>
  writeAudit(ctx, {
    actor,
    userId,
    action: `factors_${what}`,
  })
