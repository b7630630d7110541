import type { Ctx } from '../../../ctx.ts'
import { actorOf } from '../../../http/acting.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import type { UserId } from '../../../lib/id.ts'
import { writeAudit } from '../../core/events/index.ts'

/** What was done to an account's household, by whom, about whom. */
export async function auditHousehold(
  ctx: Pick<Ctx, 'db' | 'clock'>,
  principal: UserPrincipal,
  ownerId: UserId,
  { action, ...detail }: { action: string; about: string | null; role?: string },
): Promise<void> {
  await writeAudit(ctx, {
    actor: 'web',
    userId: actorOf(principal),
    action: `household.${action}`,
    detail: { account: ownerId, ...detail },
  })
}
