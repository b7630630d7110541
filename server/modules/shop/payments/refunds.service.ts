import type { Payment } from '@vigil/contract/shop/payments.ts'
import type { Ctx } from '../../../ctx.ts'
import { openBilling } from '../../../engines/billing/index.ts'
import { conflict, notFound } from '../../../http/errors.ts'
import { text } from '../../../http/texts.ts'
import type { UserId } from '../../../lib/id.ts'
import { plansOf } from '../entitlements/index.ts'
import { follow } from './follow.service.ts'
import * as queries from './payments.queries.ts'
import { asking, Refusal } from './refusals.ts'

/** So many are listed. */
const LISTED = 200
const DAY_MS = 86_400_000

/** What somebody has paid and was given back, newest first. */
export async function paymentsOf(ctx: Ctx, userId: UserId): Promise<Payment[]> {
  const { brand } = await queries.findBuyer(ctx.db, userId)
  const days = plansOf(ctx, brand).refund_days
  const rows = await queries.findPayments(ctx.db, userId, LISTED)
  return rows.map((row) => present(row, days, ctx.clock.now()))
}

function present(row: queries.ListedPayment, days: number, now: number): Payment {
  const until = row.occurredAt.getTime() + days * DAY_MS
  const isOpen = row.kind === 'payment' && row.refundedCents < row.cents && until > now
  return {
    id: row.id,
    created_at: row.occurredAt.toISOString(),
    kind: row.kind,
    what: row.what,
    cents: row.cents,
    tax_cents: row.taxCents,
    currency: row.currency,
    refunded_cents: row.refundedCents,
    refundable_until: isOpen ? new Date(until).toISOString() : null,
  }
}

export interface RefundWish {
  readonly payment: number
  /** The plan that it was for ends at once. */
  readonly endPlan: boolean
}

/** Gives back all that is left of a payment, once, however often it is asked. Raises 404, 409 when the time for it is over, 503. */
export async function refundPayment(
  ctx: Ctx,
  userId: UserId,
  { payment: id, endPlan }: RefundWish,
): Promise<{ readonly cents: number; readonly currency: string }> {
  const billing = openBilling(ctx)
  const rows = await queries.findPayments(ctx.db, userId, LISTED)
  const row = rows.find((one) => one.id === id)
  if (row === undefined) throw notFound()
  if (billing?.name !== row.provider) throw new Refusal('not_set_up')
  const { brand } = await queries.findBuyer(ctx.db, userId)
  const { refundable_until: until } = present(row, plansOf(ctx, brand).refund_days, ctx.clock.now())
  if (until === null) throw conflict(text('payments-server', 'notRefundable'))
  const shop = { ...ctx, billing }
  const cents = row.cents - row.refundedCents
  // The plan first: once the money went back, nobody could ask for its end again.
  if (endPlan && row.what === 'plan') await asking(billing.end(row.boughtBy))
  await asking(billing.refund(row.providerId, cents, `refund-${row.id}-${row.refunds}`))
  await asking(follow(shop, { kind: 'payment', id: row.providerId }))
  return { cents, currency: row.currency }
}
