import { useTranslation } from 'react-i18next'
import { Panel } from '../../../ui/Panel.tsx'
import styles from './ControlPage.module.css'

/** What stands on the printer's own display. */
export function DisplayWidget({ message }: { message: string }) {
  const { t } = useTranslation('printers')
  return (
    <Panel title={t('display.title')}>
      <p className={styles.lcd}>{message}</p>
    </Panel>
  )
}
