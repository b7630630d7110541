import type { Ctx } from '../../../ctx.ts'
import type { Paid } from '../../../engines/billing/index.ts'
import type { UserId } from '../../../lib/id.ts'
import { credit, takeBack, undo } from '../hours/index.ts'
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
  const pack = { userId, bucket: 'earned' } as const
  if (isNew !== undefined && hours > 0)
    await credit(ctx, { ...pack, hours, reason: 'prepaid', kind: 'purchase', key: `pack:${boughtBy}` })
  const newest = await bookRefunds(ctx, paid, { ...shared, kind: 'refund', ofPayment: of })
  if (hours <= 0) return
  const change = { ...pack, kind: 'adjustment' } as const
  const given = paid.refunds.reduce((sum, one) => (one.hasFailed ? sum : sum + one.cents), 0)
  const isBack = given >= paid.cents
  if (isBack && newest === null) return
  // What went with a refund that failed comes again, also where the next one was heard of with it: they go once.
  for (const { id } of paid.refunds)
    await undo(ctx, { ...change, reason: 'refund_failed', of: `pack-back:${id}`, key: `pack-again:${id}` })
  // All of it went back: so do the hours, as far as they are there now; those that are bought later stay.
  if (isBack && newest !== null)
    await takeBack(ctx, { ...change, hours, reason: 'refunded', key: `pack-back:${newest}` })
}

type Shared = Omit<
  Parameters<typeof queries.insertPayment>[1],
  'providerId' | 'cents' | 'taxCents' | 'occurredAt'
>

/** Each refund, and each that failed after all, has a row; answers the last that is new and has gone. */
async function bookRefunds(ctx: Inside, paid: Paid, shared: Shared): Promise<string | null> {
  let newest: string | null = null
  for (const { id, cents, at, hasFailed } of paid.refunds) {
    const taxCents = paid.cents === 0 ? 0 : Math.round((paid.taxCents * cents) / paid.cents)
    const went = { ...shared, providerId: id, cents: -cents, taxCents: -taxCents, occurredAt: at }
    if ((await queries.insertPayment(ctx.db, went)) !== undefined && !hasFailed) newest = id
    if (!hasFailed) continue
    const came = { ...shared, providerId: `${id}:failed`, cents, taxCents, occurredAt: shared.createdAt }
    if ((await queries.insertPayment(ctx.db, came)) !== undefined)
      ctx.log.warn({ refund: id }, 'a refund has failed: the money is here again')
  }
  return newest
}
