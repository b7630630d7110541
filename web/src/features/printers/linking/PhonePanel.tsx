import { useTranslation } from 'react-i18next'
import { pathOfPage, useGiven } from '../../../lib/reach.ts'
import { AddressNote } from '../../../ui/AddressNote.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { QrCode } from '../../../ui/QrCode.tsx'
import styles from './Wizard.module.css'

/** The same page on a phone, held to the printer's screen. */
export function PhonePanel() {
  const { t } = useTranslation('linking')
  const given = useGiven('network')
  return (
    <Panel title={t('phone.title')}>
      <AddressNote given={given} />
      <div className={styles.phone}>
        <QrCode text={given.address + pathOfPage()} label={t('phone.code')} />
        <p className={styles.hint}>{t('phone.lead')}</p>
      </div>
    </Panel>
  )
}
