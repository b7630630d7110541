import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../../../lib/clock.ts'
import { ms } from '../../../../lib/format.ts'
import { Panel } from '../../../../ui/Panel.tsx'
import { useTimeText } from '../../../../ui/time.tsx'
import { ConnectButton } from './ConnectButton.tsx'
import { awayOf, isAfterRestart, isWaiting } from '../../../../printer/state.ts'
import { readStatus } from '../../../../printer/status.ts'
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
  if (awayOf(printer)) return <Lost printer={printer} />
  return (
    <Panel title={t('control.offlineTitle')}>
      <p className={styles.hint}>
        {seenAt ? t('control.offlineSeen', { ago: ago((now - seenAt) / 1000) }) : t('control.offlineNever')}
      </p>
    </Panel>
  )
}

/** Its agent has lost it: what Klipper is and says, and what can be done. */
function Lost({ printer }: { printer: Printer }) {
  const { t } = useTranslation('printers')
  const now = useNow()
  const { ago } = useTimeText()
  const { state, message } = awayOf(printer) ?? { state: null, message: null }
  const since = ms(printer.agent.away?.since)
  return (
    <Panel title={t(state ? `control.awayTitle_${state}` : 'control.disconnectedTitle')} tone="warn">
      {message && <p className={styles.words}>{message}</p>}
      <p className={styles.hint}>{t(state ? `control.awayText_${state}` : 'control.disconnectedText')}</p>
      {printer.current_print && since !== null && (
        <p className={styles.hint}>{t('control.awaySince', { ago: ago((now - since) / 1000) })}</p>
      )}
    </Panel>
  )
}
