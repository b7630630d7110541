import type { Ctx } from '../../../ctx.ts'
import type { UserId } from '../../../lib/id.ts'
import { writeAudit } from '../../core/events/index.ts'

interface StaffAct {
  readonly staffId: UserId
  /** Whom it was done to; null: the server, or an account that is gone. */
  readonly userId: UserId | null
  readonly action: string
  readonly outcome?: string
  readonly detail?: Readonly<Record<string, unknown>>
}

/** Writes down what an administrator did, in the log of both: theirs, and whose account it is (docs/rules/people.md 17). */
export async function auditBoth(
  ctx: Pick<Ctx, 'db' | 'clock'>,
  { staffId, userId, action, outcome = 'done', detail }: StaffAct,
): Promise<void> {
  for (const account of new Set([staffId, userId]))
    if (account !== null)
      await writeAudit(ctx, {
        actor: 'admin',
        userId: staffId,
        action: `admin.${action}`,
        outcome,
        detail: { ...detail, account, person: userId },
      })
}
