import type { Plugin } from '@vigil/contract/tell/notifications.ts'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '../../../lib/translation.ts'
import { paths } from '../../../lib/paths.ts'
import { useEmails } from '../../people/accounts/index.ts'
import styles from './Notifications.module.css'

/** Where letters go, or that they go nowhere, and where that is mended. Nothing while nobody knows. */
export function MailAddresses({ plugin }: { plugin: Plugin | undefined }) {
  const { t, i18n } = useTranslation('notifications')
  const { data } = useEmails()
  if (!data) return null
  const needNoLink = plugin?.env_vars['ACCOUNT_EMAIL_VERIFICATION']?.value === 'none'
  const addresses = data.filter(({ verified }) => verified || needNoLink).map(({ email }) => email)
  if (addresses.length > 0) {
    const all = new Intl.ListFormat(i18n.language).format(addresses)
    return <p className={styles.lead}>{t('channel.email.how', { addresses: all })}</p>
  }
  return (
    <p className={styles.lead}>
      {t('channel.email.nowhere')} <Link to={paths.emails}>{t('channel.email.confirm')}</Link>
    </p>
  )
}
