import type { Stripe } from 'stripe'
import type { Config } from '../../config.ts'
import {
  type Billed,
  type Billing,
  BillingTrouble,
  type Change,
  type Line,
  type Order,
  type Paid,
} from './port.ts'
import { checkoutOf, dueOf, keptOf, paidBy, refundOf, subscriptionOf, toldOf } from './stripe.read.ts'
import { isMissing, isRefusal, library, told } from './stripe.library.ts'

const API = 'https://api.stripe.com'
const TIMEOUT_MS = 20_000
/** Bills that are looked at, and of how many of them it is asked what was given back. */
const BILLS = 12
const BILLS_WITH_REFUNDS = 4
/** A portal's page is gone some minutes after it was asked for. */
const PORTAL_MS = 5 * 60_000

interface Keys {
  readonly key: string
  readonly secret: string
}

interface Asked {
  readonly stripe: Stripe
  readonly withTax: boolean
}

/** Stripe, by its own library, Checkout and Customer Portal: no card is seen here, no script of theirs loaded (docs/decisions/0023). */
export function openStripe(config: Config, { key, secret }: Keys): Billing {
  const standIn = config.OUTGOING_STAND_INS.get(API)
  const place = new URL(standIn ?? API)
  const Client = library()
  const stripe = new Client(key, {
    host: place.hostname,
    port: place.port === '' ? 443 : Number(place.port),
    protocol: place.protocol === 'http:' ? 'http' : 'https',
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 2,
    telemetry: false,
  })
  const asked: Asked = { stripe, withTax: config.STRIPE_TAX }
  return {
    name: 'stripe',
    ...bought(asked),
    ...running(asked),
    ...money(asked),
    read: (raw, headers) => {
      const signature = headers['stripe-signature']
      try {
        const signed = typeof signature === 'string' ? signature : ''
        return toldOf(stripe.webhooks.constructEvent(raw, signed, secret))
      } catch (error) {
        throw new BillingTrouble('forged', error)
      }
    },
    since: (at, most) =>
      told(async () => {
        const seconds = Math.floor(at.getTime() / 1000)
        const all = await stripe.events
          .list({ created: { gte: seconds }, limit: 100 })
          .autoPagingToArray({ limit: most })
        return all.map(toldOf).toReversed()
      }),
  }
}

/** Things that are sold, by numbers of ours: each made once. */
const PRODUCTS = {
  base: 'Plan',
  printers: 'Printers',
  pack: 'AI Detection Hours',
  hours: 'AI Detection Hours',
}

async function product({ stripe }: Asked, { what }: Line): Promise<string> {
  const id = `vigil_${what}`
  await stripe.products.retrieve(id).catch(async (error: unknown) => {
    if (!isRefusal(error)) throw error
    await stripe.products.create({ id, name: PRODUCTS[what] }, { idempotencyKey: `product:${id}` })
  })
  return id
}

const priceOf = async (asked: Asked, line: Line, currency: string) => ({
  currency: currency.toLowerCase(),
  product: await product(asked, line),
  unit_amount: line.cents,
})
const every = (months: number) => ({ interval: 'month' as const, interval_count: months })

const items = async (asked: Asked, lines: readonly Line[], currency: string, months: number | null) =>
  await Promise.all(
    lines.map(async (line) => ({
      quantity: 1,
      price_data: {
        ...(await priceOf(asked, line, currency)),
        ...(months !== null && { recurring: every(months) }),
      },
    })),
  )

const bought = (asked: Asked) => ({
  customer: ({ userId, email }: { userId: number; email: string }) =>
    told(async () => {
      const account = { email, metadata: { account: String(userId) } }
      const { id } = await asked.stripe.customers.create(account, {
        idempotencyKey: `customer:${userId}:${email}`,
      })
      return id
    }),
  open: (order: Order) => told(async () => await openCheckout(asked, order)),
  checkout: (id: string) =>
    told(async () => {
      const { paymentId, taxCents, ...now } = checkoutOf(await asked.stripe.checkout.sessions.retrieve(id))
      const paid = paymentId === null ? null : { ...(await paymentOf(asked, paymentId)), taxCents }
      return { ...now, paid }
    }),
  close: (id: string) =>
    told(async () => {
      const { status } = await asked.stripe.checkout.sessions.retrieve(id)
      if (status === 'open') await asked.stripe.checkout.sessions.expire(id)
    }),
  portal: (customer: string, { returnTo }: Pick<Order, 'returnTo'>) =>
    told(async () => {
      const session = await asked.stripe.billingPortal.sessions.create({ customer, return_url: returnTo })
      return { url: session.url, expiresAt: new Date(session.created * 1000 + PORTAL_MS) }
    }),
})

