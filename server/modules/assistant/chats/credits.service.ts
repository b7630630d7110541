import type { AiCredits } from '@vigil/contract/assistant/chats.ts'
import type { Ctx } from '../../../ctx.ts'
import { AppError } from '../../../http/errors.ts'
import { text } from '../../../http/texts.ts'
import type { UserId } from '../../../lib/id.ts'
import { userById } from '../../people/accounts/index.ts'
import type { Purse } from '../minds/minds.service.ts'
import { findCredits, giveCreditBack, takeCredit } from './chats.queries.ts'

/** Questions to a model in a month, on the free plan. */
const FREE = 50
/** More than anybody asks. */
const NO_END = 2_147_483_647

/** How many questions to a model a month has for somebody; -1: without end, as paid plans have and everybody where there are none. */
async function quotaOf(ctx: Ctx, userId: UserId): Promise<number> {
  if (!ctx.config.IS_ENT) return -1
  return (await userById(ctx, userId))?.isPro ? -1 : FREE
}

/** The credits of one request. */
export function purseOf(ctx: Ctx, userId: UserId): Purse {
  const now = () => new Date(ctx.clock.now())
  let takenAt = now()
  return {
    async take() {
      takenAt = now()
      const quota = await quotaOf(ctx, userId)
      const isTaken = await takeCredit(ctx.db, userId, { most: quota < 0 ? NO_END : quota, now: takenAt })
      if (!isTaken) throw new AppError(402, { error: text('assistant-server', 'usedUp') })
    },
    giveBack: () => giveCreditBack(ctx.db, userId, { takenAt, now: now() }),
  }
}

/** What somebody has of them, and has used. */
export async function creditsOf(ctx: Ctx, userId: UserId): Promise<AiCredits> {
  const [quota, row] = await Promise.all([quotaOf(ctx, userId), findCredits(ctx.db, userId)])
  const now = new Date(ctx.clock.now())
  const isCurrent =
    row !== undefined &&
    row.month.getTime() >= Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1) - 86_400_000
  return {
    user: userId,
    ai_credit_free_monthly_quota: quota,
    ai_credit_used_current_month: isCurrent ? row.used : 0,
    created_at: (row?.createdAt ?? now).toISOString(),
    updated_at: (row?.updatedAt ?? now).toISOString(),
  }
}
