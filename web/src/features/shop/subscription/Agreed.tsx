import type { ActiveSubscription, Subscription } from '@vigil/contract/shop/subscriptions.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { Facts } from '../../../ui/Facts.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import { usePricing } from '../pricing/index.ts'
import { useMoney } from './money.ts'
import styles from './Subscription.module.css'
import { useDay } from './useDay.ts'

interface AgreedProps {
  plan: Subscription
  billed: NonNullable<ActiveSubscription['cb_subscription']>
}

/** What is paid for with a plan, and what its next bill comes to. */
export function Agreed({ plan, billed }: AgreedProps) {
  const { t } = useTranslation('subscription')
  const day = useDay()
  const money = useMoney(billed.currency)
  const { hours: hoursText } = useTimeText()
  const { data: prices } = usePricing()
  const pack = prices?.dhpacks.find(({ level }) => level === plan.dhpack_level)
  const { next, next_billing_at: at } = billed
  const cycle = next?.billing_cycle ?? plan.billing_cycle ?? 'annual'
  const bill = t(`build.billed.${cycle}`, { amount: money(next?.total_cents ?? billed.total_cents) })
  return (
    <div className={styles.agreed}>
      <Facts
        rows={[
          [t('build.packs'), pack ? hoursText(pack.hours) : null],
          [t('change.nextOn', { day: day(at) }), plan.state === 'active' && at !== null ? bill : null],
        ]}
      />
    </div>
  )
}
