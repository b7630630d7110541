import { useTranslation } from 'react-i18next'
import { useMessages } from '../../../lib/catalogue.ts'
import styles from './Wizard.module.css'

/** Why the printer's own page may not have answered, and the other way. */
export function HandshakeChecklist() {
  const { t } = useTranslation('linking')
  const message = useMessages()
  return (
    <>
      <p>{message('handshakeChecklist')}</p>
      <ul className={styles.checklist}>
        <li>{message('handshakePlugin')}</li>
        <li>{message('handshakeNetwork')}</li>
      </ul>
      <p className={styles.orElse}>{t('handshake.orElse')}</p>
    </>
  )
}
