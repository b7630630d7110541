import { useTranslation } from 'react-i18next'
import { Panel } from '../../ui/Panel.tsx'
import { QrCode } from '../../ui/QrCode.tsx'
import styles from './Wizard.module.css'

/** The same page on a phone, held to the printer's screen. */
export function PhonePanel() {
  const { t } = useTranslation('linking')
  return (
    <Panel title={t('phone.title')}>
      <div className={styles.phone}>
        <QrCode text={location.href} label={t('phone.code')} />
        <p className={styles.hint}>{t('phone.lead')}</p>
      </div>
    </Panel>
  )
}
