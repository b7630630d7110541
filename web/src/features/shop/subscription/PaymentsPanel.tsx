import type { Payment } from '@vigil/contract/shop/payments.ts'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { Failed } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import shared from '../../../ui/shared.module.css'
import { useMoney } from './money.ts'
import { paymentsQuery } from './payments.api.ts'
import styles from './Subscription.module.css'
import { useDay } from './useDay.ts'

/** What was paid and given back; nothing is shown to who has never paid. */
export function PaymentsPanel() {
  const { t } = useTranslation('subscription')
  const { data, error, refetch } = useQuery(paymentsQuery)
  if (error)
    return (
      <Panel title={t('payments.title')}>
        <Failed title={t('payments.failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
      </Panel>
    )
  if (!data || data.length === 0) return null
  return (
    <Panel title={t('payments.title')}>
      <ul className={styles.past}>
        {data.map((payment) => (
          <Row key={payment.id} payment={payment} />
        ))}
      </ul>
    </Panel>
  )
}

function Row({ payment }: { payment: Payment }) {
  const { t } = useTranslation('subscription')
  const day = useDay()
  const money = useMoney(payment.currency)
  const { kind, cents, what } = payment
  const name =
    kind === 'payment'
      ? t(`payments.what.${what}`)
      : t(cents > 0 ? 'payments.refundFailed' : 'payments.refund')
  return (
    <li>
      <span>
        {name} <span className={shared.small}>{day(payment.created_at)}</span>
      </span>
      <span>
        {money(payment.cents)}{' '}
        {payment.tax_cents !== 0 && (
          <span className={shared.small}>{t('payments.tax', { amount: money(payment.tax_cents) })}</span>
        )}
      </span>
    </li>
  )
}
