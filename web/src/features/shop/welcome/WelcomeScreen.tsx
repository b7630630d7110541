import { Button, Flex, Skeleton } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import type { Pricing, Subscription } from '@vigil/contract/shop/subscriptions.ts'
import { useEffect } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { serverNow } from '../../../lib/clock.ts'
import { problemOf } from '../../../lib/errors.ts'
import { ms } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { useBootstrap, useUser } from '../../../lib/session.ts'
import { noteWelcomed } from '../../../lib/stored.ts'
import { useTitle } from '../../../lib/title.ts'
import { useSupport } from '../../../lib/usePlaces.ts'
import { GoTo } from '../../../ui/GoTo.tsx'
import { Failed } from '../../../ui/Notice.tsx'
import { Guide, Step } from '../../../ui/Guide.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { PlaceLink } from '../../../ui/PlaceLink.tsx'
import shared from '../../../ui/shared.module.css'
import { useBytes } from '../../../ui/useBytes.ts'
import { usePricing } from '../pricing/index.ts'
import { activeQuery } from '../subscription/index.ts'
import { daysLeft, monthsOf } from './welcome.rules.ts'
import styles from './Welcome.module.css'

/** Welcomes who tries a plan, or has redeemed one; who has none is led to their printers. */
export default function WelcomeScreen() {
  const { settings } = useBootstrap()
  const { id, subscription } = useUser()
  const { pathname } = useLocation()
  const kind = pathname === paths.redeemed ? 'redeemed' : 'trial'
  const isTrial = subscription?.plan_id === 'pro-trial'
  const isMine = kind === 'trial' ? isTrial : subscription !== null && !isTrial
  useEffect(() => noteWelcomed(id), [id])
  if (!settings.IS_ENT || !isMine) return <GoTo to={paths.printers} />
  return <Welcome kind={kind} />
}

/** What plans are and what this one is, then the page: its figures are those of the plans. */
function Welcome({ kind }: { kind: 'trial' | 'redeemed' }) {
  const { t } = useTranslation('welcome')
  const prices = usePricing()
  const active = useQuery(activeQuery)
  const error = prices.error ?? active.error
  const plan = active.data?.subscription ?? null
  useTitle(t('title'))
  return (
    <div className={`${shared.broad} ${styles.place}`} aria-busy={!error && !(prices.data && active.data)}>
      {error && (
        <Failed
          title={t('failed')}
          problem={problemOf(error)}
          onRetry={() => void Promise.all([prices.refetch(), active.refetch()])}
        />
      )}
      {!error && (
        <div className={shared.halves}>
          <Panel>
            {prices.data && plan ? (
              <>
                <Title kind={kind} plan={plan} prices={prices.data} />
                <Gains kind={kind} prices={prices.data} />
                <Ways kind={kind} />
              </>
            ) : (
              <Skeleton height={260} />
            )}
          </Panel>
          <Next />
        </div>
      )}
    </div>
  )
}

const STEPS = ['link', 'reach', 'print'] as const

/** What there is to do before the first print is watched. */
function Next() {
  const { t } = useTranslation('welcome')
  return (
    <Panel title={t('next.title')}>
      <Guide>
        {STEPS.map((step) => (
          <Step key={step} what={t(`next.${step}`)} how={t(`next.${step}How`)} />
        ))}
      </Guide>
    </Panel>
  )
}

interface PartProps {
  kind: 'trial' | 'redeemed'
  prices: Pricing
}

function Title({ kind, plan, prices }: PartProps & { plan: Subscription }) {
  const { t } = useTranslation('welcome')
  const { label, trial } = prices
  const days = daysLeft(plan.expired_at, serverNow())
  const months = monthsOf(ms(plan.started_at) ?? 0, ms(plan.expired_at))
  const said =
    kind === 'trial'
      ? days >= trial.days - 1
        ? t('started', { plan: label, days: trial.days })
        : t('left', { plan: label, count: days })
      : months === 3
        ? t('threeMonths', { plan: label })
        : months === 12
          ? t('oneYear', { plan: label })
          : months === null
            ? t('redeemed', { plan: label })
            : t('months', { plan: label, count: months })
  return <h1 className={styles.title}>{said}</h1>
}

/** What the plan brings, as its file has it. */
function useGains({ kind, prices }: PartProps): string[] {
  const { t } = useTranslation('welcome')
  const bytes = useBytes()
  const { limits, trial } = prices
  const { stream_fps: fps, stream_cycle_seconds: seconds, tunnel_bytes: tunnel } = limits.pro
  const carried = tunnel === null ? null : bytes(tunnel)
  if (kind === 'trial')
    return [
      t(seconds === null ? 'gain.streaming' : 'gain.streamingCycle', { fps, seconds }),
      t('gain.hours', { hours: trial.hours }),
      t('gain.remote'),
      carried === null ? t('gain.tunnel') : t('gain.tunnelCap', { carried }),
    ]
  return [
    t(seconds === null ? 'gain.premium' : 'gain.streamingCycle', { fps, seconds }),
    t('gain.detection'),
    t('gain.firstLayer'),
    t('gain.remote'),
    carried === null ? t('gain.tunnelTo') : t('gain.tunnelCap', { carried }),
  ]
}

function Gains(props: PartProps) {
  return (
    <ul className={styles.gains}>
      {useGains(props).map((gain) => (
        <li key={gain}>
          <IconCheck size={18} stroke={1.75} aria-hidden />
          {gain}
        </li>
      ))}
    </ul>
  )
}

function Ways({ kind }: Pick<PartProps, 'kind'>) {
  const { t } = useTranslation('welcome')
  const support = useSupport()
  return (
    <>
      <Flex align="center" wrap="wrap" gap={8} mb={14}>
        <Button component={Link} to={paths.wizard} variant="filled">
          {t('link')}
        </Button>
        <Button component={Link} to={paths.printers}>
          {t('look')}
        </Button>
      </Flex>
      {kind === 'trial' && support && (
        <p className={shared.small}>
          {t('pause')} <PlaceLink place={support}>{t('support')}</PlaceLink>
        </p>
      )}
    </>
  )
}
