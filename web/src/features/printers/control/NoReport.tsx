import type { Printer } from '@vigil/contract/printers.ts'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../../lib/clock.ts'
import { ms } from '../../../lib/format.ts'
import { Panel } from '../../../ui/Panel.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import { ConnectButton } from './ConnectButton.tsx'
import { isAfterRestart, isWaiting } from '../../../printer/state.ts'
import { readStatus } from '../../../printer/status.ts'
import styles from './ControlPage.module.css'

/** Stands where the widgets would: offline, not yet heard of, or cut off from its board. */
export function NoReport({ printer }: { printer: Printer }) {
  const { t } = useTranslation('printers')
  const now = useNow()
  const { ago } = useTimeText()
  const reading = readStatus(printer)
  const seenAt = ms(printer.agent?.last_seen_at)

  if (reading)
    return (
      <Panel title={t('control.disconnectedTitle')} tone="warn">
        <p className={styles.hint}>{t('control.disconnectedText')}</p>
        {reading.error && (
          <p className={styles.hint}>{t('control.printerSays', { message: reading.error })}</p>
        )}
        <ConnectButton printer={printer} />
      </Panel>
    )
  if (isAfterRestart(printer))
    return (
      <Panel title={t('control.restartedTitle')}>
        <p className={styles.hint}>{t('control.restartedText')}</p>
      </Panel>
    )
  if (isWaiting(printer))
    return (
      <Panel title={t('control.waitingTitle')}>
        <p className={styles.hint}>{t('control.waitingText')}</p>
      </Panel>
    )
  return (
    <Panel title={t('control.offlineTitle')}>
      <p className={styles.hint}>
        {seenAt ? t('control.offlineSeen', { ago: ago((now - seenAt) / 1000) }) : t('control.offlineNever')}
      </p>
    </Panel>
  )
}