async function openCheckout(asked: Asked, order: Order): Promise<{ id: string; url: string }> {
  const { stripe, withTax } = asked
  const { checkoutId, deal, currency } = order
  const off =
    order.firstOffCents === 0
      ? null
      : await stripe.coupons.create(
          { amount_off: order.firstOffCents, currency: currency.toLowerCase(), duration: 'once' },
          { idempotencyKey: `coupon:${checkoutId}` },
        )
  const kept = deal && keptOf({ checkout: checkoutId, deal, next: null })
  const session = await stripe.checkout.sessions.create(
    {
      mode: deal === null ? 'payment' : 'subscription',
      customer: order.customerId,
      client_reference_id: checkoutId,
      line_items: await items(asked, order.lines, currency, deal?.months ?? null),
      ...(off && { discounts: [{ coupon: off.id }] }),
      ...(kept && { subscription_data: { metadata: kept } }),
      ...(withTax && { automatic_tax: { enabled: true }, customer_update: { address: 'auto' } }),
      locale: order.language,
      expires_at: Math.floor(order.expiresAt.getTime() / 1000),
      success_url: order.returnTo,
      cancel_url: order.cancelTo,
    },
    { idempotencyKey: `checkout:${checkoutId}` },
  )
  if (session.url === null) throw new BillingTrouble('refused')
  return { id: session.id, url: session.url }
}

const running = (asked: Asked) => ({
  subscription: (id: string) => told(async () => await billedOf(asked, id)),
  preview: (change: Change) =>
    told(async () => {
      if (change.from !== 'now') return { cents: 0, taxCents: 0, lines: [] }
      const wanted = await itemsOf(asked, change)
      const bill = await asked.stripe.invoices.createPreview({
        subscription: change.before.id,
        subscription_details: {
          items: wanted,
          proration_behavior: 'always_invoice',
          proration_date: Math.floor(change.at.getTime() / 1000),
        },
      })
      return dueOf(bill)
    }),
  change: (change: Change) => told(async () => await changeDeal(asked, change)),
  setEnding: (id: string, willEnd: boolean) =>
    told(async () => {
      const ending = willEnd ? { cancel_at_period_end: true } : { cancel_at_period_end: false }
      await asked.stripe.subscriptions.update(id, ending)
    }),
  end: (id: string) =>
    told(async () => {
      const { status } = await asked.stripe.subscriptions.retrieve(id)
      if (status !== 'canceled' && status !== 'incomplete_expired')
        await asked.stripe.subscriptions.cancel(id, { invoice_now: false, prorate: false })
    }),
})

/** What is on the subscription goes, what is wanted comes. */
async function itemsOf(asked: Asked, { before, deal, lines, from }: Change) {
  const now = await asked.stripe.subscriptions.retrieve(before.id)
  // Another interval that was planned and taken back leaves a trial to the end of what is paid, in which Stripe charges nothing for more.
  if (from === 'now' && now.status === 'trialing') throw new BillingTrouble('refused')
  const gone = now.items.data.map(({ id }) => ({ id, deleted: true }))
  const come = await Promise.all(
    lines.map(async (line) => ({
      quantity: 1,
      price_data: { ...(await priceOf(asked, line, before.currency)), recurring: every(deal.months) },
    })),
  )
  return [...gone, ...come]
}

async function changeDeal(asked: Asked, change: Change): Promise<void> {
  const { before, deal, from, at } = change
  const wanted = await itemsOf(asked, change)
  if (from === 'now')
    await asked.stripe.subscriptions.update(before.id, {
      items: wanted,
      metadata: keptOf({ checkout: before.checkoutId, deal, next: null }),
      proration_behavior: 'always_invoice',
      proration_date: Math.floor(at.getTime() / 1000),
      payment_behavior: 'error_if_incomplete',
    })
  else
    await asked.stripe.subscriptions.update(before.id, {
      items: wanted,
      metadata: keptOf({
        checkout: before.checkoutId,
        deal: before.deal,
        next: from === 'back' ? null : { deal, from: before.termEnd },
      }),
      proration_behavior: 'none',
      // Another interval would begin at once, with a bill of its own: what is paid for goes on until then.
      ...(deal.months !== before.deal.months && {
        trial_end: Math.floor(before.termEnd.getTime() / 1000),
      }),
    })
}

async function billedOf(asked: Asked, id: string): Promise<Billed> {
  const { stripe } = asked
  const now = await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })
  const bills = await stripe.invoices.list({
    subscription: id,
    status: 'paid',
    limit: BILLS,
    expand: ['data.payments'],
  })
  const payments = bills.data.flatMap(paidBy)
  const withRefunds = payments.map(async (paid, place) => ({
    ...paid,
    refunds: place < BILLS_WITH_REFUNDS ? await refundsOf(asked, paid.id) : [],
  }))
  return { ...subscriptionOf(now), payments: await Promise.all(withRefunds) }
}

const money = (asked: Asked) => ({
  forget: (customerId: string) =>
    told(async () => {
      await asked.stripe.customers.del(customerId).catch((error: unknown) => {
        if (!isMissing(error)) throw error
      })
    }),
  payment: (id: string) => told(async () => await paymentOf(asked, id)),
  refund: (paymentId: string, cents: number, key: string) =>
    told(async () => {
      await asked.stripe.refunds.create({ payment_intent: paymentId, amount: cents }, { idempotencyKey: key })
    }),
})

async function refundsOf({ stripe }: Asked, paymentId: string): Promise<Paid['refunds']> {
  const { data } = await stripe.refunds.list({ payment_intent: paymentId, limit: 20 })
  return data.map(refundOf)
}

async function paymentOf(asked: Asked, id: string): Promise<Paid> {
  const given = await asked.stripe.paymentIntents.retrieve(id)
  return {
    id,
    cents: given.amount_received,
    taxCents: 0,
    currency: given.currency.toUpperCase(),
    at: new Date(given.created * 1000),
    refunds: await refundsOf(asked, id),
  }
}
