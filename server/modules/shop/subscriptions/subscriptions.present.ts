import type { ActiveSubscription, Pricing, Subscription } from '@vigil/contract/shop/subscriptions.ts'
import type { Plans } from '../../../brands/plans.ts'
import { type KeptNext, totalOf } from '../../../engines/billing/index.ts'
import { statusOf } from './life.rules.ts'
import type { SubscriptionRow } from './subscriptions.queries.ts'

const MIB = 1_048_576
const iso = (at: Date | null) => at?.toISOString() ?? null

export const presentSubscription = (row: SubscriptionRow): Subscription => ({
  id: row.id,
  plan_id: row.planId,
  status: statusOf(row.state),
  state: row.state,
  billing_cycle: row.billingCycle,
  printers: row.printers,
  dhpack_level: row.dhpackLevel,
  started_at: row.startedAt.toISOString(),
  expired_at: row.state === 'active' ? null : iso(row.endsAt),
  cancelled_at: iso(row.cancelledAt),
  is_legacy_pack: row.state === 'legacy',
})

/** What is paid for a plan, in the words of the old billing provider; null where nothing is. */
export function presentBilled(row: SubscriptionRow): ActiveSubscription['cb_subscription'] {
  if (row.providerId === null) return null
  const { baseCents, printersCents, dhpackCents } = row
  const isCancelled = row.state === 'cancelled'
  return {
    id: row.providerId,
    status: isCancelled ? 'non_renewing' : row.state,
    currency: row.currency,
    total_cents: baseCents + printersCents + dhpackCents,
    base_cents: baseCents,
    printers_cents: printersCents,
    dhpack_cents: dhpackCents,
    next_billing_at: isCancelled ? null : iso(row.endsAt),
    current_term_end: iso(row.endsAt),
    scheduled_cancellation: isCancelled,
    next: row.nextDeal && presentNext(row.nextDeal),
  }
}

const presentNext = ({ deal: { cycle, printers, packLevel, cents }, from }: KeptNext) => ({
  billing_cycle: cycle,
  printers,
  dhpack_level: packLevel,
  total_cents: totalOf({ cents }),
  at: from,
})

const limitsOf = (limits: Plans['plans']['free']) => {
  const bytes = (mb: number | null) => (mb === null ? null : mb * MIB)
  return {
    printers: limits.printers,
    detection_interval_seconds: limits.detection_interval_seconds,
    hours_per_month: limits.detection_hours_per_month,
    stream_fps: limits.stream_fps,
    stream_cycle_seconds: limits.stream_cycle_seconds,
    tunnel_bytes: bytes(limits.tunnel_mb_per_month),
    g_code_file_bytes: bytes(limits.g_code_file_mb),
    g_code_storage_bytes: bytes(limits.g_code_storage_mb),
    sms: limits.sms,
    sharing: limits.sharing,
  }
}

export const presentPricing = (plans: Plans, checkout: Pricing['checkout']): Pricing => ({
  currency: plans.currency,
  label: plans.label,
  plans: (['annual', 'monthly'] as const).map((cycle) => ({
    plan_id: 'pro',
    billing_cycle: cycle,
    months: plans.cycles[cycle].months,
    base_cents: plans.cycles[cycle].base_cents,
    extra_printer_cents: plans.cycles[cycle].extra_printer_cents,
    included_hours: plans.plans.pro.detection_hours_per_month,
  })),
  limits: { free: limitsOf(plans.plans.free), pro: limitsOf(plans.plans.pro) },
  dhpacks: plans.packs.map(({ level, hours, annual_cents, monthly_cents, prepaid }) => ({
    level,
    hours,
    subscribe_cents: { annual: annual_cents, monthly: monthly_cents },
    prepaid_hours: prepaid?.hours ?? null,
    prepaid_cents: prepaid?.cents ?? null,
  })),
  recommended_by_printers: plans.recommended_by_printers,
  annual_saves_percent: plans.annual_saves_percent,
  most_printers: plans.most_printers,
  trial: plans.trial,
  refund_days: plans.refund_days,
  checkout,
})
