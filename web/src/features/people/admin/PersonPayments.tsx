import { Button, Skeleton } from '@mantine/core'
import type { Payment } from '@vigil/contract/shop/payments.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { dateFormat, ms } from '../../../lib/format.ts'
import { ask } from '../../../ui/confirm.tsx'
import { Failed, useProblemText } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import shared from '../../../ui/shared.module.css'
import { useMoney } from '../../shop/subscription/index.ts'
import items from '../../../ui/Items.module.css'
import styles from './Admin.module.css'
import { usePersonPayments, useRefund } from './admin.api.ts'

/** What somebody has paid, and giving it back. */
export function PersonPayments({ id }: { id: number }) {
  const { t } = useTranslation('admin')
  const { data, error, refetch } = usePersonPayments(id)
  return (
    <Panel title={t('payments.title')}>
      {error && (
        <Failed title={t('payments.failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
      )}
      {!data && !error && <Skeleton height={40} aria-busy="true" />}
      {data?.length === 0 && <p className={shared.soft}>{t('payments.none')}</p>}
      {data && data.length > 0 && (
        <ul className={items.list}>
          {data.map((payment) => (
            <Row key={payment.id} person={id} payment={payment} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Row({ person, payment }: { person: number; payment: Payment }) {
  const { t, i18n } = useTranslation('admin')
  const money = useMoney(payment.currency)
  const problemText = useProblemText()
  const { mutate, isPending, error } = useRefund(person)
  const day = (at: string) => dateFormat(i18n.language, { dateStyle: 'medium' }).format(ms(at) ?? 0)
  const { what, kind, cents, refunded_cents: back, refundable_until: until } = payment
  const name =
    kind === 'payment'
      ? t(`payments.what.${what}`)
      : t(cents > 0 ? 'payments.refundFailed' : 'payments.given')
  async function refund() {
    const choices = [
      ...(what === 'plan' ? [{ value: 'end', label: t('payments.endPlan'), tone: 'bad' as const }] : []),
      { value: 'keep', label: t('payments.keepPlan'), tone: 'accent' as const },
    ]
    const title = t('payments.ask', { amount: money(cents - back) })
    const chosen = await ask({ title, text: t('payments.text'), choices })
    if (chosen !== null) mutate({ payment: payment.id, endPlan: chosen === 'end' })
  }
  return (
    <li className={items.item}>
      <div className={styles.words}>
        <span className={styles.name}>
          {name}, {money(cents)}
        </span>
        <span className={items.soft}>
          {day(payment.created_at)}
          {back > 0 && `, ${t('payments.back', { amount: money(back) })}`}
          {until !== null && `, ${t('payments.until', { day: day(until) })}`}
        </span>
        {error && (
          <span role="alert" className={shared.bad}>
            {problemText(problemOf(error))}
          </span>
        )}
      </div>
      {until !== null && (
        <Button loading={isPending} onClick={() => void refund()}>
          {t('payments.refund')}
        </Button>
      )}
    </li>
  )
}
