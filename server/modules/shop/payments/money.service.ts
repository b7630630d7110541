import type { Ctx } from '../../../ctx.ts'
import type { Paid } from '../../../engines/billing/index.ts'
import type { UserId } from '../../../lib/id.ts'
import { credit, takeBack } from '../hours/index.ts'
import type { Shop } from './payments.jobs.ts'
import * as queries from './payments.queries.ts'

/** What money was for. */
interface Bought {
  readonly userId: UserId
  readonly what: 'plan' | 'pack'
  /** The provider's subscription, or our checkout. */
  readonly boughtBy: string
  /** Of a pack. */
  readonly hours: number
}

type Inside = Ctx & Pick<Shop, 'billing'>

/** Writes down money that came and all that went back of it, each once, and the hours that come and go with it. In the caller's transaction. */
export async function bookPaid(ctx: Inside, paid: Paid, bought: Bought): Promise<void> {
  const { userId, what, boughtBy, hours } = bought
  const provider = ctx.billing.name
  const createdAt = new Date(ctx.clock.now())
  const shared = { userId, provider, what, boughtBy, currency: paid.currency, createdAt }
  const isNew = await queries.insertPayment(ctx.db, {
    ...shared,
    providerId: paid.id,
    kind: 'payment',
    cents: paid.cents,
    taxCents: paid.taxCents,
    occurredAt: paid.at,
  })
  const of = isNew ?? (await queries.findPayment(ctx.db, provider, paid.id))?.id
  if (of === undefined) return
  const pack = { userId, reason: 'prepaid', bucket: 'earned', hours } as const
  if (isNew !== undefined && hours > 0)
    await credit(ctx, { ...pack, kind: 'purchase', key: `pack:${boughtBy}` })
  let given = 0
  let isMore = false
  for (const refund of paid.refunds) {
    given += refund.cents
    const booked = await queries.insertPayment(ctx.db, {
      ...shared,
      providerId: refund.id,
      kind: 'refund',
      ofPayment: of,
      cents: -refund.cents,
      taxCents: paid.cents === 0 ? 0 : -Math.round((paid.taxCents * refund.cents) / paid.cents),
      occurredAt: refund.at,
    })
    isMore ||= booked !== undefined
  }
  // All of it went back: so do the hours, as far as they are there now; those that are bought later stay.
  if (hours > 0 && isMore && given >= paid.cents)
    await takeBack(ctx, { ...pack, reason: 'refunded', kind: 'adjustment', key: `pack-back:${boughtBy}` })
}
