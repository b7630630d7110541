import { useTranslation } from '../../lib/translation.ts'
import { badgeText } from '../../lib/places.ts'
import styles from './Shell.module.css'

/** How much was not seen yet. */
export function Unseen({ count = 0 }: { count: number | undefined }) {
  const { t } = useTranslation('common')
  if (count === 0) return null
  return (
    <span className={styles.badge} aria-label={t('nav.unseen', { count })} role="img">
      {badgeText(count)}
    </span>
  )
}
