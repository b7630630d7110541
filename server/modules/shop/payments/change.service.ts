import type { PlanChange, PlanWish } from '@vigil/contract/shop/payments.ts'
import { type Billed, type Change, totalOf } from '../../../engines/billing/index.ts'
import { invalid, notFound, throttled } from '../../../http/errors.ts'
import { type Limit, spend } from '../../../http/limits.ts'
import { text } from '../../../http/texts.ts'
import type { UserId } from '../../../lib/id.ts'
import { writeAudit } from '../../core/events/index.ts'
import { plansOf } from '../entitlements/index.ts'
import { findRunning, NoSuchStep, presentSubscription } from '../subscriptions/index.ts'
import { linesOf } from './checkout.service.ts'
import { dealOf, isSameDeal, printersOf, startOf } from './deals.rules.ts'
import { followSubscription } from './follow.service.ts'
import type { Shop } from './payments.jobs.ts'
import * as queries from './payments.queries.ts'
import { asking, Refusal } from './refusals.ts'

/** Who has seen what a change comes to may agree for so long. */
const AGREED_MS = 30 * 60_000
/** Each look and each change asks who takes the money, several times. */
const LOOKS: Limit = { name: 'plan-preview', tries: 120, windowMs: 3_600_000 }
const CHANGES: Limit = { name: 'plan-change', tries: 30, windowMs: 3_600_000 }
/** No change takes longer, with all that is asked again. */
const CHANGING_MS = 3 * 60_000

interface Changer {
  readonly userId: UserId
  readonly language: 'en' | 'zh'
}

/** The provider's name of a plan that is paid for and in this state. Raises 409 for any other. */
function billedId(
  shop: Shop,
  row: queries.PlanRow | undefined,
  edge: 'change' | 'cancel' | 'resume',
  states: readonly string[],
): string {
  const isOurs = row?.provider === shop.billing.name && states.includes(row.state)
  if (row?.providerId != null && isOurs) return row.providerId
  throw new NoSuchStep(row === undefined || row.state === 'expired' ? 'none' : row.state, edge)
}

/** What is wanted, and how it stands beside what is. Raises `Refusal`, 409. */
async function changeOf(
  shop: Shop,
  { userId, language }: Changer,
  wish: PlanWish,
  at: Date,
): Promise<Change> {
  const { brand } = await queries.findBuyer(shop.db, userId)
  const plans = plansOf(shop, brand)
  const row = await findRunning(shop.db, userId)
  const before = await asking(shop.billing.subscription(billedId(shop, row, 'change', ['active'])))
  const printers = printersOf(plans, wish.printers)
  if (printers === null) throw new Refusal('invalid_printers')
  const wanted = { cycle: wish.billing_cycle, printers, packLevel: wish.dhpack_level }
  const deal = dealOf(plans, wanted, before.deal)
  if (deal === null) throw new Refusal('invalid_plan')
  const isBack = before.next !== null && isSameDeal(deal, before.deal)
  const from = isBack ? 'back' : startOf(plans, before.deal, deal)
  // A dearer plan is charged against what is paid for: not against what was planned to follow.
  if (from === 'now' && before.next !== null) throw new Refusal('change_planned')
  return { deal, lines: linesOf(plans, deal, language), from, at, before }
}

/** What a change comes to, to the moment. Raises `Refusal`, 409, 429. */
export async function previewChange(shop: Shop, changer: Changer, wish: PlanWish): Promise<PlanChange> {
  await spend(shop, { limit: LOOKS, who: `u:${changer.userId}` })
  const at = new Date(Math.floor(shop.clock.now() / 1000) * 1000)
  const change = await changeOf(shop, changer, wish, at)
  const { before, deal, from } = change
  const isSame = from === 'now' && isSameDeal(before.deal, deal)
  const due = isSame ? { cents: 0, taxCents: 0, lines: [] } : await asking(shop.billing.preview(change))
  return {
    currency: before.currency,
    from: from === 'renewal' ? 'renewal' : 'now',
    starts_at: (from === 'renewal' ? before.termEnd : at).toISOString(),
    due_now_cents: due.cents,
    tax_cents: due.taxCents,
    lines: due.lines.map(({ what, cents }) => ({ what: named(what, changer.language), cents })),
    next_total_cents: totalOf(deal),
    next_billing_at: nextBill(change)?.toISOString() ?? null,
    agreed_at: at.toISOString(),
  }
}

