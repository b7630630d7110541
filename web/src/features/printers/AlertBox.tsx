import { Button } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers.ts'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../lib/clock.ts'
import { ms } from '../../lib/format.ts'
import { useTimeText } from '../../ui/time.tsx'
import styles from './AlertBox.module.css'
import { isPausedByUs } from './state.ts'
import { readStatus } from './status.ts'
import type { useCommands } from './useCommands.ts'

interface AlertBoxProps {
  printer: Printer
  commands: ReturnType<typeof useCommands>
  standing?: boolean
}

/** The one loud thing on the screen, with the two buttons that matter in it. */
export function AlertBox({ printer, commands, standing }: AlertBoxProps) {
  const { t } = useTranslation('printers')
  const now = useNow()
  const { span } = useTimeText()
  const print = printer.current_print
  const paused = isPausedByUs(printer)
  const at = ms(paused ? print?.paused_at : print?.alerted_at)
  const layer = readStatus(printer)?.layer
  const since = at === null ? '' : span((now - at) / 1000)
  const key = paused ? 'alert.paused' : 'alert.noticed'

  return (
    <div className={styles.alert} role="alert" data-standing={standing || undefined}>
      <p>
        <strong>{t('alert.title')}</strong>{' '}
        <span aria-live="off">
          {layer ? t(`${key}AtLayer`, { span: since, layer }) : t(key, { span: since })}
        </span>
      </p>
      <div className={styles.actions}>
        <Button variant="filled" color="bad" onClick={() => void commands.cancel()} disabled={commands.busy}>
          {t('cancel.action')}
        </Button>
        <Button onClick={() => void commands.answerNotFailed()} disabled={commands.busy}>
          {t('notFailure.action')}
        </Button>
      </div>
    </div>
  )
}
