import { Button, Switch } from '@mantine/core'
import type { QueuePrinter } from '@vigil/contract/files/queue.ts'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { paths } from '../../../lib/paths.ts'
import { Panel } from '../../../ui/Panel.tsx'
import styles from './Queue.module.css'
import { type Change, queueCalls } from './queue.api.ts'
import { usePrinterState } from './useWords.ts'

/** Which printers take part, and how each stands. */
export function PrintersPanel({ printers, change }: { printers: QueuePrinter[]; change: Change }) {
  const { t } = useTranslation('queue')
  if (printers.length === 0) return null
  return (
    <Panel title={t('printers.title')}>
      <ul className={styles.printers}>
        {printers.map((printer) => (
          <PrinterLine key={printer.id} printer={printer} change={change} />
        ))}
      </ul>
    </Panel>
  )
}

function PrinterLine({ printer, change }: { printer: QueuePrinter; change: Change }) {
  const { t } = useTranslation('queue')
  const state = usePrinterState()
  return (
    <li className={styles.printer}>
      <div className={styles.printerName}>
        <Link to={paths.control(printer.id)}>{printer.name}</Link>
        <span>{state(printer)}</span>
        {printer.waiting > 0 && <span>{t('printers.waiting', { count: printer.waiting })}</span>}
        {printer.bed_clear && (
          <Button size="xs" onClick={() => change.mutate(() => queueCalls.unclear(printer.id))}>
            {t('bed.notClear')}
          </Button>
        )}
      </div>
      <Switch
        aria-label={t('printers.switch', { printer: printer.name })}
        checked={printer.enabled}
        disabled={change.isPending}
        onChange={(event) => {
          const on = event.currentTarget.checked
          change.mutate(() => queueCalls.enable(printer.id, on))
        }}
      />
    </li>
  )
}
