import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import type { UserId } from '../../../lib/id.ts'
import { knownZone, shownAt } from '../../../lib/zones.ts'
import { userById } from '../../people/accounts/index.ts'
import { sendMail } from '../../people/mail/index.ts'
import { plansOf } from '../entitlements/index.ts'
import { HOURS_LOW } from '../hours/index.ts'
import { PLAN_STEP } from '../subscriptions/index.ts'
import { hoursLow, planStep } from './letters.mails.ts'

/** Tells owners by mail what becomes of their plan and their hours, each once. */
export function registerLetters(_app: FastifyInstance, ctx: Ctx): void {
  ctx.jobs.handle(PLAN_STEP, async ({ userId, step, letter, endsAt }) => {
    const user = await readerOf(ctx, userId)
    if (user === null) return
    const { label: plan, plans, most_printers: most } = plansOf(ctx, user.brand)
    const until = endsAt === null ? '' : momentFor(endsAt, user.timeZone)
    const data = planStep.schema.parse({ letter, plan, until, free: plans.free.printers ?? most })
    await sendMail(ctx, { userId, to: user.email, template: planStep, data, key: `plan-step:${step}` })
  })
  ctx.jobs.handle(HOURS_LOW, async ({ userId, what, seconds, key }) => {
    const user = await readerOf(ctx, userId)
    if (user === null) return
    const data = { what, hours: String(Math.round(seconds / 360) / 10) }
    await sendMail(ctx, { userId, to: user.email, template: hoursLow, data, key: `hours-low:${key}` })
  })
}

/** Whom there is a way to tell. */
async function readerOf(ctx: Ctx, userId: UserId) {
  const user = await userById(ctx, userId)
  return user !== undefined && user.isActive && ctx.mail.isConfigured ? user : null
}

/** As the reader's clocks show it. */
function momentFor(at: string, timeZone: string | null): string {
  const zone = knownZone(timeZone)
  return `${new Date(shownAt(Date.parse(at), zone)).toISOString().slice(0, 16).replace('T', ' ')} (${zone})`
}
