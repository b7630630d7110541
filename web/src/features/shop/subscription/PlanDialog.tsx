import { Badge, NumberInput, Radio, SegmentedControl, Skeleton, Stack } from '@mantine/core'
import type { BillingCycle, Pricing } from '@vigil/contract/shop/subscriptions.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Failed } from '../../../ui/Notice.tsx'
import shared from '../../../ui/shared.module.css'
import { pricingQuery } from '../pricing/index.ts'
import { ChangeFoot } from './ChangeFoot.tsx'
import { useMoney } from './money.ts'
import { openPlan, type PlanWish } from './payments.api.ts'
import styles from './Subscription.module.css'
import { BuyFoot } from './useBuy.tsx'

interface PlanDialogProps {
  /** The plan that is changed; null: one is bought. */
  current: PlanWish | null
  onClose: () => void
}

/** What a plan shall be: cycle, printers, hours on top. A new one is bought on a page of who takes the money; one that runs is changed here. */
export function PlanDialog({ current, onClose }: PlanDialogProps) {
  const { t } = useTranslation('subscription')
  const { data, error, refetch } = useQuery(pricingQuery)
  return (
    <Dialog onClose={onClose} size={520} title={t(current ? 'build.change' : 'build.buy')}>
      {data ? (
        <Builder pricing={data} current={current} onClose={onClose} />
      ) : error ? (
        <Failed title={t('failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={260} aria-busy="true" />
      )}
    </Dialog>
  )
}

function Builder({ pricing, current, onClose }: PlanDialogProps & { pricing: Pricing }) {
  const { t } = useTranslation('subscription')
  // The recommended pack is marked, never chosen for anybody: docs/decisions/0024.
  const [wish, setWish] = useState<PlanWish>(
    current ?? { plan_id: 'pro', billing_cycle: 'annual', printers: 1, dhpack_level: '0' },
  )
  const set = (more: Partial<PlanWish>) => setWish((now) => ({ ...now, ...more }))
  const cycles = [
    { value: 'annual' as const, label: t('build.annual', { percent: pricing.annual_saves_percent }) },
    { value: 'monthly' as const, label: t('build.monthly') },
  ]
  return (
    <div className={shared.fields}>
      <SegmentedControl
        fullWidth
        aria-label={t('build.cycle')}
        data={cycles}
        value={wish.billing_cycle}
        onChange={(value) => set({ billing_cycle: value })}
      />
      <NumberInput
        label={t('build.printers')}
        min={1}
        max={pricing.most_printers}
        allowDecimal={false}
        clampBehavior="strict"
        value={wish.printers}
        onChange={(value) => typeof value === 'number' && value >= 1 && set({ printers: value })}
      />
      <Packs pricing={pricing} wish={wish} onChange={(level) => set({ dhpack_level: level })} />
      {current ? (
        <ChangeFoot wish={wish} current={current} onClose={onClose} />
      ) : (
        <Bill wish={wish} pricing={pricing} onClose={onClose} />
      )}
    </div>
  )
}

interface PacksProps {
  pricing: Pricing
  wish: PlanWish
  onChange: (level: string) => void
}

function Packs({ pricing, wish, onChange }: PacksProps) {
  const { t } = useTranslation('subscription')
  const money = useMoney(pricing.currency)
  const months = monthsOf(pricing, wish.billing_cycle)
  const list = pricing.recommended_by_printers
  const best = list[Math.min(wish.printers, list.length) - 1]
  return (
    <Radio.Group label={t('build.packs')} value={wish.dhpack_level} onChange={onChange}>
      <Stack gap={10} mt={6}>
        <Radio value="0" label={t('build.noPack')} />
        {pricing.dhpacks.map(({ level, hours, subscribe_cents: cents }) => (
          <Radio
            key={level}
            value={level}
            label={
              <>
                {t('build.pack', {
                  hours,
                  price: money(Math.round(cents[wish.billing_cycle] / months)),
                })}{' '}
                {level === best && <Badge size="sm">{t('build.popular')}</Badge>}
              </>
            }
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}

const monthsOf = ({ plans }: Pricing, cycle: BillingCycle) =>
  plans.find(({ billing_cycle: one }) => one === cycle)?.months ?? 1

/** What one bill of it comes to, in whole cents. */
function billOf({ plans, dhpacks }: Pricing, { billing_cycle: cycle, printers, dhpack_level }: PlanWish) {
  const plan = plans.find(({ billing_cycle: one }) => one === cycle)
  const pack = dhpacks.find(({ level }) => level === dhpack_level)
  return (
    (plan?.base_cents ?? 0) +
    (plan?.extra_printer_cents ?? 0) * (printers - 1) +
    (pack?.subscribe_cents[cycle] ?? 0)
  )
}

interface BillProps {
  wish: PlanWish
  pricing: Pricing
  onClose: () => void
}

function Bill({ wish, pricing, onClose }: BillProps) {
  const { t } = useTranslation('subscription')
  const money = useMoney(pricing.currency)
  const total = billOf(pricing, wish)
  const perMonth = money(Math.round(total / monthsOf(pricing, wish.billing_cycle)))
  return (
    <>
      <p className={styles.total} aria-live="polite">
        <strong>{t('build.perMonth', { amount: perMonth })}</strong>
        <span className={shared.small}>
          {t(`build.billed.${wish.billing_cycle}`, { amount: money(total) })}
        </span>
      </p>
      <BuyFoot open={() => openPlan(wish)} onClose={onClose} />
    </>
  )
}
