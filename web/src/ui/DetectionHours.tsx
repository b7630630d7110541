import { Link } from '@tanstack/react-router'
import { useTranslation } from '../lib/translation.ts'
import { paths } from '../lib/paths.ts'
import { useBootstrap } from '../lib/session.ts'
import styles from './DetectionHours.module.css'

/** Hours of AI detection that are left, with the way to how they came; only the enterprise edition counts them. */
export function DetectionHours({ short = false }: { short?: boolean }) {
  const { t, i18n } = useTranslation('grid')
  const { user, settings } = useBootstrap()
  if (!user || !settings.IS_ENT) return null
  const hours = user.is_dh_unlimited
    ? '∞'
    : new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 0 }).format(Math.floor(user.dh_balance))
  if (short) return <span>{t('hoursLeft', { hours })}</span>
  return (
    <Link to={paths.hours} className={styles.link}>
      {t('hours', { hours })}
    </Link>
  )
}
