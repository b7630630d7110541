import type { Checkout } from '@vigil/contract/shop/payments.ts'
import type { Plans } from '../../../brands/plans.ts'
import type { Deal, Line, Order } from '../../../engines/billing/index.ts'
import { type Limit, spend } from '../../../http/limits.ts'
import { text } from '../../../http/texts.ts'
import type { UserId } from '../../../lib/id.ts'
import { newToken } from '../../../lib/signing.ts'
import { type PaidOffer, paidOfferOf } from '../coupons/index.ts'
import { plansOf } from '../entitlements/index.ts'
import { mayBuy } from '../subscriptions/index.ts'
import { dealOf, firstOffOf, printersOf, type Wish } from './deals.rules.ts'
import type { Shop } from './payments.jobs.ts'
import * as queries from './payments.queries.ts'
import { asking, Refusal } from './refusals.ts'

/** Each try makes something at the provider. */
const TRIES: Limit = { name: 'checkout', tries: 30, windowMs: 3_600_000 }
/** A page on which one pays is open for so long. */
const OPEN_MS = 3_600_000

/** Who buys: from where, in which language. */
export interface Buyer {
  readonly userId: UserId
  readonly language: 'en' | 'zh'
  /** This server's address, as the buyer sees it. */
  readonly home: string
}

export const backTo = (home: string, word: string) =>
  `${home}/user_preferences/subscription/?${new URLSearchParams({ checkout: word }).toString()}`

/** What stands on a bill, in the buyer's language; what costs nothing does not. */
export function linesOf({ label }: Plans, { cents, printers, cycle }: Deal, language: 'en' | 'zh'): Line[] {
  const say = (key: string, params: Record<string, string | number>) =>
    text('payments-server', `line.${key}`, params).in(language)
  const period = text('payments-server', `period.${cycle}`).in(language)
  const lines: Line[] = [
    { what: 'base', name: say('base', { label, period }), cents: cents.base },
    { what: 'printers', name: say('printers', { count: printers - 1 }), cents: cents.printers },
    { what: 'pack', name: say('pack', {}), cents: cents.pack },
  ]
  return lines.filter((line) => line.cents > 0 || line.what === 'base')
}

export interface PlanAsked {
  readonly plan: string
  readonly annual: boolean
  readonly printers: string | number
  readonly dhpack_level: string | number
  readonly coupon: string
}

/** A page on which a plan is bought. Raises `Refusal`, 429. */
export async function openPlanCheckout(shop: Shop, buyer: Buyer, asked: PlanAsked): Promise<Checkout> {
  const { owner, plans } = await begin(shop, buyer)
  if (asked.plan !== 'pro') throw new Refusal('invalid_plan')
  const printers = printersOf(plans, asked.printers)
  if (printers === null) throw new Refusal('invalid_printers')
  const cycle = asked.annual ? 'annual' : 'monthly'
  const wish: Wish = { cycle, printers, packLevel: String(asked.dhpack_level) }
  const coupon = await couponOf(shop, asked.coupon, {
    userId: buyer.userId,
    brand: owner.brand,
    months: plans.cycles[cycle].months,
  })
  const terms = coupon ? { planId: coupon.offer.plan_id, percentOff: coupon.offer.renewal_percent_off } : {}
  const deal = dealOf(plans, wish, terms)
  if (deal === null) throw new Refusal('invalid_plan')
  if (!(await mayBuy(shop, buyer.userId))) throw new Refusal('already_subscribed')
  await closeOpen(shop, buyer.userId)
  return await open(shop, buyer, {
    kind: 'plan',
    kept: deal,
    deal,
    lines: linesOf(plans, deal, buyer.language),
    currency: plans.currency,
    firstOffCents: coupon === null ? 0 : firstOffOf(plans, wish, coupon.offer, deal),
    email: owner.email,
    coupon: coupon && { id: coupon.couponId, code: asked.coupon },
  })
}

