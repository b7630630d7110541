import { useTranslation } from 'react-i18next'
import { useBootstrap } from '../lib/session.ts'

/** Hours of AI detection that are left; only the enterprise edition counts them. */
export function DetectionHours({ short = false }: { short?: boolean }) {
  const { t, i18n } = useTranslation('grid')
  const { user, settings } = useBootstrap()
  if (!user || !settings.IS_ENT) return null
  const hours = user.is_dh_unlimited
    ? '∞'
    : new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 0 }).format(Math.floor(user.dh_balance))
  return <span>{t(short ? 'hoursLeft' : 'hours', { hours })}</span>
}
