import type { AiCredits } from '@vigil/contract/assistant/chats.ts'
import type { Ctx } from '../../../ctx.ts'
import { AppError } from '../../../http/errors.ts'
import { text } from '../../../http/texts.ts'
import type { UserId } from '../../../lib/id.ts'
import { userById } from '../../people/accounts/index.ts'
import { entitlementsOf } from '../../shop/entitlements/index.ts'
import type { Purse } from '../minds/minds.service.ts'
import { findCredits, giveCreditsBack, resetCredits, spendCredit, takeCredit } from './credits.queries.ts'

/** More than anybody asks. */
const NO_END = 2_147_483_647
/** So long after the longest answer whoever asked has surely ended. */
const GRACE_MS = 60_000

/** How many questions to a model a month has for somebody, as their plan has it; -1: without end. */
async function quotaOf(ctx: Ctx, userId: UserId): Promise<number> {
  const user = await userById(ctx, userId)
  const most = user ? entitlementsOf(ctx, user).aiCreditsPerMonth : 0
  return Number.isFinite(most) ? most : -1
}

const timeOf = (ctx: Ctx) => new Date(ctx.clock.now())

/** The credits of one account. */
export const purseOf = (ctx: Ctx, userId: UserId): Purse => ({
  async take() {
    const quota = await quotaOf(ctx, userId)
    const most = quota < 0 ? NO_END : quota
    const question = await takeCredit(ctx.db, userId, { most, now: timeOf(ctx) })
    if (question === null) throw new AppError(402, { error: text('assistant-server', 'usedUp') })
    return {
      spend: () => spendCredit(ctx.db, userId, question),
      giveBack: () => giveCreditsBack(ctx.db, { userId, question }, timeOf(ctx)),
    }
  },
})

/** What somebody has of them, and has used. */
export async function creditsOf(ctx: Ctx, userId: UserId): Promise<AiCredits> {
  const [quota, row] = await Promise.all([quotaOf(ctx, userId), findCredits(ctx.db, userId)])
  const now = timeOf(ctx)
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

/** Gives back what was taken for answers that cannot come any more: the server that asked was killed. */
export async function giveLostBack(ctx: Ctx): Promise<void> {
  const askedBefore = new Date(ctx.clock.now() - ctx.config.LLM_TIMEOUT_SECONDS * 1000 - GRACE_MS)
  await giveCreditsBack(ctx.db, { askedBefore }, timeOf(ctx))
}

/** A new month brings all credits anew; each minute what was lost comes back. */
export function scheduleCredits(ctx: Ctx): void {
  ctx.jobs.schedule('ai-credits', '7 0 * * *', () => resetCredits(ctx.db, timeOf(ctx)))
  ctx.jobs.schedule('ai-questions', '* * * * *', () => giveLostBack(ctx))
}