/** A page on which hours are bought that never expire. Raises `Refusal`, 429. */
export async function openPackCheckout(shop: Shop, buyer: Buyer, level: string | number): Promise<Checkout> {
  const { owner, plans } = await begin(shop, buyer)
  const prepaid = plans.packs.find((one) => one.level === String(level))?.prepaid
  if (prepaid == null) throw new Refusal('invalid_plan')
  const { hours, cents } = prepaid
  const name = text('payments-server', 'line.hours', { hours }).in(buyer.language)
  return await open(shop, buyer, {
    kind: 'pack',
    kept: { level: String(level), hours, cents },
    deal: null,
    lines: [{ what: 'hours', name, cents }],
    currency: plans.currency,
    firstOffCents: 0,
    email: owner.email,
    coupon: null,
  })
}

async function begin(shop: Shop, { userId }: Buyer) {
  await spend(shop, { limit: TRIES, who: `u:${userId}` })
  const owner = await queries.findBuyer(shop.db, userId)
  if (!owner.isPrimaryEmailVerified) throw new Refusal('email_unverified')
  return { owner, plans: plansOf(shop, owner.brand) }
}

async function couponOf(
  shop: Shop,
  code: string,
  { userId, brand, months }: { userId: UserId; brand: string; months: number },
): Promise<PaidOffer | null> {
  if (code === '') return null
  const found = await paidOfferOf(shop, { userId, brand, code })
  if (found === null || found.offer.months !== months) throw new Refusal('invalid_coupon')
  return found
}

/** What somebody has begun to buy and not paid is let go, so that nobody pays for two plans. */
async function closeOpen(shop: Shop, userId: UserId): Promise<void> {
  for (const { id, providerId } of await queries.findOpenCheckouts(shop.db, shop.billing.name, userId)) {
    if (providerId !== null) await asking(shop.billing.close(providerId))
    await queries.updateCheckout(shop.db, id, { state: 'closed' })
  }
}

/** Who the buyer is at the provider. */
export async function customerOf(shop: Shop, userId: UserId, email: string): Promise<string> {
  const { db, billing } = shop
  const known = await queries.findCustomer(db, billing.name, userId)
  if (known !== undefined) return known
  const customer = await asking(billing.customer({ userId, email }))
  return await queries.insertCustomer(db, { userId, provider: billing.name, customer })
}

interface Opening extends Pick<Order, 'deal' | 'lines' | 'currency' | 'firstOffCents'> {
  readonly kind: 'plan' | 'pack'
  readonly kept: object
  readonly email: string
  readonly coupon: { readonly id: number | null; readonly code: string } | null
}

/** Our row first, then the provider's page: what comes of it is always known to be ours. */
async function open(shop: Shop, buyer: Buyer, opening: Opening): Promise<Checkout> {
  const { db, billing, clock } = shop
  const { userId, home, language } = buyer
  const { kind, kept, email, coupon, ...order } = opening
  const id = newToken()
  const expiresAt = new Date(clock.now() + OPEN_MS)
  const row = { id, userId, provider: billing.name, kind, expiresAt, createdAt: new Date(clock.now()) }
  const used = { couponId: coupon?.id ?? null, code: coupon?.code ?? null }
  if (!(await queries.insertCheckout(db, { ...row, ...used, deal: JSON.stringify(kept) })))
    throw new Refusal('invalid_coupon')
  const giveUp = async (error: unknown): Promise<never> => {
    await queries.updateCheckout(db, id, { state: 'closed' })
    throw error
  }
  const ways = { home, returnTo: `${home}/ent/checkout/${id}/`, cancelTo: backTo(home, 'left') }
  const customerId = await customerOf(shop, userId, email).catch(giveUp)
  const page = await asking(
    billing.open({ ...order, ...ways, checkoutId: id, customerId, language, expiresAt }),
  ).catch(giveUp)
  await queries.updateCheckout(db, id, { theirs: page.id })
  return { url: page.url, id: page.id, expires_at: expiresAt.toISOString() }
}

/** A page on which means of payment are changed. Raises `Refusal` for who has never bought anything. */
export async function openPortal(shop: Shop, { userId, home }: Buyer) {
  await spend(shop, { limit: TRIES, who: `u:${userId}` })
  const customerId = await queries.findCustomer(shop.db, shop.billing.name, userId)
  if (customerId === undefined) throw new Refusal('no_customer')
  const way = { home, returnTo: `${home}/user_preferences/subscription/` }
  const { url, expiresAt } = await asking(shop.billing.portal(customerId, way))
  return { url, access_url: url, expires_at: expiresAt.toISOString() }
}
