import { Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ms } from '../../../lib/format.ts'
import { serverNow } from '../../../lib/clock.ts'
import { paths } from '../../../lib/paths.ts'
import { useBootstrap, useUser } from '../../../lib/session.ts'
import { useTitle } from '../../../lib/title.ts'
import { useSupport } from '../../../lib/usePlaces.ts'
import { GoTo } from '../../../ui/GoTo.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { PlaceLink } from '../../../ui/PlaceLink.tsx'
import shared from '../../../ui/shared.module.css'
import styles from './Welcome.module.css'

const DAY_MS = 86_400_000
/** So many days are left of a trial that has just begun. */
const WHOLE = 29

/** Welcomes who tries a plan, or has redeemed one; who has none is led to their printers. */
export default function WelcomeScreen() {
  const { settings } = useBootstrap()
  const { subscription } = useUser()
  const { pathname } = useLocation()
  const kind = pathname === paths.redeemed ? 'redeemed' : 'trial'
  const isMine = kind === 'trial' ? subscription?.plan_id === 'pro-trial' : subscription !== null
  if (!settings.IS_ENT || !isMine) return <GoTo to={paths.printers} />
  return <Welcome kind={kind} endsAt={subscription?.expired_at ?? null} />
}

/** Whole days to the end, and one. */
export const daysLeft = (endsAt: string | null, now: number): number =>
  Math.max(0, Math.floor(((ms(endsAt) ?? now) - now) / DAY_MS)) + 1

const GAINS = {
  trial: ['streaming', 'hours', 'remote', 'tunnel'],
  redeemed: ['premium', 'detection', 'firstLayer', 'remote', 'tunnelTo'],
} as const

function Welcome({ kind, endsAt }: { kind: keyof typeof GAINS; endsAt: string | null }) {
  const { t } = useTranslation('welcome')
  const support = useSupport()
  const days = daysLeft(endsAt, serverNow())
  const title = kind === 'redeemed' ? 'redeemed' : days >= WHOLE ? 'started' : 'left'
  useTitle(t('title'))
  return (
    <div className={shared.page}>
      <Panel>
        <h1 className={styles.title}>{t(title, { count: days })}</h1>
        <ul className={styles.gains}>
          {GAINS[kind].map((gain) => (
            <li key={gain}>
              <IconCheck size={18} stroke={1.75} aria-hidden />
              {t(`gain.${gain}`)}
            </li>
          ))}
        </ul>
        <div className={styles.acts}>
          <Button component={Link} to={paths.wizard} variant="filled">
            {t('link')}
          </Button>
          <Button component={Link} to={paths.printers}>
            {t('look')}
          </Button>
        </div>
        {kind === 'trial' && support && (
          <p className={shared.small}>
            {t('pause')} <PlaceLink place={support}>{t('support')}</PlaceLink>
          </p>
        )}
      </Panel>
    </div>
  )
}
