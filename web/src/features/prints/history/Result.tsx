import type { Print } from '@vigil/contract/prints/prints.ts'
import { useTranslation } from 'react-i18next'
import { ms } from '../../../lib/format.ts'
import { useWatchedText } from '../../../printer/watched-share.ts'
import { StatusMark } from '../../../ui/StatusMark.tsx'
import styles from './History.module.css'
import { usePrintText } from './useTexts.ts'

/** How it ended, by shape and word. */
export function Result({ print }: { print: Print }) {
  const { t } = useTranslation('history')
  if (print.alert_overwrite === 'FAILED')
    return (
      <span className={styles.result} data-failed>
        <StatusMark shape="triangle" tone="bad" size={10} />
        {t('status.failed')}
      </span>
    )
  const isCancelled = print.cancelled_at !== null
  return (
    <span className={styles.result} data-cancelled={isCancelled || undefined}>
      <StatusMark shape={isCancelled ? 'cross' : 'dot'} tone={isCancelled ? 'quiet' : 'good'} size={10} />
      {t(isCancelled ? 'status.cancelled' : 'status.finished')}
    </span>
  )
}

/** What was told of it while it printed. */
export function Told({ print }: { print: Print }) {
  const { t } = useTranslation('history')
  const { when } = usePrintText()
  const watched = useWatchedText()
  const at = ms(print.alerted_at)
  const lack = print.watched && watched.lack(print.watched)
  const why = print.watched ? watched.why(print.watched) : ''
  if (at === null)
    return (
      <span className={styles.told} title={lack && why ? t('row.notSeen', { why }) : undefined}>
        {lack ?? t('row.quiet')}
      </span>
    )
  return (
    <span className={styles.told} data-alerted>
      <StatusMark shape="triangle" tone="bad" size={11} />
      {t('row.alerted', { moment: when(at) })}
    </span>
  )
}