/** The sandbox names its lines by keys; another provider says them itself. */
const named = (what: string, language: 'en' | 'zh') =>
  what === 'unused' || what === 'new' ? text('payments-server', `line.${what}`).in(language) : what

/** When it is paid next: where a longer term begins at once, only its provider knows. */
const nextBill = ({ before, deal, from }: Change): Date | null =>
  from !== 'now' || deal.months === before.deal.months ? before.termEnd : null

interface Agreed extends PlanWish {
  readonly agreed_at?: string | undefined
}

/**
 * Changes a plan, charged as it was shown. One change of an account at a time: what it comes to is reckoned against what was found, and
 * beside a dearer one it would give money back. Raises `Refusal`, 409, 429.
 */
export async function changePlan(shop: Shop, changer: Changer, agreed: Agreed): Promise<void> {
  await spend(shop, { limit: CHANGES, who: `u:${changer.userId}` })
  const key = `plan-change:${changer.userId}`
  if (!(await shop.live.turn(key, CHANGING_MS))) throw throttled(CHANGING_MS / 1000)
  try {
    await changeAlone(shop, changer, agreed)
  } finally {
    await shop.live.put(key, null, CHANGING_MS)
  }
}

async function changeAlone(
  shop: Shop,
  changer: Changer,
  { agreed_at: agreed, ...wish }: Agreed,
): Promise<void> {
  const now = shop.clock.now()
  const at = agreed === undefined ? Math.floor(now / 1000) * 1000 : Date.parse(agreed)
  if (at > now || now - at > AGREED_MS) throw invalid({ agreed_at: text('payments-server', 'lookAgain') })
  const wanted = await changeOf(shop, changer, wish, new Date(at))
  const { before, deal, from } = wanted
  if (from === 'now' && isSameDeal(before.deal, deal)) return
  await asking(shop.billing.change(wanted))
  await follow(shop, before, { actor: 'account' })
}

const follow = (shop: Shop, { id }: Pick<Billed, 'id'>, by: Parameters<typeof followSubscription>[2]) =>
  asking(followSubscription(shop, id, by))

interface Ending {
  readonly id: number
  readonly reason: string
  readonly code: string | null
}

/** Cancels a plan: it goes on to the end of what is paid. Raises 404, 409, 429. */
export async function cancelPlan(shop: Shop, userId: UserId, { id, reason, code }: Ending) {
  await spend(shop, { limit: CHANGES, who: `u:${userId}` })
  const row = await queries.findOwnPlan(shop.db, userId, id)
  if (row === undefined) throw notFound()
  const theirs = billedId(shop, row, 'cancel', ['active', 'past_due'])
  const detail = { reason, ...(code !== null && { code }) }
  // Before the provider is asked: should its news be followed first, the reason is known all the same.
  await writeAudit(shop, {
    actor: 'user',
    userId,
    action: 'plan_cancel_asked',
    detail,
  })
  await asking(shop.billing.setEnding(theirs, true))
  await follow(shop, { id: theirs }, { actor: 'account', detail })
  return await shown(shop, userId, id)
}

/** Takes a cancellation back. Raises 404, 409, 429. */
export async function resumePlan(shop: Shop, userId: UserId, id: number) {
  await spend(shop, { limit: CHANGES, who: `u:${userId}` })
  const row = await queries.findOwnPlan(shop.db, userId, id)
  if (row === undefined) throw notFound()
  const theirs = billedId(shop, row, 'resume', ['cancelled'])
  await asking(shop.billing.setEnding(theirs, false))
  await follow(shop, { id: theirs }, { actor: 'account' })
  return await shown(shop, userId, id)
}

async function shown(shop: Shop, userId: UserId, id: number) {
  const row = await queries.findOwnPlan(shop.db, userId, id)
  if (row === undefined) throw notFound()
  return { subscription: presentSubscription(row) }
}
