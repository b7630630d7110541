import { Alert, Box, Skeleton } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ActiveSubscription } from '@vigil/contract/shop/subscriptions.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { useTitle } from '../../../lib/title.ts'
import { Failed } from '../../../ui/Notice.tsx'
import { NoSuchPage } from '../../../ui/NoSuchPage.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import shared from '../../../ui/shared.module.css'
import { usePricing } from '../pricing/index.ts'
import { Usage } from '../usage/index.ts'
import { Agreed } from './Agreed.tsx'
import { CheckoutNote } from './CheckoutNote.tsx'
import { PaymentsPanel } from './PaymentsPanel.tsx'
import { PlanActs } from './PlanActs.tsx'
import { activeQuery, historyQuery } from './subscription.api.ts'
import styles from './Subscription.module.css'
import { useDay } from './useDay.ts'

/** The plan of an account: what it is, until when, what of it is used, what there was before. */
export default function SubscriptionScreen() {
  const { settings } = useBootstrap()
  return settings.IS_ENT ? <Screen /> : <NoSuchPage />
}

function Screen() {
  const { t } = useTranslation('subscription')
  const { t: accounts } = useTranslation('accounts')
  const { data, error, refetch } = useQuery(activeQuery)
  useTitle(t('title'))
  return (
    <div className={shared.page} aria-busy={!data && !error}>
      <PageHeader title={t('title')} back={{ to: paths.preferences, label: accounts('preferences.title') }} />
      {error ? (
        <Failed title={t('failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
      ) : (
        <>
          <CheckoutNote />
          <Panel>{data ? <Plan active={data} /> : <Skeleton height={110} />}</Panel>
          <Panel title={t('usage.title')}>{data ? <Usage active={data} /> : <Skeleton height={160} />}</Panel>
          <PaymentsPanel />
          <History />
        </>
      )}
    </div>
  )
}

function Plan({ active }: { active: ActiveSubscription }) {
  const { t } = useTranslation('subscription')
  const day = useDay()
  const { data: prices } = usePricing()
  const {
    subscription: plan,
    cb_subscription: billed,
    printer_allowance: most,
    active_printers: used,
  } = active
  const said = { plan: prices?.label ?? 'Pro', count: prices?.limits.free.printers ?? 1 }
  const end = plan?.expired_at ?? null
  const state = plan === null ? 'free' : end === null && plan.state === 'complimentary' ? 'given' : plan.state
  return (
    <>
      <Box component="h2" m={0} fz={26} fw={650}>
        {t(`name.${plan?.state ?? 'free'}`, said)}
      </Box>
      <p className={styles.soft}>{t(`says.${state}`, { ...said, day: day(end) })}</p>
      {billed && active.over_subscribed && (
        <p className={styles.soft}>{t('overSubscribed', { used, most })}</p>
      )}
      {plan?.state === 'past_due' && (
        <Alert color="warn" icon={<IconAlertTriangle size={18} stroke={1.75} />} mt="md">
          {t('pastDue', { day: day(end) })}
        </Alert>
      )}
      {plan && billed && <Agreed plan={plan} billed={billed} />}
      <PlanActs active={active} />
    </>
  )
}

function History() {
  const { t } = useTranslation('subscription')
  const day = useDay()
  const { data: prices } = usePricing()
  const { data, error, refetch } = useQuery(historyQuery)
  const past = data?.filter(({ status }) => status === 'expired') ?? []
  if (error)
    return (
      <Panel title={t('history')}>
        <Failed title={t('failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
      </Panel>
    )
  if (past.length === 0) return null
  return (
    <Panel title={t('history')}>
      <ul className={styles.past}>
        {past.map((plan) => (
          <li key={plan.id}>
            <span>{t(`kind.${kindOf(plan.plan_id)}`, { plan: prices?.label ?? 'Pro' })}</span>
            <span className={shared.small}>
              {t('from', { from: day(plan.started_at), until: day(plan.expired_at) })}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** What a plan that is over was: by its id, as its state says no more than that it is over. */
function kindOf(planId: string): 'trial' | 'complimentary' | 'legacy' | 'paid' | 'partner' {
  if (planId === 'pro') return 'paid'
  const word = planId.replace(/^pro-/, '')
  return word === 'trial' || word === 'complimentary' || word === 'legacy' ? word : 'partner'
}
